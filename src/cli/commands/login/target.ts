// Finds the profile of a login and everything it needs: from flags, environment and profile, in this order. It asks for what is
// missing, or names it in one error.

import { ALL_SCOPES } from '../../../api/contract/operation.ts';
import { parseServiceAddress, type ServiceExtension } from '../../../api/contract/service-address.ts';
import type { StoredConfig, StoredProfile } from '../../../config/config-file.ts';
import { variable } from '../../../config/environment.ts';
import {
  chooseProfile,
  PROFILE_NAME,
  type Profile,
  SANDBOX,
  serviceAddress,
} from '../../../config/profile.ts';
import { secretFile, secretIn, secretVariable } from '../../../config/secret-variable.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import { needsNoLogin } from '../../connection/access-token.ts';
import { type FindAddresses, findAddressesOnce } from '../../connection/find-addresses.ts';
import { isLoopback } from '../../connection/loopback.ts';
import { parsePerson } from '../../input/person.ts';
import {
  callbackAddress,
  clientIdIn,
  DEFAULT_CALLBACK,
  invalidProfileName,
  scopesIn,
} from '../../input/settings.ts';

export type LoginOptions = {
  'base-url': string | undefined;
  'dashboard-url': string | undefined;
  'app-url': string | undefined;
  'client-id': string | undefined;
  'client-secret-file': string | undefined;
  scopes: string | undefined;
  port: string | undefined;
  'callback-url': string | undefined;
  sender: string | undefined;
};

/** What is written into the profile, when it is one that is stored. */
export type LoginTarget = {
  profile: Profile;
  isStored: boolean;
  isNew: boolean;
  settings: StoredProfile;
};

/** What the authorization link and the exchange take. */
export type Application = {
  dashboardUrl: string;
  clientId: string;
  /** A public application has none. */
  clientSecret: string | undefined;
  /** True where the service names PKCE, or has named it at an earlier login. */
  pkce: boolean;
  scopes: string[];
  callback: URL;
};

/** @param findAddresses of all runs of a series of questions */
export async function targetOf(
  context: Uses<'config' | 'process' | 'prompts' | 'settings'>,
  options: LoginOptions,
  findAddresses: FindAddresses = findAddressesOnce(context.process),
): Promise<LoginTarget> {
  const stored = await context.config.read();
  const addresses = await addressesOf(context, options, stored, findAddresses);
  const name = nameOf(context, stored, addresses.base_url);
  if (name === SANDBOX) throw needsNoLogin();
  const isStored = !isFromEnvironment(context, options);
  const isNew = isStored && !Object.hasOwn(stored.profiles, name);
  if (isNew && !PROFILE_NAME.test(name)) throw invalidProfileName(name);
  const settings = withSettings(stored.profiles[name], addresses);
  const profile = chooseProfile(
    { profile: isStored ? name : undefined, sandbox: false },
    isStored ? withoutAddresses(context) : context.process.environment.variables,
    { ...stored, profiles: { ...stored.profiles, [name]: settings } },
  );
  return { profile, isStored, isNew, settings };
}

/** Adds settings to those of a profile. What its service knows of PKCE says nothing about another service. */
export function withSettings(before: StoredProfile = {}, settings: StoredProfile): StoredProfile {
  const { pkce, ...others } = before;
  const isSameService =
    before.base_url === undefined || parseServiceAddress(before.base_url) === settings.base_url;
  return { ...others, ...(isSameService && pkce !== undefined && { pkce }), ...settings };
}

/** The profile's own addresses count; the environment's were taken into account before. */
const withoutAddresses = ({ process: { environment } }: Uses<'process'>) => ({
  ...environment.variables,
  ESIGN_BASE_URL: undefined,
  ESIGN_DASHBOARD_URL: undefined,
  ESIGN_APP_URL: undefined,
});

