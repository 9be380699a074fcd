// Settings in the file of profiles: one is shown, set or removed; or all of them listed.
import type { StoredConfig } from '../../../config/config-file.ts';
import { isKnownProfile, PROFILE_NAME, SANDBOX, unknownProfile } from '../../../config/profile.ts';
import { removeAt, setAt, settingsOf, valueAt } from '../../../config/settings.ts';
import type { Uses } from '../../command/context.ts';
import { CliError, EXIT, usageError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { ADDRESS_KEYS, isSealingKey, parseSetting, pathWithin, settingValue } from '../../input/setting.ts';

type Target = {
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
  const value = valueAt(stored, path);
  if (value === undefined)
    throw new CliError(`${full} is not set.`, {
      code: 'key_not_set',
      exit: EXIT.notFound,
      hint: 'See what is set with `esign config list`.',
    });
  return { kind: 'text', text: String(value), json: { key: full, value } };
}

export async function setSetting(
  context: Uses<'config' | 'settings'>,
  text: string,
  given: string,
): Promise<Outcome> {
  const stored = await context.config.read();
  const { key, path, full, profile } = targetOf(context, stored, text);
  const value = settingValue(key, given);
  if (profile === undefined) mustBeKnown(given, stored);
  const isNew = profile !== undefined && mustTake(key, profile, stored);
  await context.config.change((held) => setAt(held, path, value));
  return {
    kind: 'record',
    headline: 'Set.',
    json: { key: full, value },
    entries: [
      { key: 'key', label: 'Setting', value: full },
      { key: 'value', label: 'Value', value },
    ],
    ...(isNew && {
      notes: [
        `"${profile}" is a new profile: name it with --profile ${profile}, or always use it: esign config set profile ${profile}`,
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
    headline: removed ? 'Removed.' : 'It was not set.',
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
  const items = settingsOf(stored, only);
  return {
    kind: 'list',
    json: { items },
    empty: 'Nothing is set.',
    table: { columns: ['SETTING', 'VALUE'], rows: items.map(({ key, value }) => [key, value]) },
  };
}

/** `profile` is of the file; every other key of the profile it names, or else of the one in use. */
function targetOf(context: Uses<'config' | 'settings'>, stored: StoredConfig, text: string): Target {
  const { key, profile: named } = parseSetting(text);
  if (key === 'profile') return { key, profile: undefined, path: [key], full: key };
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
  if (by === 'address')
    throw usageError(
      'profile_missing',
      'ESIGN_BASE_URL describes the service, so no profile is in use.',
      'Say which one is meant with --profile NAME.',
    );
  if (named !== undefined && named !== name)
    throw usageError(
      'profile_conflict',
      `The key is of the profile "${named}", the flag names "${name}".`,
      'Leave one of them out.',
    );
  return name;
}

function mustBeKnown(profile: string | undefined, stored: StoredConfig): void {
  if (profile !== undefined && !isKnownProfile(profile, stored)) throw unknownProfile(profile, stored);
}

/** A profile begins with its address, so that a slip of the pen makes none. True when this one does. */
function mustTake(key: string, profile: string, stored: StoredConfig): boolean {
  if (profile === SANDBOX && ADDRESS_KEYS.includes(key))
    throw usageError(
      'key_not_of_sandbox',
      'The sandbox has an address of its own.',
      `Name the profile of the service: \`esign config set ${key} https://… --profile NAME\`.`,
    );
  if (profile !== SANDBOX && isSealingKey(key))
    throw usageError(
      'key_of_sandbox_only',
      'Only the sandbox seals documents here; other services use their own keys.',
      `Set it for the sandbox: \`esign config set ${key} … --sandbox\`.`,
    );
  if (isKnownProfile(profile, stored)) return false;
  if (key !== 'base_url') throw unknownProfile(profile, stored);
  if (!PROFILE_NAME.test(profile))
    throw usageError(
      'profile_name_invalid',
      `"${profile}" cannot be the name of a profile.`,
      'Use letters, digits, - and _, 64 at the most.',
    );
  return true;
}
