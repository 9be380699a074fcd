// Chooses the service of a command from flags, environment and the file of profiles, in this order.
// It must never fall back to the sandbox when the user meant a real service: credentials without a service are an error.

import {
  LOOPBACK_NAMES,
  parseServiceAddress,
  SERVICE_ADDRESS_HINT,
} from '../api/contract/service-address.ts';
import { isRecord } from '../common/json.ts';
import { didYouMean, nearest } from '../common/nearest.ts';
import { parseUrl } from '../common/parse-url.ts';
import { readConfigFile, type StoredConfig, type StoredProfile } from './config-file.ts';
import { ConfigError, type Variables, variable } from './environment.ts';

export type Profile = {
  name: string;
  /** True when neither flag, environment nor configuration names a service. */
  isDefault: boolean;
  /** Undefined for the sandbox, whose addresses are in its store. */
  remote: { baseUrl: string; dashboardUrl: string | undefined; appUrl: string | undefined } | undefined;
  /** `Name <email>`, still to be parsed. */
  sender: string | undefined;
  /** What a login needs to know. */
  login: LoginSettings;
  /** Whether the service honours `Idempotency-Key` (assumed: A37). */
  idempotency: boolean;
  /** Whether the service takes values of fields that the sender fills in (an extension). */
  takesFieldValues: boolean;
  /** Whether the service records what was done to a file before its upload (an extension). */
  takesPreparations: boolean;
  /** Whether new recipients are sent with ids made here, which the service takes over (assumed: A20). */
  makesRecipientIds: boolean;
  /** Operation id → `METHOD /path`. */
  routes: Record<string, string>;
  /** What the sandbox seals with; empty for its own authority. */
  sealing: Record<string, string>;
  /** How the sandbox sends mail; empty where it stays inside. */
  mail: Record<string, string>;
};

type Service = Omit<Profile, 'isDefault'>;

export type LoginSettings = {
  clientId: string | undefined;
  callbackUrl: string | undefined;
  /** With spaces between them. */
  scopes: string | undefined;
  /** Whether the service knows `redirect_uri` (assumed: A23). */
  redirectUri: boolean;
  /** Whether the service is known to send back `state` (assumed: A23). */
  echoesState: boolean;
  /** Whether the service knows PKCE and public applications. Undefined until a login has heard so; false only where a person said it. */
  pkce: boolean | undefined;
};

export const SANDBOX = 'sandbox';

/** The name of a service that only the environment describes. */
const FROM_ENVIRONMENT = 'environment';

/** Each may also be given as a file, by the same name with _FILE. */
export const CREDENTIAL_VARIABLES = [
  'ESIGN_ACCESS_TOKEN',
  'ESIGN_CLIENT_ID',
  'ESIGN_CLIENT_SECRET',
  'ESIGN_REFRESH_TOKEN',
] as const;

/**
 * Whether the credentials in the environment are for a service. Beside an address in the environment they are for that service
 * only, and never sent to a profile that a flag names. Without an address they are for any service.
 */
export function credentialsAreFor(variables: Variables, baseUrl: string): boolean {
  const address = variable(variables, 'ESIGN_BASE_URL');
  return address === undefined || address.replace(/\/+$/, '') === baseUrl;
}

export type ProfileFlags = { profile?: string | undefined; sandbox: boolean };

export async function loadProfile(
  flags: ProfileFlags,
  variables: Variables,
  configFile: string,
): Promise<Profile> {
  return chooseProfile(flags, variables, await readConfigFile(configFile));
}

export function chooseProfile(flags: ProfileFlags, variables: Variables, config: StoredConfig): Profile {
  const { name, by } = profileInUse(flags, variables, config);
  const chosen =
    by === 'address'
      ? remote(name, {}, variables, 'environment')
      : profileNamed(name, variables, config, by === 'flag' ? 'flag' : 'environment');
  return { ...chosen, isDefault: by === 'default' };
}

/** `address`: the environment describes a service that has no profile. The others may name one that is not stored. */
export type ProfileInUse = { name: string; by: 'flag' | 'address' | 'choice' | 'default' };