const isFromEnvironment = (
  { settings, process: { environment } }: Uses<'process' | 'settings'>,
  options: LoginOptions,
): boolean =>
  settings.profile === undefined &&
  options['base-url'] === undefined &&
  variable(environment.variables, 'ESIGN_BASE_URL') !== undefined;

type Addresses = Pick<
  StoredProfile,
  | 'base_url'
  | 'dashboard_url'
  | 'app_url'
  | 'idempotency'
  | 'field_values'
  | 'preparations'
  | 'recipient_ids'
  | 'pkce'
>;

/** What the profile says of the extensions that a service names. */
const EXTENSION_SETTINGS = {
  idempotency: { idempotency: true },
  field_values: { field_values: true },
  preparations: { preparations: true },
  recipient_ids: { recipient_ids: 'generate' },
  pkce: { pkce: true },
} as const satisfies Record<ServiceExtension, StoredProfile>;

async function addressesOf(
  context: Uses<'config' | 'process' | 'prompts' | 'settings'>,
  options: LoginOptions,
  stored: StoredConfig,
  findAddresses: FindAddresses,
): Promise<Addresses> {
  const { variables } = context.process.environment;
  const flagged = (flag: AddressFlag) =>
    options[flag] === undefined ? undefined : serviceAddress(`--${flag}`, options[flag]);
  const stated = (name: string, value: string | undefined) =>
    value === undefined ? undefined : serviceAddress(name, value);
  const before = await profileBefore(context, options, stored);
  const fromProfile = stated('base_url', before?.base_url);
  const fromEnvironment = stated('ESIGN_BASE_URL', variable(variables, 'ESIGN_BASE_URL'));
  // A profile that a flag names keeps its address, whatever the environment says.
  const base_url =
    flagged('base-url') ??
    (context.settings.profile === undefined
      ? (fromEnvironment ?? fromProfile)
      : (fromProfile ?? fromEnvironment)) ??
    (await askForBaseUrl(context));
  // Dashboard and signing application go with the service that they were named with.
  const isOfEnvironment = fromEnvironment === undefined || fromEnvironment === base_url;
  const other = (flag: AddressFlag, name: string, of: string | undefined) =>
    flagged(flag) ??
    stated(name, isOfEnvironment ? variable(variables, name) : undefined) ??
    (fromProfile === base_url ? stated(name, of) : undefined);
  // assumed: A39. The embedded service has one address for everything.
  const alike = new URL(base_url).protocol === 'http:' ? base_url : undefined;
  const dashboard = other('dashboard-url', 'ESIGN_DASHBOARD_URL', before?.dashboard_url) ?? alike;
  const published = dashboard === undefined ? await findAddresses(base_url) : undefined;
  const dashboard_url = dashboard ?? published?.dashboard_url ?? (await askForDashboard(context));
  const app_url = other('app-url', 'ESIGN_APP_URL', before?.app_url) ?? alike ?? published?.app_url;
  const extensions = published?.extensions.map((name) => EXTENSION_SETTINGS[name]) ?? [];
  return Object.assign({ base_url, dashboard_url, ...(app_url !== undefined && { app_url }) }, ...extensions);
}

type AddressFlag = 'base-url' | 'dashboard-url' | 'app-url';

async function profileBefore(
  context: Uses<'config' | 'process' | 'settings'>,
  options: LoginOptions,
  stored: StoredConfig,
): Promise<StoredProfile | undefined> {
  const { profile } = context.settings;
  if (profile !== undefined) return stored.profiles[profile];
  if (options['base-url'] !== undefined || isFromEnvironment(context, options)) return undefined;
  const { name, by } = context.config.profileInUse(stored);
  if (name === SANDBOX && by !== 'default') throw needsNoLogin();
  return stored.profiles[name];
}

const askForBaseUrl = async ({ prompts }: Uses<'prompts'>): Promise<string> =>
  serviceAddress(
    '--base-url',
    await prompts.ask('URL of the service', '--base-url URL', {
      accept: (text) => serviceAddress('--base-url', text),
    }),
  );

