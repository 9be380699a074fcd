// Shows, sets, removes and lists settings in the file of profiles.
import type { StoredConfig } from '../../../config/config-file.ts';
import { isKnownProfile, PROFILE_NAME, SANDBOX, unknownProfile } from '../../../config/profile.ts';
import { flattenSettings, removeAt, setAt, valueAt } from '../../../config/settings.ts';
import { checkAlias } from '../../command/alias.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { withoutCredentials } from '../../command/url-credentials.ts';
import {
  ADDRESS_KEYS,
  aliasNameIn,
  isOfSandbox,
  parseSetting,
  pathWithin,
  settingValue,
} from '../../input/settings.ts';

type SettingTarget = {
  /** Within a profile. */
  key: string;
  profile: string | undefined;
  /** In the file. */
  path: string[];
  /** As `config list` prints it: `profiles.acme.base_url`. */
  full: string;
};

export async function getSetting(context: Uses<'config' | 'settings'>, text: string): Promise<Outcome> {
  const stored = await context.config.read();
  const { path, full, profile } = targetOf(context, stored, text);
  mustBeKnown(profile, stored);
  const value = shown(valueAt(stored, path));
  if (value === undefined) throw cliError('key_not_set', { key: full });
  return { kind: 'text', text: String(value), json: { key: full, value } };
}

export async function setSetting(
  context: Uses<'config' | 'program' | 'settings'>,
  text: string,
  given: string,
): Promise<Outcome> {
  const stored = await context.config.read();
  const { key, path, full, profile } = targetOf(context, stored, text);
  const value = settingValue(key, given);
  const alias = aliasNameIn(key);
  if (alias !== undefined) checkAlias(alias, given, stored.aliases ?? {}, context.program.isCommand);
  else if (profile === undefined) mustBeKnown(given, stored);
  const isNew = profile !== undefined && mustTake(key, profile, stored);
  await context.config.change((held) => setAt(held, path, value));
  return {
    kind: 'record',
    headline: `Set ${full}.`,
    json: { key: full, value: shown(value) },
    entries: [
      { key: 'key', label: 'Setting', value: full },
      { key: 'value', label: 'Value', value: shown(value) },
    ],
    ...(isNew && {
      notes: [
        `"${profile}" is a new profile. To use it, add --profile ${profile}. To use it by default, run \`esign profile use ${profile}\`.`,
      ],
    }),
  };
}

export async function unsetSetting(context: Uses<'config' | 'settings'>, text: string): Promise<Outcome> {
  const stored = await context.config.read();
  const { path, full, profile } = targetOf(context, stored, text);
  mustBeKnown(profile, stored);
  const removed = valueAt(stored, path) !== undefined;
  if (removed) await context.config.change((held) => removeAt(held, path));
  return {
    kind: 'record',
    headline: removed ? `Removed ${full}.` : `${full} was not set.`,
    json: { key: full, removed },
    entries: [
      { key: 'key', label: 'Setting', value: full },
      { key: 'removed', value: removed },
    ],
  };
}

export async function listSettings(context: Uses<'config' | 'settings'>): Promise<Outcome> {
  const { profile, sandbox } = context.settings;
  const stored = await context.config.read();
  const only = profile !== undefined || sandbox ? context.config.profileInUse(stored).name : undefined;
  mustBeKnown(only, stored);
  const items = flattenSettings(stored, only).map(({ key, value }) => ({ key, value: shown(value) }));
  return {
    kind: 'list',
    json: { items },
    empty: 'No settings.',
    table: {
      columns: ['SETTING', { name: 'VALUE', fit: 'wraps' }],
      rows: items.map(({ key, value }) => [key, value]),
    },
  };
}

/** Removes the user name and password from a URL, such as that of a timestamp authority. */
const shown = <V>(value: V): V => (typeof value === 'string' ? (withoutCredentials(value) as V) : value);

/** Finds what a key sets: `profile` and aliases belong to the file; any other key to the profile that it names, or else to the one in use. */
function targetOf(context: Uses<'config' | 'settings'>, stored: StoredConfig, text: string): SettingTarget {
  const { key, profile: named } = parseSetting(text);
  if (key === 'profile') return { key, profile: undefined, path: [key], full: key };
  const alias = aliasNameIn(key);
  if (alias !== undefined) return { key, profile: undefined, path: ['aliases', alias], full: key };
  const profile = profileFor(context, stored, named);
  return {
    key,
    profile,
    path: ['profiles', profile, ...pathWithin(key)],
    full: `profiles.${profile}.${key}`,
  };
}

function profileFor(
  context: Uses<'config' | 'settings'>,
  stored: StoredConfig,
  named: string | undefined,
): string {
  const { settings, config } = context;
  const isFlagged = settings.profile !== undefined || settings.sandbox;
  if (named !== undefined && !isFlagged) return named;
  const { name, by } = config.profileInUse(stored);
  if (by === 'address') throw cliError('profile_missing', {});
  if (named !== undefined && named !== name) throw cliError('profile_conflict', { one: named, other: name });
  return name;
}

function mustBeKnown(profile: string | undefined, stored: StoredConfig): void {
  if (profile !== undefined && !isKnownProfile(profile, stored)) throw unknownProfile(profile, stored);
}

/** Checks that a profile can take this key. Only its address makes a new profile, so that a misspelt name does not. True when it makes one. */
function mustTake(key: string, profile: string, stored: StoredConfig): boolean {
  if (profile === SANDBOX && ADDRESS_KEYS.includes(key)) throw cliError('key_not_of_sandbox', { key });
  if (profile !== SANDBOX && isOfSandbox(key)) throw cliError('key_of_sandbox_only', { key });
  if (isKnownProfile(profile, stored)) return false;
  if (key !== 'base_url') throw unknownProfile(profile, stored);
  if (!PROFILE_NAME.test(profile)) throw cliError('profile_name_invalid', { name: profile });
  return true;
}
