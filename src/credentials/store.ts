// Stores logins: one file for each profile, with the secrets in it or in the keyring of the desktop. The store
// chooses one of the two when it saves a login, and the file says which.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { runLocked } from '../database/lock.ts';
import type { CredentialsErrorCode } from './credentials-error.ts';
import { type Keyring, KeyringError, type KeyringOptions, openKeyring, whyNoKeyring } from './keyring.ts';
import {
  type Login,
  type LoginFacts,
  type LoginFile,
  type LoginPlace,
  loginFileText,
  parseLoginFile,
  parseSecrets,
  secretsText,
  splitLogin,
} from './login.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts';

export type LoginStore = {
  /** Reads the facts of a login without its secrets. It does not use the keyring. */
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

/** Longer than a refresh takes with all its repetitions. */
const LOCKED_WITHIN_MS = 120_000;

export type LoginInfo = { place: LoginPlace; facts: LoginFacts };

export type StoredLogin = { place: LoginPlace; file: string; whyNotKeyring: string | undefined };

/** @property preferredPlace ESIGN_CREDENTIAL_STORE; absent: the keyring where there is one, else the file */
export type LoginStoreOptions = {
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
    const read = parseLoginFile(text);
    if (!read) throw new LoginUnreadableError(`The login in ${fileOf(profile)} cannot be read.`);
    return read;
  }

  /** Reads the name of the entry in the keyring. A damaged file has none; it is about to be replaced or removed. */
  const accountOf = async (profile: string): Promise<string | undefined> =>
    (await readLogin(profile).catch(() => undefined))?.account;

  return {
    fileOf,
    withLock: (profile, signal, work) =>
      runLocked({ file: `${fileOf(profile)}.lock`, withinMs: LOCKED_WITHIN_MS, signal }, work),
    async inspect(profile) {
      const found = await readLogin(profile);
      return found && { place: found.place, facts: found.facts };
    },
    async find(profile) {
      const found = await readLogin(profile);
      if (!found) return undefined;
      const secrets = found.secrets ?? (await secretsIn(keyring, found.account));
      return secrets && { ...found.facts, ...secrets };
    },
    async save(profile, login, place = preferredPlace) {
      const { facts, secrets } = splitLogin(login);
      const before = await accountOf(profile);
      const account = before ?? `${profile}-${randomBytes(ACCOUNT_BYTES).toString('hex')}`;
      const whyNotKeyring =
        place === 'file'
          ? undefined
          : await writeToKeyring(keyring, options, account, secretsText(secrets), place);
      const inKeyring = place !== 'file' && whyNotKeyring === undefined;
      const keeping: LoginFile = inKeyring
        ? { place: 'keyring', facts, account, secrets: undefined }
        : { place: 'file', facts, account: undefined, secrets };
      await writePrivateFile(fileOf(profile), loginFileText(keeping));
      if (!inKeyring && before !== undefined) await keyring.remove(before).catch(() => undefined);
      return { place: keeping.place, file: fileOf(profile), whyNotKeyring };
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
