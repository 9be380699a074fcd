import type { StoredConfig, StoredProfile } from '../../config/config-file.ts';
import {
  isKnownProfile,
  PROFILE_NAME,
  profileInUse,
  SANDBOX,
  serviceAddress,
  unknownProfile,
} from '../../config/profile.ts';
import { removePending } from '../../credentials/pending.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { boolean, list, nameOnly, nullable, object, only, prints, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { forPipes, listRecords, showRecord } from '../command/record.ts';
import { parsePerson } from '../input/person.ts';
import { callbackAddress, clientIdIn, invalidProfileName, scopesIn } from '../input/settings.ts';
import { notConfirmed } from '../terminal/prompts.ts';

export const commands = {
  list: defineCommand({
    summary: 'List connection profiles',
    arguments: [],
    options: {},
    json: prints(
      object({
        items: list(
          object({
            name: text,
            base_url: nullable(text),
            is_current: boolean,
            logged_in: boolean,
            stored_in: nameOnly(only('file', 'keyring', null)),
          }),
        ),
      }),
    ),
    examples: [{ line: 'esign profile list', about: 'List the services configured on this machine' }],
    async run(context) {
      return listProfiles(context);
    },
  }),

  create: defineCommand({
    summary: 'Create a connection profile',
    arguments: [{ name: 'name', summary: 'Name of the new profile' }],
    options: {
      'base-url': { value: 'URL', summary: "Base URL of the service's API (required)" },
      'dashboard-url': { value: 'URL', summary: "URL of the service's dashboard" },
      'app-url': { value: 'URL', summary: "URL of the service's signing pages" },
      'client-id': { value: 'ID', summary: 'Client ID of the OAuth application, for logging in' },
      'callback-url': { value: 'URL', summary: 'Callback URL as registered for the OAuth application' },
      scopes: {
        value: 'SCOPE,…',
        summary: 'Scopes to request when logging in (default: all scopes)',
        completes: 'scope',
      },
      sender: { value: 'PERSON', summary: 'Sender as "Name <email>"' },
      use: { summary: 'Make it the active profile' },
    },
    json: prints(
      object({
        name: text,
        base_url: text,
        'dashboard_url?': text,
        'app_url?': text,
        'client_id?': text,
        'callback_url?': text,
        'scopes?': text,
        'sender?': text,
        is_current: boolean,
      }),
    ),
    examples: [
      {
        line: 'esign profile create orders --base-url https://api.example.com --dashboard-url https://dashboard.example.com --app-url https://sign.example.com',
        about: 'Create a profile; then log in with `esign login --profile orders`',
      },
    ],
    async run(context, { args, options }) {
      return createProfile(context, args.name, options);
    },
  }),

  use: defineCommand({
    summary: 'Switch the active profile',
    arguments: [
      { name: 'name', summary: 'Name of a profile; sandbox is the offline sandbox', completes: 'profile' },
    ],
    options: {},
    json: prints(object({ name: text, base_url: nullable(text), is_current: only(true) })),
    examples: [{ line: 'esign profile use sandbox', about: 'Use the offline sandbox by default' }],
    async run(context, { args }) {
      return useProfile(context, args.name);
    },
  }),

  delete: defineCommand({
    summary: 'Delete a profile and its stored login',
    arguments: [{ name: 'name', summary: 'Name of the profile', completes: 'profile' }],
    options: {},
    json: prints(object({ name: text, deleted: only(true), logged_out: boolean })),
    examples: [{ line: 'esign profile delete acme --yes', about: 'Delete a profile without confirmation' }],
    async run(context, { args }) {
      return deleteProfile(context, args.name);
    },
  }),
};

type ProfileOptions = {
  'base-url': string | undefined;
  'dashboard-url': string | undefined;
  'app-url': string | undefined;
  'client-id': string | undefined;
  'callback-url': string | undefined;
  scopes: string | undefined;
  sender: string | undefined;
  use: boolean;
};

async function listProfiles(
  context: Uses<'config' | 'connections' | 'process' | 'settings'>,
): Promise<Outcome> {
  const stored = await context.config.read();
  const store = await context.connections.logins();
  const current = currentName(context, stored);
  const names = [...new Set([SANDBOX, ...Object.keys(stored.profiles)])];
  const items = await Promise.all(
    names.map(async (name) => {
      const look = name === SANDBOX ? undefined : await store.inspect(name).catch(() => undefined);
      const base_url = stored.profiles[name]?.base_url ?? null;
      return {
        name,
        base_url,
        is_current: name === current,
        logged_in: look !== undefined && look.details.service === base_url,
        stored_in: look?.place ?? null,
      };
    }),
  );
  return listRecords(items, '', {
    PROFILE: 'name',
    SERVICE: ({ base_url }) => base_url ?? 'this machine',
    LOGIN: ({ name, logged_in, stored_in }) =>
      name === SANDBOX ? 'not needed' : logged_in ? stored_in : 'none',
    '': ({ is_current }) => (is_current ? 'in use' : ''),
  });
}

