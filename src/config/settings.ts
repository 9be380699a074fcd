// Reads, sets and removes a setting of the file of profiles by its path: ['profiles', 'acme', 'base_url'].
import type { StoredConfig, StoredProfile } from './config-file.ts';

export type ConfigRecord = Record<string, unknown>;

const isHeld = (value: unknown): value is ConfigRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function valueAt(held: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return held;
  return isHeld(held) && Object.hasOwn(held, first) ? valueAt(held[first], rest) : undefined;
}

/** Sets a value. The names of the path have been checked: none of them is __proto__. */
export function setAt(held: ConfigRecord, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  const inner = Object.hasOwn(held, first) ? held[first] : undefined;
  held[first] = rest.length === 0 ? value : isHeld(inner) ? inner : {};
  if (rest.length > 0) setAt(held[first] as ConfigRecord, rest, value);
}

/** Removes a value, and objects that are empty then. */
export function removeAt(held: ConfigRecord, [first, ...rest]: readonly string[]): void {
  if (first === undefined || !Object.hasOwn(held, first)) return;
  const inner = held[first];
  if (rest.length > 0 && isHeld(inner)) removeAt(inner, rest);
  if (rest.length === 0 || (isHeld(inner) && Object.keys(inner).length === 0)) delete held[first];
}

export type SettingLine = { key: string; value: string | boolean };

/** Lists the settings. @param only the profile to list; undefined for all */
export function flattenSettings(config: StoredConfig, only: string | undefined): SettingLine[] {
  const aliases = Object.entries(config.aliases ?? {}).map(([name, value]) => ({
    key: `aliases.${name}`,
    value,
  }));
  const ofFile = [
    ...(config.profile !== undefined ? [{ key: 'profile', value: config.profile }] : []),
    ...aliases,
  ];
  return [
    ...(only === undefined ? ofFile : []),
    ...Object.entries(config.profiles)
      .filter(([name]) => only === undefined || name === only)
      .flatMap(([name, profile]) => settingsOfProfile(`profiles.${name}`, profile)),
  ];
}

function settingsOfProfile(
  prefix: string,
  { routes, sealing, mail, ...plain }: StoredProfile,
): SettingLine[] {
  const line = ([key, value]: [string, string | boolean]) => ({ key: `${prefix}.${key}`, value });
  return [
    ...Object.entries(plain).map(line),
    ...Object.entries(routes ?? {}).map(([id, route]) => line([`routes.${id}`, route])),
    ...Object.entries(sealing ?? {}).map(([key, value]) => line([`sealing.${key}`, value])),
    ...Object.entries(mail ?? {}).map(([key, value]) => line([`mail.${key}`, value])),
  ];
}