const askForDashboard = async ({ prompts }: Uses<'prompts'>): Promise<string> =>
  serviceAddress(
    '--dashboard-url',
    await prompts.ask('URL of the dashboard', '--dashboard-url URL', {
      accept: (text) => serviceAddress('--dashboard-url', text),
    }),
  );

/** Names the profile. A service that has a profile keeps it. */
function nameOf(context: Uses<'settings'>, stored: StoredConfig, baseUrl: string | undefined): string {
  const { profile, sandbox } = context.settings;
  if (sandbox) return SANDBOX;
  if (profile !== undefined) return profile;
  const existing = Object.entries(stored.profiles).find(([, { base_url }]) => base_url === baseUrl)?.[0];
  if (existing !== undefined) return existing;
  if (!Object.hasOwn(stored.profiles, 'default')) return 'default';
  const name = new URL(baseUrl ?? '').host
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-/, '')
    .slice(0, 64);
  if (!Object.hasOwn(stored.profiles, name)) return name;
  throw cliError('profile_missing', {
    sentence: `The profile "${name}" exists, but for another URL of this host.`,
    hint: 'Choose a name for the new profile with --profile NAME.',
  });
}

/**
 * Finds the sender for this login before the consent, because not every service tells the user afterwards. Undefined when
 * the profile has one, the service tells the user, or the person does not say.
 */
export async function senderFor(
  { process, prompts }: Uses<'process' | 'prompts'>,
  options: LoginOptions,
  { profile }: LoginTarget,
  findAddresses: FindAddresses = findAddressesOnce(process),
): Promise<string | undefined> {
  if (options.sender !== undefined) {
    parsePerson(options.sender, '--sender');
    return options.sender;
  }
  if (profile.sender !== undefined || !prompts.canAsk) return undefined;
  // A service that says where its parts are says whose a token is as well.
  const service = await findAddresses(profile.remote?.baseUrl ?? '').catch(unlessInterrupted(process));
  if (service !== undefined) return undefined;
  const text = await prompts.ask(
    'Your name and email address at the service ("Name <email>"; leave empty to skip)',
    '--sender PERSON',
    {
      mayBeEmpty: true,
      accept: (text) => parsePerson(text, 'The sender'),
    },
  );
  return text === '' ? undefined : text;
}

// ── the client application ──────────────────────────────────────────────────────────────────────────────────────

export async function applicationOf(
  context: Uses<'connections' | 'process' | 'prompts' | 'terminal'>,
  options: LoginOptions,
  target: LoginTarget,
  findAddresses: FindAddresses = findAddressesOnce(context.process),
): Promise<Application> {
  const { profile } = target;
  const { login, remote } = profile;
  const callback = callbackOf(options, login.callbackUrl);
  const scopes = scopesIn(
    options.scopes ?? login.scopes ?? ALL_SCOPES.join(' '),
    options.scopes ? '--scopes' : 'scopes',
  );
  const stated = options['client-id'] ?? login.clientId;
  if (stated === undefined && !context.prompts.canAsk)
    mustHave(stated, await secretGiven(context, options, profile, stated));
  if (stated === undefined)
    context.terminal.progress.note(
      `Register an OAuth application in the dashboard of the service. Its callback URL is ${callback.href}`,
    );
  const clientId = clientIdIn(
    stated ??
      (await context.prompts.ask('Client ID of the OAuth application', '--client-id ID', {
        accept: (text) => clientIdIn(text, 'This'),
      })),
    '--client-id',
  );
  const baseUrl = remote?.baseUrl ?? '';
  // A login may begin before the service can be reached.
  const service =
    login.pkce === false
      ? undefined
      : await findAddresses(baseUrl, clientId).catch(unlessInterrupted(context.process));
  // A service that has named PKCE before gets a challenge, so that nobody who blocks one answer can do away with it.
  const pkce = login.pkce === true || service?.extensions.includes('pkce') === true;
  const isPublic = pkce && service?.application?.is_public === true;
  const secret = isPublic ? undefined : await secretGiven(context, options, profile, clientId);
  if (pkce && service === undefined && secret === undefined)
    throw cliError('application_unknown', {
      sentence: `The service ${baseUrl} did not answer whether the application "${clientId}" has a client secret.`,
      hint: 'Try again later. If the application has a client secret, add --client-secret-file FILE.',
    });
  return {
    dashboardUrl: remote?.dashboardUrl ?? baseUrl,
    clientId,
    clientSecret: isPublic ? undefined : await secretOf(context, clientId, secret),
    pkce,
    scopes,
    callback,
  };
}