/** The profile in use; undefined when the environment describes the service, or contradicts itself. */
function currentName(
  { settings, process: { environment } }: Uses<'process' | 'settings'>,
  stored: StoredConfig,
): string | undefined {
  try {
    const { name, by } = profileInUse(settings, environment.variables, stored);
    return by === 'address' ? undefined : name;
  } catch {
    return undefined;
  }
}

async function createProfile(
  context: Uses<'config' | 'prompts'>,
  name: string,
  options: ProfileOptions,
): Promise<Outcome> {
  const stored = await context.config.read();
  if (!PROFILE_NAME.test(name)) throw invalidProfileName(name);
  if (isKnownProfile(name, stored)) throw exists(name);
  const base_url = await baseUrlOf(context, options);
  const profile: StoredProfile = {
    base_url,
    ...addresses(options),
    ...(options['client-id'] !== undefined && { client_id: clientIdIn(options['client-id'], '--client-id') }),
    ...(options['callback-url'] !== undefined && {
      callback_url: callbackAddress('--callback-url', options['callback-url']).href,
    }),
    ...(options.scopes !== undefined && { scopes: scopesIn(options.scopes, '--scopes').join(' ') }),
    ...(options.sender !== undefined && { sender: senderIn(options.sender) }),
  };
  let isCurrent = false;
  await context.config.change((held) => {
    const profiles = (held.profiles ?? {}) as Record<string, StoredProfile>;
    if (Object.hasOwn(profiles, name)) throw exists(name);
    held.profiles = { ...profiles, [name]: profile };
    if (options.use) held.profile = name;
    isCurrent = held.profile === name;
  });
  return {
    kind: 'record',
    headline: `Created the profile ${name}.`,
    json: { name, ...profile, is_current: isCurrent },
    entries: [
      { key: 'name', label: 'Profile', value: name },
      ...Object.entries(profile).map(([key, value]) => ({
        key,
        label: LABELS[key] ?? key,
        value: String(value),
      })),
    ],
    notes: [
      `To log in, run \`esign login --profile ${name}\`.`,
      ...(isCurrent ? [] : [`To use it by default, run \`esign profile use ${name}\`.`]),
    ],
  };
}

const LABELS: Record<string, string> = {
  base_url: 'Service',
  dashboard_url: 'Dashboard',
  app_url: 'Signing',
  client_id: 'Application',
  callback_url: 'Callback',
  scopes: 'Scopes',
  sender: 'Sender',
};

const exists = (name: string) =>
  cliError('profile_exists', {
    sentence: `The profile "${name}" already exists.`,
    hint: 'Change it with `esign config set KEY VALUE`, or choose another name.',
  });

const baseUrlOf = async ({ prompts }: Uses<'prompts'>, options: ProfileOptions): Promise<string> =>
  serviceAddress(
    '--base-url',
    options['base-url'] ??
      (await prompts.ask('URL of the service', '--base-url URL', {
        accept: (text) => serviceAddress('--base-url', text),
      })),
  );

const addresses = (options: ProfileOptions): StoredProfile => ({
  ...(options['dashboard-url'] !== undefined && {
    dashboard_url: serviceAddress('--dashboard-url', options['dashboard-url']),
  }),
  ...(options['app-url'] !== undefined && { app_url: serviceAddress('--app-url', options['app-url']) }),
});

function senderIn(text: string): string {
  parsePerson(text, '--sender');
  return text;
}

async function useProfile(context: Uses<'config'>, name: string): Promise<Outcome> {
  const stored = await context.config.read();
  if (!isKnownProfile(name, stored)) throw unknownProfile(name, stored);
  await context.config.change((held) => {
    held.profile = name;
  });
  return showRecord(
    { name, base_url: stored.profiles[name]?.base_url ?? null, is_current: true },
    { name: forPipes },
    { headline: `Switched to the profile ${name}.` },
  );
}

/** Deletes the login before the profile: a profile without its login can be seen, a login without its profile cannot. */
async function deleteProfile(
  context: Uses<'config' | 'connections' | 'process' | 'prompts'>,
  name: string,
): Promise<Outcome> {
  const stored = await context.config.read();
  if (name === SANDBOX)
    throw cliError('profile_is_own', {
      sentence: 'The sandbox profile cannot be deleted.',
      hint: 'Delete what is in it with `esign sandbox reset`.',
    });
  if (!Object.hasOwn(stored.profiles, name)) throw unknownProfile(name, stored);
  if (!(await context.prompts.confirm(`Delete the profile "${name}" and its login?`))) throw notConfirmed();
  const store = await context.connections.logins();
  const wasLoggedIn = await store.withLock(name, context.process.abort, () => store.remove(name));
  await removePending(context.process.paths.credentialsDir, name);
  await context.config.change((held) => {
    const { [name]: _, ...others } = (held.profiles ?? {}) as Record<string, StoredProfile>;
    held.profiles = others;
    if (held.profile === name) delete held.profile;
  });
  return showRecord(
    { name, deleted: true, logged_out: wasLoggedIn },
    { name: forPipes },
    {
      headline: `Deleted the profile ${name}.`,
      ...(stored.profile === name && { notes: ['It was the active profile. The sandbox is active now.'] }),
    },
  );
}
