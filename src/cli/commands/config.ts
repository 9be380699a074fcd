import { flattenSettings, removeAt, type StoredConfig, setAt, valueAt } from '../../config/config-file.ts';
import { isKnownProfile, PROFILE_NAME, SANDBOX, unknownProfile } from '../../config/profile.ts';
import { checkAlias } from '../command/alias.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { boolean, either, list, object, prints, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { forPipes, showRecord } from '../command/record.ts';
import { withoutCredentials } from '../command/url-credentials.ts';
import {
  ADDRESS_KEYS,
  aliasNameIn,
  invalidProfileName,
  isOfSandbox,
  parseSetting,
  pathWithin,
  settingValue,
} from '../input/settings.ts';

const VALUE = either(text, boolean);

export const commands = {
  get: defineCommand({
    summary: 'Print a setting',
    details:
      'Reads the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). `esign config set --help` lists the keys.',
    arguments: [
      {
        name: 'key',
        completes: 'setting',
        summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
      },
    ],
    options: {},
    json: prints(
      object({ key: text, value: VALUE }),
      '; key is the full key, as `esign config list` prints it',
    ),
    examples: [
      {
        line: 'esign config get base_url --profile acme',
        about: 'Print a setting; exits with 5 if it is not set',
      },
    ],
    async run(context, { args }) {
      return getSetting(context, args.key);
    },
  }),

  set: defineCommand({
    summary: 'Change a setting',
    details: `Changes the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). A profile
that does not exist is created when you set its base_url. The keys of a profile are:

  base_url, dashboard_url, app_url   URLs of the service: https, or http on this machine
  sender                             Sender as "Name <email>"; must be the user the access token belongs to
  client_id, callback_url, scopes    What \`esign login\` uses, as registered for the OAuth application
  idempotency                        true if the service honors the Idempotency-Key header, so that requests can be retried safely; otherwise
                                     false
  field_values                       true if the service takes values of fields that the sender fills in, otherwise false
  preparations                       true if the service records what was removed from a file before its upload, otherwise false
  recipient_ids                      generate if the service accepts recipient IDs created by the client, otherwise none
  redirect_uri                       true if the service accepts redirect_uri in the authorization URL
  echoes_state                       true if the service returns the state of the authorization URL
  pkce                               true if the service knows PKCE and public applications
  routes.OPERATION                   "METHOD /path"; \`esign help routes\` lists the operations
  sealing.KEY                        How the sandbox seals documents; \`esign help config\` lists the keys
  mail.KEY                           How the sandbox sends email; \`esign help config\` lists the keys

The key profile sets the active profile. Secrets cannot be stored as settings.

The key aliases.NAME defines an alias: \`esign NAME\` runs the command line that it stands for. In the command line, $1 is
replaced with the first argument and $2 with the second; other arguments are appended. Put a command line that contains $1 in
single quotes, so that your shell does not replace it. An alias cannot replace a command.`,
    arguments: [
      {
        name: 'key',
        completes: 'setting',
        summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
      },
      { name: 'value', summary: 'New value' },
    ],
    options: {},
    json: prints(
      object({ key: text, value: VALUE }),
      '; key is the full key, as `esign config list` prints it',
    ),
    examples: [
      {
        line: 'esign config set base_url https://api.example.com --profile acme',
        about: 'Create a profile by setting its base URL',
      },
      { line: 'esign config set profile acme', about: 'Switch the active profile' },
      {
        line: 'esign config set aliases.todo "tx list --status started"',
        about: 'Create an alias: `esign todo` lists the started transactions',
      },
      {
        line: 'esign config set routes.transaction.cancel "POST /v1/transaction/{transactionId}/cancellation"',
        about: 'Override the path of an operation',
      },
    ],
    async run(context, { args }) {
      return setSetting(context, args.key, args.value);
    },
  }),

  unset: defineCommand({
    summary: 'Remove a setting',
    details:
      'Changes the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). A ' +
      'profile without any settings is removed.',
    arguments: [
      {
        name: 'key',
        completes: 'setting',
        summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
      },
    ],
    options: {},
    json: prints(object({ key: text, removed: boolean }), '; removed is false if it was not set'),
    examples: [
      {
        line: 'esign config unset routes.transaction.cancel',
        about: 'Restore the default path of an operation',
      },
    ],
    async run(context, { args }) {
      return unsetSetting(context, args.key);
    },
  }),

  list: defineCommand({
    summary: 'List all settings',
    details:
      'Lists the active profile, the settings of all profiles, and aliases. With --profile, lists only the ' +
      'settings of that profile.',
    arguments: [],
    options: {},
    json: prints(object({ items: list(object({ key: text, value: VALUE })) })),
    examples: [{ line: 'esign config list --profile acme', about: 'List the settings of one profile' }],
    async run(context) {
      return listSettings(context);
    },
  }),

  path: defineCommand({
    summary: 'Print the location of the configuration file',
    arguments: [],
    options: {},
    json: prints(object({ path: text })),
    examples: [
      { line: 'esign config path', about: 'Print the path; the file is created with the first setting' },
    ],
    async run({ config }) {
      return { kind: 'text', text: config.file, json: { path: config.file } };
    },
  }),
};

