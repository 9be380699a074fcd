// Gets the access token for a remote service: from the environment, or from the login of the profile. One process at a time
// refreshes it when the service refuses it. A login is ended only when the service has ended it.
import { type Client, createClient } from '../../api/client.ts';
import type { ApiError } from '../../api/codec.ts';
import type { ReceivedOf } from '../../api/contract/operations.ts';
import type { TokenSource, Transport } from '../../api/transport.ts';
import { epochMsOf, instantOf } from '../../common/instant.ts';
import { type Environment, type Paths, variable } from '../../config/environment.ts';
import { credentialsAreFor, type Profile } from '../../config/profile.ts';
import { secretVariable } from '../../config/secret-variable.ts';
import { createLoginStore, type Login, type LoginDetails, type LoginStore } from '../../credentials/store.ts';
import { CliError, cliError } from '../command/errors.ts';
import { type Person, parsePerson } from '../input/person.ts';
import { fileMask, isoNow, platform, wallClockMs } from '../process/edges.ts';
import type { RemoteParts } from './remote-transport.ts';

/** What `esign token` prints. */
type FreshToken = {
  access_token: string;
  /** ISO 8601, where the service has told it. */
  expires_at: string | undefined;
};

export type KnownAccess = TokenSource & {
  /** The scopes of the login; the service cannot have granted more. */
  scopes?: readonly string[] | undefined;
  /** Emails that the service has refused as the sender of this login. */
  refusedSenders?: readonly string[] | undefined;
  /** Stores one more, until the next login. Undefined for tokens of the environment, which are never stored. */
  rememberRefusedSender?: (email: string) => Promise<void>;
  /** The user of this login; null where the service did not tell, undefined where it was never requested. */
  user?: LoginDetails['user'];
  /** Stores the user, where there is a stored login. */
  rememberUser?: (user: Person) => Promise<void>;
  /** The refresh token, without a request. */
  refreshToken(): Promise<string | undefined>;
  /** The access token, refreshed if it is known to have expired. */
  freshToken(): Promise<FreshToken>;
};

type Refreshing = { client_id: string; client_secret?: string; refresh_token: string };

/** @param transport without a token */
export async function openAccess(
  profile: Profile,
  baseUrl: string,
  transport: Transport,
  parts: RemoteParts,
): Promise<KnownAccess> {
  const refresh = async (body: Refreshing) =>
    createClient({ baseUrl, transport, routes: profile.routes })['oauth.refresh_token']({ body });
  return (
    (await environmentAccess(parts, baseUrl, refresh)) ??
    (await openStoredAccess({ profile: profile.name, baseUrl, parts, refresh }))
  );
}

type Refresh = (body: Refreshing) => Promise<ReceivedOf<'oauth.refresh_token'>>;

// ── from the environment: nothing is stored ─────────────────────────────────────────────────────────────────────

async function environmentAccess(
  { environment: { variables } }: RemoteParts,
  baseUrl: string,
  refresh: Refresh,
): Promise<KnownAccess | undefined> {
  if (!credentialsAreFor(variables, baseUrl)) return undefined;
  const [token, refresh_token] = await Promise.all([
    secretVariable(variables, 'ESIGN_ACCESS_TOKEN'),
    secretVariable(variables, 'ESIGN_REFRESH_TOKEN'),
  ]);
  const refreshToken = async () => refresh_token;
  const fresh = (access_token: string): FreshToken => ({ access_token, expires_at: undefined });
  if (refresh_token === undefined)
    return token === undefined
      ? undefined
      : { token: () => token, refreshToken, freshToken: async () => fresh(token) };
  const [client_id, client_secret] = await Promise.all([
    secretVariable(variables, 'ESIGN_CLIENT_ID'),
    secretVariable(variables, 'ESIGN_CLIENT_SECRET'),
  ]);
  if (client_id === undefined || client_secret === undefined)
    throw cliError('credentials_incomplete', {
      sentence: `ESIGN_REFRESH_TOKEN is set, but ${client_id === undefined ? 'ESIGN_CLIENT_ID' : 'ESIGN_CLIENT_SECRET'} is not.`,
      hint: 'Set ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET and ESIGN_REFRESH_TOKEN together.',
    });
  let current = token === undefined ? undefined : Promise.resolve(token);
  const fetchToken = async () => {
    const answer = await refresh({ client_id, client_secret, refresh_token }).catch((error: unknown) => {
      throw isLoginEnded(error)
        ? loginEnded(error, 'Set ESIGN_REFRESH_TOKEN to a valid refresh token.')
        : error;
    });
    return answer.access_token;
  };
  return {
    token() {
      current ??= fetchToken();
      return current;
    },
    refreshToken,
    async freshToken() {
      current ??= fetchToken();
      return fresh(await current);
    },
    async renewLogin(refused) {
      if ((await current) === refused) current = fetchToken();
      return current;
    },
  };
}