const unlessInterrupted =
  ({ checkpoint }: Uses<'process'>['process']) =>
  (): undefined => {
    checkpoint();
  };

async function secretOf(
  context: Uses<'prompts'>,
  clientId: string,
  secret: string | undefined,
): Promise<string> {
  if (!context.prompts.canAsk) mustHave(clientId, secret);
  return secretIn(
    secret ??
      (await context.prompts.secret('Client secret', '--client-secret-file FILE', {
        accept: (text) => secretIn(text, 'This'),
      })),
    'The client secret',
  );
}

const PORT_MAX = 65_535;

function callbackOf(options: LoginOptions, stored: string | undefined): URL {
  const callback = callbackAddress('--callback-url', options['callback-url'] ?? stored ?? DEFAULT_CALLBACK);
  if (options.port === undefined) return callback;
  const port = Number(options.port);
  if (!/^\d{1,5}$/.test(options.port) || port < 1 || port > PORT_MAX)
    throw invalidValue({ name: '--port', value: options.port, use: 'a number from 1 to 65535' });
  if (!isLoopback(callback))
    throw cliError('callback_not_here', {
      sentence: `--port needs a callback URL on this machine. ${callback.href} is not on this machine.`,
      hint: 'Leave out --port.',
    });
  callback.port = options.port;
  return callback;
}

/** Reads the client secret from a file, standard input, the environment, or the previous login, but never from the value of a flag. */
async function secretGiven(
  context: Uses<'connections' | 'process' | 'terminal'>,
  options: LoginOptions,
  { name, remote }: Profile,
  clientId: string | undefined,
): Promise<string | undefined> {
  const file = options['client-secret-file'];
  if (file !== undefined) return secretIn(await textOf(context, file), '--client-secret-file');
  const fromEnvironment = await secretVariable(context.process.environment.variables, 'ESIGN_CLIENT_SECRET');
  if (fromEnvironment !== undefined) return fromEnvironment;
  // A login that cannot be read is about to be replaced.
  const before = await (await context.connections.logins()).find(name).catch(() => undefined);
  return before?.service === remote?.baseUrl && before?.client_id === clientId
    ? before?.client_secret
    : undefined;
}

async function textOf(context: Uses<'process' | 'terminal'>, file: string): Promise<string> {
  if (file !== '-') return secretFile(file, '--client-secret-file');
  return standardInput(context);
}

/** No token is longer. Longer input is not read. */
const LONGEST_BYTES = 64 * 1024;

export async function standardInput(context: Uses<'process' | 'terminal'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of context.terminal.streams.input()) {
    context.process.checkpoint();
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > LONGEST_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function mustHave(clientId: string | undefined, secret: string | undefined): void {
  const missing = [
    ...(clientId === undefined ? ['--client-id ID'] : []),
    ...(secret === undefined ? ['--client-secret-file FILE (or ESIGN_CLIENT_SECRET)'] : []),
  ];
  if (missing.length > 0)
    throw cliError('value_missing', {
      sentence:
        missing.length === 1
          ? `${missing[0]} is missing.`
          : `These values are missing: ${missing.join(', ')}.`,
      hint: 'Register an OAuth application in the dashboard of the service. The dashboard then shows both.',
    });
}
