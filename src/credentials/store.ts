// Stores logins: each profile has a file, with the secrets in it or in the keyring of the desktop. The store chooses one of
// the two when it saves a login, and the file says which. Only the facts of a login, without its secrets, may reach a log,
// an error or the output of a command.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../common/json.ts';
import { runLocked } from '../database/file-locks.ts';
import {
  type CredentialsErrorCode,
  type Keyring,
  KeyringError,
  type KeyringOptions,
  openKeyring,
  whyNoKeyring,
} from './keyring.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts';

export type LoginStore = {
  /** Reads the details of a login without its secrets. It does not use the keyring. */
  inspect(profile: string): Promise<LoginInfo | undefined>;
  /** Reads a login. @throws KeyringError when the keyring that has the secrets cannot be read */
  find(profile: string): Promise<Login | undefined>;
  /**
   * Saves a login. It is durable when the promise resolves. @param place where it must be stored; absent: the preferred place
   * @returns where the secrets are, and why not in the keyring
   * @throws KeyringError when it has to be the keyring, and cannot
   */
  save(profile: string, login: Login, place?: LoginPlace): Promise<StoredLogin>;
  /**
   * Checks whether a login could be stored, before the user is asked to consent.
   * @throws KeyringError, or the system's error
   */
  check(): Promise<void>;
  /** Removes a login. @returns whether there was one */
  remove(profile: string): Promise<boolean>;
  /**
   * Runs `work` while no other process holds the lock of this profile; it may wait for the service.
   * @throws LockTimeoutError when another process does not release the lock
   */
  withLock<T>(profile: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  fileOf(profile: string): string;
};

/** It waits longer than a refresh takes with all its repetitions. */
const LOCKED_WITHIN_MS = 120_000;

export type LoginInfo = { place: LoginPlace; details: LoginDetails };

export type StoredLogin = { place: LoginPlace; file: string; whyNotKeyring: string | undefined };

/** @property preferredPlace ESIGN_CREDENTIAL_STORE; absent: the keyring where there is one, else the file */
type LoginStoreOptions = {
  dir: string;
  preferredPlace: LoginPlace | undefined;
  keyring: KeyringOptions;
};

/** Thrown for a file that is not a login: damaged, or of a later version. */
export class LoginUnreadableError extends Error {
  override name = 'LoginUnreadableError';
  readonly code = 'login_unreadable' satisfies CredentialsErrorCode;
}

const ACCOUNT_BYTES = 6;

export function createLoginStore({ dir, preferredPlace, keyring: options }: LoginStoreOptions): LoginStore {
  const keyring = openKeyring(options);
  const fileOf = (profile: string) => join(dir, `${encodeURIComponent(profile)}.json`);

  async function readLogin(profile: string): Promise<LoginFile | undefined> {
    const text = await readPrivateFile(fileOf(profile));
    if (text === undefined) return undefined;
    const file = parseLoginFile(text);
    if (!file) throw new LoginUnreadableError(`The login in ${fileOf(profile)} cannot be read.`);
    return file;
  }

  /** Reads the name of the entry in the keyring. A damaged file has none; it is about to be replaced or removed. */
  const accountOf = async (profile: string): Promise<string | undefined> =>
    (await readLogin(profile).catch(() => undefined))?.account;

  return {
    fileOf,
    withLock: (profile, signal, work) =>
      runLocked({ file: `${fileOf(profile)}.lock`, withinMs: LOCKED_WITHIN_MS, signal }, work),
    async inspect(profile) {
      const file = await readLogin(profile);
      return file && { place: file.place, details: file.details };
    },
    async find(profile) {
      const file = await readLogin(profile);
      if (!file) return undefined;
      const secrets = file.secrets ?? (await secretsIn(keyring, file.account));
      return secrets && { ...file.details, ...secrets };
    },
    async save(profile, login, place = preferredPlace) {
      const { details, secrets } = splitLogin(login);
      const before = await accountOf(profile);
      const account = before ?? `${profile}-${randomBytes(ACCOUNT_BYTES).toString('hex')}`;
      const whyNotKeyring =
        place === 'file'
          ? undefined
          : await writeToKeyring(keyring, options, account, secretsText(secrets), place);
      const inKeyring = place !== 'file' && whyNotKeyring === undefined;
      const file: LoginFile = inKeyring
        ? { place: 'keyring', details, account, secrets: undefined }
        : { place: 'file', details, account: undefined, secrets };
      await writePrivateFile(fileOf(profile), loginFileText(file));
      if (!inKeyring && before !== undefined) await keyring.remove(before).catch(() => undefined);
      return { place: file.place, file: fileOf(profile), whyNotKeyring };
    },
    async check() {
      const scratch = join(dir, `.check-${randomBytes(ACCOUNT_BYTES).toString('hex')}`);
      await writePrivateFile(scratch, '');
      await removePrivateFile(scratch);
      if (preferredPlace !== 'keyring') return;
      const why = whyNoKeyring(options);
      if (why !== undefined) throw new KeyringError(why);
      await keyring.write('check', 'check');
      await keyring.remove('check');
    },
    async remove(profile) {
      const text = await readPrivateFile(fileOf(profile));
      if (text === undefined) return false;
      const account = parseLoginFile(text)?.account;
      if (account !== undefined) await keyring.remove(account);
      await removePrivateFile(fileOf(profile));
      return true;
    },
  };
}

async function secretsIn(keyring: Keyring, account: string | undefined) {
  const text = account === undefined ? null : await keyring.read(account);
  return text === null ? undefined : parseSecrets(text);
}

/** Writes a secret. @returns why it is not in the keyring; undefined when it is. @throws the error when the keyring is required */
async function writeToKeyring(
  keyring: Keyring,
  options: KeyringOptions,
  account: string,
  secret: string,
  place: LoginPlace | undefined,
): Promise<string | undefined> {
  try {
    const why = whyNoKeyring(options);
    if (why !== undefined) throw new KeyringError(why);
    await keyring.write(account, secret);
    return undefined;
  } catch (error) {
    if (place === 'keyring' || !(error instanceof KeyringError)) throw error;
    return error.message;
  }
}

/** Only the owner of a login may read this part of it. */
type Secrets = {
  access_token: string;
  /** Without it, the user has to log in again when the access token has expired. */
  refresh_token?: string | undefined;
  client_secret?: string | undefined;
};

/** This part of a login may be shown. */
export type LoginDetails = {
  /** Tokens are never sent to any other base address. */
  service: string;
  client_id?: string | undefined;
  /** These scopes were requested; the service may have granted fewer. */
  scopes?: readonly string[] | undefined;
  /** The user gave consent at this time (ISO 8601). */
  linked_at: string;
  /** The access token was issued at this time (ISO 8601). */
  obtained_at: string;
  /** The specification does not show the unit of the lifetime (assumed: A21, seconds). */
  expires_in?: number | undefined;
  /** The service has refused these emails as the sender, because they do not belong to the user of the tokens. */
  refused_senders?: readonly string[] | undefined;
  /** The tokens belong to this user; null where the service did not tell at the login. */
  user?: { name: string; email: string } | null | undefined;
};

export type Login = LoginDetails & Secrets;

type LoginPlace = 'keyring' | 'file';

/** The file of a profile has this content. @property secrets undefined where a keyring has them */
type LoginFile = {
  place: LoginPlace;
  details: LoginDetails;
  secrets: Secrets | undefined;
  /** The entry in the keyring has this name. */
  account: string | undefined;
};

const VERSION = 1;

const loginFileText = ({ place, details, secrets, account }: LoginFile): string =>
  `${JSON.stringify({ version: VERSION, place, ...details, account, secrets }, null, 2)}\n`;

/** Returns undefined for anything that is not the file of a login. */
function parseLoginFile(text: string): LoginFile | undefined {
  const value = recordIn(text);
  if (!value || value.version !== VERSION) return undefined;
  const { place, account, secrets, service, client_id, scopes, linked_at, obtained_at, expires_in } = value;
  const { refused_senders, user } = value;
  if (place !== 'keyring' && place !== 'file') return undefined;
  if (typeof service !== 'string' || typeof linked_at !== 'string' || typeof obtained_at !== 'string')
    return undefined;
  const parsedSecrets = secretsOf(secrets);
  if (place === 'file' && !parsedSecrets) return undefined;
  if (place === 'keyring' && typeof account !== 'string') return undefined;
  return {
    place,
    details: {
      service,
      client_id: textOr(client_id),
      scopes: textsOr(scopes),
      linked_at,
      obtained_at,
      expires_in: typeof expires_in === 'number' ? expires_in : undefined,
      refused_senders: textsOr(refused_senders),
      user: userIn(user),
    },
    secrets: parsedSecrets,
    account: textOr(account),
  };
}

const secretsText = (secrets: Secrets): string => JSON.stringify(secrets);

const parseSecrets = (text: string): Secrets | undefined => secretsOf(recordIn(text));

function secretsOf(value: unknown): Secrets | undefined {
  if (!isRecord(value) || typeof value.access_token !== 'string') return undefined;
  return {
    access_token: value.access_token,
    refresh_token: textOr(value.refresh_token),
    client_secret: textOr(value.client_secret),
  };
}

function splitLogin(login: Login): { details: LoginDetails; secrets: Secrets } {
  const { access_token, refresh_token, client_secret, ...details } = login;
  return { details, secrets: { access_token, refresh_token, client_secret } };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOr = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

function userIn(value: unknown): LoginDetails['user'] {
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