// ── from the login of the profile ───────────────────────────────────────────────────────────────────────────────

type Stored = { profile: string; baseUrl: string; parts: RemoteParts; refresh: Refresh };

async function openStoredAccess(stored: Stored): Promise<KnownAccess> {
  const { profile, baseUrl, parts } = stored;
  const store = await openLoginStore(parts);
  const login = await store.find(profile);
  if (!login) throw notLoggedIn(profile, noLoginAt(baseUrl));
  if (login.service !== baseUrl)
    throw notLoggedIn(profile, `The login of "${profile}" is for ${login.service}, not for ${baseUrl}.`);
  let current = login.access_token;
  let renewing: Promise<string | undefined> | undefined;
  const changeFacts = (change: (now: LoginDetails) => Partial<LoginDetails>): Promise<void> =>
    store.withLock(profile, parts.interruption.abort, async () => {
      const now = await store.find(profile);
      // Other tokens may belong to another user.
      if (!now || now.linked_at !== login.linked_at || now.service !== baseUrl) return;
      await store.save(profile, { ...now, ...change(now) }, (await store.inspect(profile))?.place);
    });
  return {
    scopes: login.scopes,
    token: () => current,
    refusedSenders: login.refused_senders,
    rememberRefusedSender: (email) =>
      changeFacts(({ refused_senders = [] }) => ({
        refused_senders: [...new Set([...refused_senders, email])].slice(-SENDERS_KEPT),
      })),
    user: login.user,
    rememberUser: (user) => changeFacts(() => ({ user })),
    async refreshToken() {
      if (login.client_secret === undefined && login.refresh_token !== undefined)
        throw cliError('refresh_token_replaced', {
          sentence: `The refresh token of the profile "${profile}" works once, because its OAuth application is public.`,
          hint: 'Another program that used it would end this login. For a job of a CI system, log in with an application that has a client secret.',
        });
      return login.refresh_token;
    },
    async freshToken() {
      if (isRefreshable(login) && isExpired(login)) await renewStoredLogin(store, current, stored);
      const { access_token, ...facts } = (await store.find(profile)) ?? login;
      const expiryMs = expiryOf(facts);
      return { access_token, expires_at: expiryMs === undefined ? undefined : instantOf(expiryMs) };
    },
    renewLogin(refused) {
      if (refused !== current) return Promise.resolve(current);
      renewing ??= renewStoredLogin(store, refused, stored)
        .then((fresh) => {
          current = fresh ?? current;
          return fresh;
        })
        .finally(() => {
          renewing = undefined;
        });
      return renewing;
    },
  };
}

const SENDERS_KEPT = 20;

/** Milliseconds since 1970; assumed: A21, seconds. */
const expiryOf = ({ obtained_at, expires_in }: LoginDetails): number | undefined =>
  expires_in === undefined ? undefined : epochMsOf(obtained_at) + expires_in * 1000;

/** A printed token is used later, so one that is about to expire is refreshed first. */
const SOON_MS = 60_000;

/** Whether the token has expired. Unknown for one from the future: the clock was set back after it was obtained. */
function isExpired(login: LoginDetails): boolean {
  const expiryMs = expiryOf(login);
  return (
    expiryMs !== undefined &&
    (expiryMs <= wallClockMs() + SOON_MS || epochMsOf(login.obtained_at) > wallClockMs() + SOON_MS)
  );
}

const isRefreshable = ({ client_id, refresh_token }: Login): boolean =>
  client_id !== undefined && refresh_token !== undefined;

/** Refreshes the login. It reads the login again under the lock, because another process may have refreshed it meanwhile. */
async function renewStoredLogin(
  store: LoginStore,
  refused: string,
  stored: Stored,
): Promise<string | undefined> {
  const { profile, baseUrl, parts, refresh } = stored;
  return store.withLock(profile, parts.interruption.abort, async () => {
    const login = await store.find(profile);
    if (!login || login.service !== baseUrl) throw notLoggedIn(profile, noLoginAt(baseUrl));
    if (login.access_token !== refused) return login.access_token;
    const { client_id, client_secret, refresh_token } = login;
    if (client_id === undefined || refresh_token === undefined)
      throw notLoggedIn(
        profile,
        `The service no longer accepts the access token of the profile "${profile}".`,
      );
    try {
      // A refresh token that works once is lost between the answer and the file.
      return await parts.interruption.postpone(async () => {
        const answer = await refresh({
          client_id,
          // A public application has none.
          ...(client_secret !== undefined && { client_secret }),
          refresh_token,
        });
        await storeRefreshedLogin(store, profile, login, answer, parts);
        return answer.access_token;
      });
    } catch (error) {
      if (!isLoginEnded(error)) throw error;
      // Other processes cannot have changed it, because they would need the lock.
      await store.remove(profile);
      throw loginEnded(error, `Log in again: \`esign login --profile ${profile}\`.`);
    }
  });
}

