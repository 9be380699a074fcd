// `esign login`: gets consent in a browser, exchanges the code and stores the login. It prints no secret.
import { sameEmail } from '../../../api/contract/values.ts';
import type { StoredProfile } from '../../../config/config-file.ts';
import { variable } from '../../../config/environment.ts';
import type { Profile } from '../../../config/profile.ts';
import { secretIn } from '../../../config/secret-variable.ts';
import type { Login, StoredLogin } from '../../../credentials/store.ts';
import type { Uses } from '../../command/context.ts';
import { type CliError, cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { environmentSource, personText, userOfToken } from '../../connection/access-token.ts';
import { findAddressesOnce } from '../../connection/find-addresses.ts';
import { type Person, parsePerson } from '../../input/person.ts';
import { isoNow } from '../../process/edges.ts';
import { type MissingState, newState, newVerifier, type Proof, type Returned } from './authorization.ts';
import { askForConsent } from './browser.ts';
import {
  applicationOf,
  type LoginOptions,
  type LoginTarget,
  senderFor,
  standardInput,
  targetOf,
  withSettings,
} from './target.ts';

export async function login(
  context: Uses<'config' | 'connections' | 'process' | 'prompts' | 'settings' | 'terminal'>,
  options: LoginOptions & { 'allow-missing-state': boolean },
  browser: boolean,
): Promise<Outcome> {
  const findAddresses = findAddressesOnce(context.process);
  const { target, application, sender } = await context.prompts.series(async () => {
    const target = await targetOf(context, options, findAddresses);
    const application = await applicationOf(context, options, target, findAddresses);
    return { target, application, sender: await senderFor(context, options, target, findAddresses) };
  });
  await (await context.connections.logins()).check();
  const code_verifier = application.pkce ? newVerifier() : undefined;
  const consent = await askForConsent(context, application, {
    state: newState(),
    verifier: code_verifier,
    sendsRedirectUri: target.profile.login.redirectUri,
    browser,
    missingState: missingStateOf(target, options['allow-missing-state']),
  });
  try {
    const outcome = await finishLogin(context, target, {
      returned: consent.returned,
      proof: consent.proof,
      client_id: application.clientId,
      client_secret: application.clientSecret,
      code_verifier,
      scopes: application.scopes,
      callback_url: application.callback.href,
      sender,
    });
    await consent.reportEnding({ ok: true });
    return outcome;
  } catch (error) {
    await consent.reportEnding({ ok: false, message: (error as Error).message });
    throw error;
  }
}

/** assumed: A23. A service that is known to send back the state must do so; of another the person decides. */
export const missingStateOf = ({ profile }: LoginTarget, isAllowed: boolean): MissingState =>
  isAllowed ? 'allow' : profile.login.echoesState ? 'refuse' : 'ask';

type ReturnedConsent = {
  returned: Returned;
  proof: Proof;
  client_id: string;
  client_secret?: string | undefined;
  code_verifier?: string | undefined;
  scopes: string[];
  callback_url: string;
  sender: string | undefined;
};

/** Exchanges the code, stores the login, then writes the profile: a login that cannot be stored changes no setting. */
export async function finishLogin(
  context: Uses<'config' | 'connections' | 'process'>,
  target: LoginTarget,
  finishing: ReturnedConsent,
): Promise<Outcome> {
  const { returned, proof, client_id, client_secret, code_verifier, scopes, callback_url, sender } =
    finishing;
  if ('error' in returned) throw consentRefused(returned);
  const client = await context.connections.connectWithoutLogin(target.profile);
  const answer = await client['oauth.exchange_code']({
    body: {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      code: returned.code,
      ...(code_verifier !== undefined && { code_verifier }),
    },
  });
  const now = isoNow();
  const { access_token, refresh_token, expires_in } = answer;
  const login: Login = {
    service: serviceOf(target),
    client_id,
    scopes,
    linked_at: now,
    obtained_at: now,
    expires_in: expires_in ?? undefined,
    access_token,
    refresh_token: refresh_token ?? undefined,
    client_secret,
  };
  return storeLogin(context, target, login, sender, {
    client_id,
    scopes: scopes.join(' '),
    callback_url,
    // From now on, a response of this service without a state belongs to another login.
    ...(proof === 'right' && { echoes_state: true }),
    // Each later login at this service sends a challenge.
    ...(code_verifier !== undefined && { pkce: true }),
  });
}

const serviceOf = ({ profile }: LoginTarget): string => profile.remote?.baseUrl ?? '';

/** `login --with-token`: a token from standard input, or the answer of an exchange as JSON. */
export async function loginWithToken(
  context: Uses<'config' | 'connections' | 'process' | 'prompts' | 'settings' | 'terminal'>,
  options: LoginOptions,
): Promise<Outcome> {
  const { prompts, terminal } = context;
  const findAddresses = findAddressesOnce(context.process);
  const { target, typed } = await prompts.series(async () => ({
    target: await targetOf(context, options, findAddresses),
    typed: terminal.streams.isInputTerminal
      ? await prompts.secret('Access token', 'the token on standard input', { accept: tokensIn })
      : undefined,
  }));
  const { access_token, refresh_token } = tokensIn(typed ?? (await standardInput(context)));
  const now = isoNow();
  const client_id = options['client-id'] ?? target.profile.login.clientId;
  const sender = await senderFor(context, options, target);
  const refreshing = refresh_token === undefined ? undefined : await applicationOf(context, options, target);
  const login: Login = {
    service: serviceOf(target),
    client_id: refreshing?.clientId ?? client_id,
    linked_at: now,
    obtained_at: now,
    access_token,
    refresh_token,
    client_secret: refreshing?.clientSecret,
  };
  return storeLogin(context, target, login, sender, {});
}

function tokensIn(text: string): { access_token: string; refresh_token?: string | undefined } {
  const value = text.trimStart().startsWith('{') ? jsonIn(text) : { access_token: text.trim() };
  const { access_token, refresh_token } = value as Record<string, unknown>;
  if (typeof access_token !== 'string' || access_token === '')
    throw cliError('value_missing', {
      sentence: 'The access token on standard input is missing.',
      hint: 'Pipe it into the command: `esign login --with-token < token.txt`.',
    });
  return {
    access_token: secretIn(access_token, 'The access token'),
    refresh_token:
      typeof refresh_token === 'string' ? secretIn(refresh_token, 'The refresh token') : undefined,
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Stores a login whose user may be the sender, and the user as the sender where none is stored, or another user. It holds the lock, so that no
 * refresh of the previous login comes in between.
 */
async function storeLogin(
  context: Uses<'config' | 'connections' | 'process'>,
  target: LoginTarget,
  login: Login,
  typedSender: string | undefined,
  settings: StoredProfile,
): Promise<Outcome> {
  const { profile, isStored, isNew } = target;
  const user = await ownerOf(context, profile, login.access_token, typedSender);
  // ESIGN_SENDER is the sender while it is set, and is not stored.
  const isOfEnvironment = variable(context.process.environment.variables, 'ESIGN_SENDER') !== undefined;
  const storedSender = target.settings.sender;
  const isOfUser = user !== undefined && sameEmail(emailIn(storedSender) ?? '', user.email);
  const sender = typedSender ?? (user && !isOfUser ? personText(user) : undefined);
  const store = await context.connections.logins();
  const keeping = await store.withLock(profile.name, context.process.abort, () =>
    store.save(profile.name, { ...login, user: user ?? null }),
  );
  const isCurrent = isStored
    ? await storeProfile(context, target, { ...settings, ...(sender !== undefined && { sender }) })
    : true;
  return loginOutcome(login, keeping, {
    name: profile.name,
    isNew,
    isCurrent,
    user,
    sender: sender ?? (isStored ? storedSender : profile.sender),
    isSenderOfEnvironment: isOfEnvironment,
    shadow: environmentSource(context.process.environment, serviceOf(target)),
  });
}

/** @returns whether commands that name no profile use it from now on */
async function storeProfile(
  context: Uses<'config'>,
  target: LoginTarget,
  settings: StoredProfile,
): Promise<boolean> {
  const { name } = target.profile;
  let isCurrent = false;
  await context.config.change((held) => {
    const profiles = (held.profiles ?? {}) as Record<string, StoredProfile>;
    held.profiles = {
      ...profiles,
      [name]: withSettings(profiles[name], { ...target.settings, ...settings }),
    };
    held.profile ??= name;
    isCurrent = held.profile === name;
  });
  return isCurrent;
}

/** @property user undefined where the service does not tell; @property sender the sender of the profile */
type LoginSummary = {
  name: string;
  isNew: boolean;
  isCurrent: boolean;
  user: Person | undefined;
  sender: string | undefined;
  isSenderOfEnvironment: boolean;
  shadow: string | undefined;
};

function loginOutcome(
  { service, client_id, scopes }: Login,
  { place, file, whyNotKeyring }: StoredLogin,
  summary: LoginSummary,
): Outcome {
  const { name, isNew, isCurrent, user, sender, isSenderOfEnvironment, shadow } = summary;
  return {
    kind: 'record',
    headline: 'Logged in.',
    json: {
      profile: name,
      service,
      user: user ?? null,
      sender: sender ?? null,
      client_id: client_id ?? null,
      scopes: scopes ?? null,
      stored_in: place,
      file,
      is_current: isCurrent,
    },
    entries: [
      { key: 'profile', label: 'Profile', value: name, shown: isNew ? `${name} (new)` : name },
      { key: 'service', label: 'Service', value: service },
      { key: 'user', label: 'User', value: user && personText(user) },
      { key: 'sender', label: 'Sender', value: sender },
      { key: 'client_id', label: 'Application', value: client_id },
      { key: 'scopes', label: 'Scopes', value: scopes?.join(' ') },
      {
        key: 'stored_in',
        label: 'Stored in',
        value: place,
        shown: place === 'keyring' ? 'the keyring' : `${file}, readable by you only`,
      },
    ],
    notes: [
      ...(shadow === undefined ? [] : [`${shadow} is set, so commands use it instead of this login.`]),
      ...(isSenderOfEnvironment
        ? ['ESIGN_SENDER is the sender while it is set. It is not stored with the profile.']
        : []),
      ...(place === 'file' && whyNotKeyring !== undefined
        ? [`The keyring was not used: ${whyNotKeyring}.`]
        : []),
      ...(isCurrent
        ? []
        : [
            `To use this profile, add --profile ${name}. To use it by default, run \`esign profile use ${name}\`.`,
          ]),
    ],
  };
}

function consentRefused({ error, description }: Extract<Returned, { error: string }>): CliError {
  if (error === 'access_denied')
    return cliError('consent_denied', {
      sentence: 'Consent was refused in the browser.',
      hint: 'Run `esign login` again.',
    });
  const said = (description ?? error).slice(0, 300);
  return cliError('consent_failed', {
    sentence: `The service refused the login: ${said}`,
    hint: 'Check the client ID and the scopes.',
  });
}

/**
 * @param typedSender the sender that the login was given, by a flag or an answer
 * @returns the user of the token; undefined where the service does not tell
 */
async function ownerOf(
  context: Uses<'connections' | 'process'>,
  profile: Profile,
  token: string,
  typedSender: string | undefined,
): Promise<Person | undefined> {
  const user = await userOfToken(await context.connections.connectWithoutLogin(profile, token));
  context.process.checkpoint();
  const email = emailIn(typedSender ?? profile.sender);
  if (user === undefined || email === undefined || sameEmail(user.email, email)) return user;
  const { variables } = context.process.environment;
  const isOfEnvironment = typedSender === undefined && variable(variables, 'ESIGN_SENDER') !== undefined;
  throw cliError('login_of_another_user', {
    sentence: `The access token belongs to ${personText(user)}, not to ${email}.`,
    hint: `Nothing was stored. Log in as ${email}, or ${isOfEnvironment ? `set ESIGN_SENDER to ${user.email}` : `use --sender ${user.email}`}.`,
  });
}

/** Reads the email of a sender. The command that sends reports one that cannot be read. */
function emailIn(sender: string | undefined): string | undefined {
  try {
    return sender === undefined ? undefined : parsePerson(sender, '--sender').email;
  } catch {
    return undefined;
  }
}
