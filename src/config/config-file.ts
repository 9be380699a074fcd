// Reads the file of profiles. It reads the file synchronously and at once, because every command waits for it.
import { NotAFileError, readTrustedFile } from '../files/read-file.ts';
import { UntrustedError } from '../files/trust.ts';
import { ConfigError } from './config-error.ts';

/** A profile as it is stored. Its addresses and texts have not been checked. */
export type StoredProfile = {
  base_url?: string;
  dashboard_url?: string;
  app_url?: string;
  sender?: string;
  /** The client application it logs in as, and where the browser comes back to. */
  client_id?: string;
  callback_url?: string;
  /** The scopes that a login requests, with spaces between them. */
  scopes?: string;
  idempotency?: boolean;
  /** The service takes values of fields that the sender fills in (an extension). */
  field_values?: boolean;
  /** The service records what was done to a file before its upload (an extension). */
  preparations?: boolean;
  /** `generate`: recipients are sent with ids made here (assumed: A20). */
  recipient_ids?: string;
  /** The service knows `redirect_uri` on the authorization link (assumed: A23). */
  redirect_uri?: boolean;
  /** The service sends back the `state` of the authorization link (assumed: A23); found out at a login. */
  echoes_state?: boolean;
  /** The service knows PKCE and public applications (an extension). */
  pkce?: boolean;
  routes?: Record<string, string>;
  /** What the sandbox seals with instead of its own authority, by the keys of {@link SEALING_KEYS}. */
  sealing?: Record<string, string>;
  /** How the sandbox sends mail, by the keys of {@link MAIL_KEYS}. */
  mail?: Record<string, string>;
};

/** The keys of `sealing`. Paths are absolute, or relative to the folder that a command is run in. */
export const SEALING_KEYS = [
  'key',
  'certificate',
  'p12',
  'password_file',
  'tsa',
  'tsa_policy',
  'tsa_digest',
  'tsa_certificates',
  'level',
  'revocation_lists',
] as const;

/** The keys of `mail`. Paths are absolute, or relative to the folder that a command is run in. */
export const MAIL_KEYS = [
  'smtp',
  'tls',
  'user',
  'password_file',
  'from',
  'language',
  'dkim_domain',
  'dkim_selector',
  'dkim_key',
  'certificates',
] as const;

export type StoredConfig = {
  profile?: string;
  /** Name → the line it stands for. */
  aliases?: Record<string, string>;
  profiles: Record<string, StoredProfile>;
};

const TEXTS = [
  'base_url',
  'dashboard_url',
  'app_url',
  'sender',
  'client_id',
  'callback_url',
  'scopes',
  'recipient_ids',
] as const;
const TRUTHS = [
  'idempotency',
  'field_values',
  'preparations',
  'redirect_uri',
  'echoes_state',
  'pkce',
] as const;

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
  for (const key of TRUTHS) {
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
  given: Record<string, string>,
  group: 'sealing' | 'mail',
  name: string,
  file: string,
): Record<string, string> {
  const unknown = Object.keys(given).find((key) => !KNOWN[group].includes(key));
  if (unknown === undefined) return given;
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
