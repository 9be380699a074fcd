// Reads the file of profiles, and reads, sets and lists its settings by their paths: ['profiles', 'acme', 'base_url']. It reads the file
// synchronously and at once, because every command waits for it.
import { isRecord } from '../common/json.ts';
import { NotAFileError, readTrustedFile } from '../files/read-file.ts';
import { UntrustedError } from '../files/trust.ts';
import { ConfigError } from './environment.ts';
import { MAIL_KEYS, SEALING_KEYS } from './sealing-and-mail.ts';

/** Settings of a profile that are texts. */
export const TEXTS = [
  'base_url',
  'dashboard_url',
  'app_url',
  'sender',
  'client_id',
  'callback_url',
  'scopes',
  'recipient_ids',
] as const;

/** Settings that are true or false. */
export const SWITCHES = [
  'idempotency',
  'field_values',
  'preparations',
  'redirect_uri',
  'echoes_state',
  'pkce',
] as const;

/** A profile as it is stored. Its addresses and texts have not been checked. `esign help config` says what each setting means. */
export type StoredProfile = { [K in (typeof TEXTS)[number]]?: string } & {
  [K in (typeof SWITCHES)[number]]?: boolean;
} & {
  routes?: Record<string, string>;
  /** Its keys are those of {@link SEALING_SETTINGS}. */
  sealing?: Record<string, string>;
  /** Its keys are those of {@link MAIL_SETTINGS}. */
  mail?: Record<string, string>;
};

export type StoredConfig = {
  profile?: string;
  /** Name → the line it stands for. */
  aliases?: Record<string, string>;
  profiles: Record<string, StoredProfile>;
};

/** Reads the file. A missing file is an empty configuration. */
export async function readConfigFile(file: string): Promise<StoredConfig> {
  const bytes = bytesOf(file);
  return bytes ? parseConfig(new TextDecoder().decode(bytes), file) : { profiles: {} };
}

/** Far more than all settings together. */
const LONGEST_BYTES = 4 * 1024 * 1024;

/** Reads the bytes. The file says where documents and tokens go, so it must belong to the user. */
function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readTrustedFile(file, { mostBytes: LONGEST_BYTES });
  } catch (error) {
    if (error instanceof UntrustedError) throw error;
    throw new ConfigError(
      'config_unreadable',
      `The configuration file ${file} cannot be read${error instanceof NotAFileError ? `: it is a ${error.kind}` : ''}.`,
      'Check its permissions.',
    );
  }
}

export function parseConfig(text: string, file: string): StoredConfig {
  const value = parseJson(text, file);
  const profiles = record(value.profiles ?? {}, 'profiles', file);
  return {
    ...(value.profile !== undefined && { profile: textOf(value.profile, 'profile', file) }),
    ...(value.aliases !== undefined && { aliases: texts(value.aliases, 'aliases', file) }),
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, profile]) => [name, storedProfile(profile, name, file)]),
    ),
  };
}

function parseJson(text: string, file: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text), '', file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError('config_invalid', `${file} is not valid JSON.`, 'Correct the file, or remove it.');
  }
}

function storedProfile(value: unknown, name: string, file: string): StoredProfile {
  const source = record(value, `profiles.${name}`, file);
  const profile: StoredProfile = {};
  for (const key of TEXTS)
    if (source[key] !== undefined) profile[key] = textOf(source[key], `profiles.${name}.${key}`, file);
  for (const key of SWITCHES) {
    const value = source[key];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') throw wrong(`profiles.${name}.${key}`, 'true or false', file);
    profile[key] = value;
  }
  if (source.routes !== undefined) profile.routes = texts(source.routes, `profiles.${name}.routes`, file);
  for (const group of ['sealing', 'mail'] as const)
    if (source[group] !== undefined)
      profile[group] = checkKeys(texts(source[group], `profiles.${name}.${group}`, file), group, name, file);
  return profile;
}

const KNOWN: Record<'sealing' | 'mail', readonly string[]> = { sealing: SEALING_KEYS, mail: MAIL_KEYS };

/** Refuses unknown keys, because the user may mean one that sealing or mail depends on. */
function checkKeys(
  settings: Record<string, string>,
  group: 'sealing' | 'mail',
  name: string,
  file: string,
): Record<string, string> {
  const unknown = Object.keys(settings).find((key) => !KNOWN[group].includes(key));
  if (unknown === undefined) return settings;
  throw new ConfigError(
    'config_invalid',
    `Unknown setting profiles.${name}.${group}.${unknown} in ${file}.`,
    `Use one of ${KNOWN[group].join(', ')}.`,
  );
}

function texts(value: unknown, where: string, file: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record(value, where, file)).map(([key, text]) => [
      key,
      textOf(text, `${where}.${key}`, file),
    ]),
  );
}

function record(value: unknown, where: string, file: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(where || 'The content', 'an object', file);
  return value as Record<string, unknown>;
}

function textOf(value: unknown, where: string, file: string): string {
  if (typeof value !== 'string') throw wrong(where, 'a string', file);
  return value;
}

const wrong = (where: string, wanted: string, file: string): ConfigError =>
  new ConfigError(
    'config_invalid',
    `${where} in ${file} must be ${wanted}.`,
    'Correct the file, or remove it.',
  );

export type ConfigRecord = Record<string, unknown>;

export function valueAt(held: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return held;
  return isRecord(held) && Object.hasOwn(held, first) ? valueAt(held[first], rest) : undefined;
}

/** Sets a value. The names of the path have been checked: none of them is __proto__. */
export function setAt(held: ConfigRecord, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  const inner = Object.hasOwn(held, first) ? held[first] : undefined;
  held[first] = rest.length === 0 ? value : isRecord(inner) ? inner : {};
  if (rest.length > 0) setAt(held[first] as ConfigRecord, rest, value);
}

/** Removes a value, and objects that are empty then. */
export function removeAt(held: ConfigRecord, [first, ...rest]: readonly string[]): void {
  if (first === undefined || !Object.hasOwn(held, first)) return;
  const inner = held[first];
  if (rest.length > 0 && isRecord(inner)) removeAt(inner, rest);
  if (rest.length === 0 || (isRecord(inner) && Object.keys(inner).length === 0)) delete held[first];
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
