// A login: the tokens of a profile for a service, and facts about them. This file defines its format; the
// store decides where it is written. Only the facts may reach a log, an error or the output of a command.
import { isRecord } from '../common/is-record.ts';

/** The part of a login that only its owner may read. */
export type Secrets = {
  access_token: string;
  /** Absent: when the access token has expired, the user has to log in again. */
  refresh_token?: string | undefined;
  client_secret?: string | undefined;
};

/** The part of a login that may be shown. */
export type LoginFacts = {
  /** The base address the tokens are for. They are never sent anywhere else. */
  service: string;
  client_id?: string | undefined;
  /** The requested scopes; the service may have granted fewer. */
  scopes?: readonly string[] | undefined;
  /** When the user gave consent, ISO 8601. */
  linked_at: string;
  /** When the access token was issued, ISO 8601. */
  obtained_at: string;
  /** The lifetime from the service, whose unit the specification does not show (assumed: A21, seconds). */
  expires_in?: number | undefined;
  /** Emails that the service has refused as the sender, because they do not belong to the user of the tokens. */
  refused_senders?: readonly string[] | undefined;
  /** The user of the tokens; null where the service did not tell at the login. */
  user?: { name: string; email: string } | null | undefined;
};

export type Login = LoginFacts & Secrets;

export type LoginPlace = 'keyring' | 'file';

/** The file of a profile: the facts, and the secrets unless a keyring has them. */
export type LoginFile = {
  place: LoginPlace;
  facts: LoginFacts;
  secrets: Secrets | undefined;
  /** The name of the entry in the keyring. */
  account: string | undefined;
};

const VERSION = 1;

export const loginFileText = ({ place, facts, secrets, account }: LoginFile): string =>
  `${JSON.stringify({ version: VERSION, place, ...facts, account, secrets }, null, 2)}\n`;

/** Parses the file. Undefined for anything else. */
export function parseLoginFile(text: string): LoginFile | undefined {
  const value = recordIn(text);
  if (!value || value.version !== VERSION) return undefined;
  const { place, account, secrets, service, client_id, scopes, linked_at, obtained_at, expires_in } = value;
  const { refused_senders, user } = value;
  if (place !== 'keyring' && place !== 'file') return undefined;
  if (typeof service !== 'string' || typeof linked_at !== 'string' || typeof obtained_at !== 'string')
    return undefined;
  const read = secretsOf(secrets);
  if (place === 'file' && !read) return undefined;
  if (place === 'keyring' && typeof account !== 'string') return undefined;
  return {
    place,
    facts: {
      service,
      client_id: textOr(client_id),
      scopes: textsOr(scopes),
      linked_at,
      obtained_at,
      expires_in: typeof expires_in === 'number' ? expires_in : undefined,
      refused_senders: textsOr(refused_senders),
      user: userIn(user),
    },
    secrets: read,
    account: textOr(account),
  };
}

export const secretsText = (secrets: Secrets): string => JSON.stringify(secrets);

export const parseSecrets = (text: string): Secrets | undefined => secretsOf(recordIn(text));

function secretsOf(value: unknown): Secrets | undefined {
  if (!isRecord(value) || typeof value.access_token !== 'string') return undefined;
  return {
    access_token: value.access_token,
    refresh_token: textOr(value.refresh_token),
    client_secret: textOr(value.client_secret),
  };
}

export function splitLogin(login: Login): { facts: LoginFacts; secrets: Secrets } {
  const { access_token, refresh_token, client_secret, ...facts } = login;
  return { facts, secrets: { access_token, refresh_token, client_secret } };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOr = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;

function userIn(value: unknown): LoginFacts['user'] {
  if (value === null) return null;
  if (!isRecord(value) || typeof value.name !== 'string' || typeof value.email !== 'string') return undefined;
  return { name: value.name, email: value.email };
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