export function profileInUse(flags: ProfileFlags, variables: Variables, config: StoredConfig): ProfileInUse {
  if (flags.sandbox && flags.profile !== undefined && flags.profile !== SANDBOX)
    throw new ConfigError(
      'profile_conflict',
      `--sandbox and --profile ${flags.profile} cannot be used together.`,
      'Use only one of them.',
    );
  if (flags.sandbox) return { name: SANDBOX, by: 'flag' };
  if (flags.profile !== undefined) return { name: flags.profile, by: 'flag' };
  if (variable(variables, 'ESIGN_BASE_URL')) return { name: FROM_ENVIRONMENT, by: 'address' };
  const chosen = variable(variables, 'ESIGN_PROFILE') ?? config.profile;
  if (chosen !== undefined) return { name: chosen, by: 'choice' };
  const credential = CREDENTIAL_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).find((name) =>
    variable(variables, name),
  );
  if (credential)
    throw new ConfigError(
      'service_missing',
      `${credential} is set, but the URL of the service is not.`,
      'Set ESIGN_BASE_URL, or select a profile with --profile. To use the sandbox, add --sandbox.',
    );
  return { name: SANDBOX, by: 'default' };
}

/** A name that needs no quoting in a shell, and has no dot in it: keys have. */
export const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** Whether a profile exists. The sandbox exists without being stored. */
export const isKnownProfile = (name: string, config: StoredConfig): boolean =>
  name === SANDBOX || Object.hasOwn(config.profiles, name);

export function unknownProfile(name: string, config: StoredConfig): ConfigError {
  const others = Object.keys(config.profiles).filter((item) => item !== SANDBOX);
  const meant = nearest(name, [SANDBOX, ...others]);
  const profiles =
    others.length > 0
      ? `Profiles: ${[SANDBOX, ...others].join(', ')}.`
      : 'There is only the built-in profile "sandbox".';
  return new ConfigError(
    'profile_unknown',
    `Profile "${name}" not found.`,
    didYouMean(meant, `${profiles} To create one, run \`esign profile create NAME --base-url https://…\`.`),
  );
}

function profileNamed(
  name: string,
  variables: Variables,
  config: StoredConfig,
  by: 'flag' | 'environment',
): Service {
  if (!isKnownProfile(name, config)) throw unknownProfile(name, config);
  const stored = Object.hasOwn(config.profiles, name) ? (config.profiles[name] ?? {}) : {};
  if (name === SANDBOX) return sandbox(variables, stored);
  return remote(name, stored, variables, by);
}

/** Makes the profile of a remote service. One that a flag names keeps its addresses, whatever the environment says. */
function remote(
  name: string,
  stored: StoredProfile,
  variables: Variables,
  by: 'flag' | 'environment',
): Service {
  const pick = (key: string, value: string | undefined) =>
    by === 'flag' ? (value ?? variable(variables, key)) : (variable(variables, key) ?? value);
  const baseUrl = pick('ESIGN_BASE_URL', stored.base_url);
  if (!baseUrl)
    throw new ConfigError(
      'service_missing',
      `The profile "${name}" has no base_url.`,
      `Set it with \`esign config set base_url https://… --profile ${name}\`, or set ESIGN_BASE_URL.`,
    );
  return {
    name,
    remote: {
      baseUrl: serviceAddress('ESIGN_BASE_URL', baseUrl),
      dashboardUrl: optionalAddress('ESIGN_DASHBOARD_URL', pick('ESIGN_DASHBOARD_URL', stored.dashboard_url)),
      appUrl: optionalAddress('ESIGN_APP_URL', pick('ESIGN_APP_URL', stored.app_url)),
    },
    sender: variable(variables, 'ESIGN_SENDER') ?? stored.sender,
    login: {
      clientId: pick('ESIGN_CLIENT_ID', stored.client_id),
      callbackUrl: pick('ESIGN_CALLBACK_URL', stored.callback_url),
      scopes: pick('ESIGN_SCOPES', stored.scopes),
      redirectUri: stored.redirect_uri ?? false,
      echoesState: stored.echoes_state ?? isLoopbackAddress(baseUrl),
      pkce: stored.pkce,
    },
    idempotency: idempotency(variables, stored.idempotency ?? false),
    takesFieldValues: stored.field_values ?? isLoopbackAddress(baseUrl),
    takesPreparations: stored.preparations ?? isLoopbackAddress(baseUrl),
    makesRecipientIds: makesRecipientIds(stored.recipient_ids ?? 'none'),
    routes: routes(variables, stored.routes ?? {}),
    sealing: {},
    mail: {},
  };
}