type SettingTarget = {
  /** Within a profile. */
  key: string;
  profile: string | undefined;
  /** In the file. */
  path: string[];
  /** As `config list` prints it: `profiles.acme.base_url`. */
  full: string;
};

async function getSetting(context: Uses<'config' | 'settings'>, text: string): Promise<Outcome> {
  const stored = await context.config.read();
  const { path, full, profile } = targetOf(context, stored, text);
  mustBeKnown(profile, stored);
  const value = shown(valueAt(stored, path));
  if (value === undefined)
    throw cliError('key_not_set', {
      sentence: `${full} is not set.`,
      hint: 'List the settings with `esign config list`.',
    });
  return { kind: 'text', text: String(value), json: { key: full, value } };
}

async function setSetting(
  context: Uses<'config' | 'program' | 'settings'>,
  text: string,
  valueText: string,
): Promise<Outcome> {
  const stored = await context.config.read();
  const { key, path, full, profile } = targetOf(context, stored, text);
  const value = settingValue(key, valueText);
  const alias = aliasNameIn(key);
  if (alias !== undefined) checkAlias(alias, valueText, stored.aliases ?? {}, context.program.isCommand);
  else if (profile === undefined) mustBeKnown(valueText, stored);
  const isNew = profile !== undefined && mustTake(key, profile, stored);
  await context.config.change((held) => setAt(held, path, value));
  return showRecord(
    { key: full, value: shown(value) },
    { key: 'Setting', value: 'Value' },
    {
      headline: `Set ${full}.`,
      ...(isNew && {
        notes: [
          `"${profile}" is a new profile. To use it, add --profile ${profile}. To use it by default, run \`esign profile use ${profile}\`.`,
        ],
      }),
    },
  );
}

async function unsetSetting(context: Uses<'config' | 'settings'>, text: string): Promise<Outcome> {
  const stored = await context.config.read();
  const { path, full, profile } = targetOf(context, stored, text);
  mustBeKnown(profile, stored);
  const removed = valueAt(stored, path) !== undefined;
  if (removed) await context.config.change((held) => removeAt(held, path));
  return showRecord(
    { key: full, removed },
    { key: 'Setting', removed: forPipes },
    { headline: removed ? `Removed ${full}.` : `${full} was not set.` },
  );
}

async function listSettings(context: Uses<'config' | 'settings'>): Promise<Outcome> {
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
  if (by === 'address')
    throw cliError('profile_missing', {
      sentence: 'No profile is in use, because ESIGN_BASE_URL is set.',
      hint: 'Add --profile NAME.',
    });
  if (named !== undefined && named !== name)
    throw cliError('profile_conflict', {
      sentence: `The command names two profiles, "${named}" and "${name}".`,
      hint: 'Leave one of them out.',
    });
  return name;
}

function mustBeKnown(profile: string | undefined, stored: StoredConfig): void {
  if (profile !== undefined && !isKnownProfile(profile, stored)) throw unknownProfile(profile, stored);
}

/** Checks that a profile can take this key. Only its address makes a new profile, so that a misspelt name does not. True when it makes one. */
function mustTake(key: string, profile: string, stored: StoredConfig): boolean {
  if (profile === SANDBOX && ADDRESS_KEYS.includes(key))
    throw cliError('key_not_of_sandbox', {
      sentence: `The sandbox has its own URL: ${key} cannot be set for it.`,
      hint: `Set it for the profile of a service: \`esign config set ${key} https://… --profile NAME\`.`,
    });
  if (profile !== SANDBOX && isOfSandbox(key))
    throw cliError('key_of_sandbox_only', {
      sentence: `${key} applies only to the sandbox, not to a service.`,
      hint: `Set it for the sandbox: \`esign config set ${key} VALUE --sandbox\`.`,
    });
  if (isKnownProfile(profile, stored)) return false;
  if (key !== 'base_url') throw unknownProfile(profile, stored);
  if (!PROFILE_NAME.test(profile)) throw invalidProfileName(profile);
  return true;
}