/** Stores the refreshed login. assumed: A22. A response without a refresh token leaves the old one. */
async function storeRefreshedLogin(
  store: LoginStore,
  profile: string,
  login: Login,
  { access_token, refresh_token, expires_in }: Awaited<ReturnType<Refresh>>,
  { progress }: RemoteParts,
): Promise<void> {
  const fresh = {
    ...login,
    access_token,
    refresh_token: refresh_token ?? login.refresh_token,
    expires_in: expires_in ?? undefined,
    obtained_at: isoNow(),
  };
  try {
    await store.save(profile, fresh, (await store.inspect(profile))?.place);
  } catch (error) {
    // This command has its token. The next one refreshes it again, unless the refresh token was replaced.
    progress.warn(`The new access token could not be stored: ${(error as Error).message}`);
    if (fresh.refresh_token !== login.refresh_token)
      progress.warn(
        `The login ends with this command, because its refresh token was replaced. Log in again: \`esign login --profile ${profile}\`.`,
      );
  }
}

/** Whether an error ends the login (RFC 6749 §5.2). Any other error may be temporary. */
const isLoginEnded = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError' && (error as ApiError).code === 'invalid_grant';

const loginEnded = (cause: ApiError, hint: string): CliError =>
  cliError('login_ended', { sentence: `The service has ended the login: ${cause.message}`, hint });

const noLoginAt = (baseUrl: string): string => `You are not logged in to ${baseUrl}.`;

/** @param sentence why there is no login that the command could use */
export const notLoggedIn = (profile: string, sentence: string): CliError =>
  cliError('not_logged_in', {
    sentence,
    hint: 'Log in with `esign login`. In CI, set ESIGN_ACCESS_TOKEN, or ESIGN_CLIENT_ID, ESIGN_CLIENT_SECRET and ESIGN_REFRESH_TOKEN.',
    next: [{ command: `esign login --profile ${profile}`, when: 'to log in' }],
  });

export const needsNoLogin = () =>
  cliError('sandbox_needs_no_login', {
    sentence: 'The sandbox needs no login.',
    hint: 'Specify the service with --profile NAME, or log in to a new one with `esign login --base-url https://…`.',
  });

const FROM_ENVIRONMENT = ['ESIGN_ACCESS_TOKEN', 'ESIGN_REFRESH_TOKEN'];

/** The name of the variable, undefined when the environment holds no credentials for the service at `baseUrl`. */
export const environmentSource = ({ variables }: Environment, baseUrl: string): string | undefined =>
  credentialsAreFor(variables, baseUrl)
    ? FROM_ENVIRONMENT.flatMap((name) => [name, `${name}_FILE`]).find((name) => variable(variables, name))
    : undefined;

type LoginParts = { environment: Environment; paths: Paths };

export async function openLoginStore({ environment: { variables }, paths }: LoginParts): Promise<LoginStore> {
  fileMask();
  const wish = variable(variables, 'ESIGN_CREDENTIAL_STORE');
  if (wish !== undefined && wish !== 'keyring' && wish !== 'file')
    throw cliError('variable_invalid', {
      sentence: `"${wish}" is not a valid value for ESIGN_CREDENTIAL_STORE.`,
      hint: 'Use keyring or file.',
    });
  return createLoginStore({
    dir: paths.credentialsDir,
    preferredPlace: wish,
    keyring: { platform, variables },
  });
}

/** Requests the user. @param client with the token. The caller has to check for a signal afterwards */
export async function userOfToken(client: Client): Promise<Person | undefined> {
  try {
    const { name, email } = await client['user.me']({}, { isBrief: true });
    return personIn(`${name ?? ''} <${email}>`) ?? personIn(email);
  } catch (error) {
    // The login has ended, which this machine knows: the next request would say less.
    if (error instanceof CliError) throw error;
    return undefined;
  }
}

/** Reads the user. Undefined for a name that no sender may have, with control characters or brackets. */
function personIn(text: string): Person | undefined {
  try {
    return parsePerson(text, 'user.me');
  } catch {
    return undefined;
  }
}

/** Writes a person as a user would type one. */
export const personText = ({ name, email }: Person): string =>
  name === email ? email : `${name} <${email}>`;