/** Makes the profile of the sandbox. ESIGN_ROUTES does not apply to it. */
const sandbox = (variables: Variables, stored: StoredProfile): Service => ({
  name: SANDBOX,
  remote: undefined,
  sender: variable(variables, 'ESIGN_SENDER') ?? stored.sender,
  login: {
    clientId: undefined,
    callbackUrl: undefined,
    scopes: undefined,
    redirectUri: true,
    echoesState: true,
    pkce: true,
  },
  idempotency: idempotency(variables, stored.idempotency ?? true),
  takesFieldValues: stored.field_values ?? true,
  takesPreparations: stored.preparations ?? true,
  makesRecipientIds: makesRecipientIds(stored.recipient_ids ?? 'generate'),
  routes: checkedRoutes(stored.routes ?? {}),
  sealing: stored.sealing ?? {},
  mail: stored.mail ?? {},
});

const optionalAddress = (name: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : serviceAddress(name, value);

/** Whether a service is on this machine. It is then taken for the embedded one, which always echoes `state`, unless its profile says otherwise. */
const isLoopbackAddress = (baseUrl: string): boolean => LOOPBACK_NAMES.has(parseUrl(baseUrl)?.hostname ?? '');

/** Checks a base address. @param name what it was given as, for the error */
export function serviceAddress(name: string, value: string): string {
  const address = parseServiceAddress(value);
  if (address === undefined)
    throw new ConfigError(
      'address_invalid',
      `"${value}" (${name}) is not a valid URL of a service.`,
      SERVICE_ADDRESS_HINT,
    );
  return address;
}

function idempotency(variables: Variables, otherwise: boolean): boolean {
  const value = variable(variables, 'ESIGN_IDEMPOTENCY');
  if (value === undefined) return otherwise;
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new ConfigError(
    'variable_invalid',
    `"${value}" is not a valid value for ESIGN_IDEMPOTENCY.`,
    'Use 1 or 0.',
  );
}

/** Parses the setting `recipient_ids`. @param text from a profile or from a command */
export function makesRecipientIds(text: string): boolean {
  if (text === 'generate') return true;
  if (text === 'none') return false;
  throw new ConfigError(
    'config_invalid',
    `"${text}" is not a valid value for recipient_ids.`,
    'Use generate if the service accepts recipient IDs made by esign, otherwise none.',
  );
}

const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/;

const routes = (variables: Variables, stored: Record<string, string>): Record<string, string> =>
  checkedRoutes({ ...stored, ...routesOfEnvironment(variable(variables, 'ESIGN_ROUTES')) });

function checkedRoutes(all: Record<string, string>): Record<string, string> {
  for (const [operation, route] of Object.entries(all))
    if (!ROUTE.test(route))
      throw new ConfigError(
        'variable_invalid',
        `"${route}" is not a valid route for ${operation}.`,
        'Use a method and a path, for example "PUT /v1/transaction/{transactionId}/cancel".',
      );
  return all;
}

function routesOfEnvironment(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && Object.values(value).every((route) => typeof route === 'string'))
      return value as Record<string, string>;
  } catch {
    // Said below.
  }
  throw new ConfigError(
    'variable_invalid',
    'ESIGN_ROUTES is not a JSON object of routes.',
    'Use, for example, {"transaction.cancel": "POST /v1/transaction/{transactionId}/cancellation"}.',
  );
}
