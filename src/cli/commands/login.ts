import { instantOf } from '../../common/instant.ts';
import { findPending, removePending, storePending } from '../../credentials/pending.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { reportOf } from '../command/error-report.ts';
import { cliError } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import { boolean, list, nameOnly, nullable, object, only, prints, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { NEXT_COMMAND } from '../command/shared-json.ts';
import { optionsConflict } from '../command/wrong-input.ts';
import { wallClockMs } from '../process/edges.ts';
import { authorizationLink, newState, newVerifier, readPasted } from './login/authorization.ts';
import { finishLogin, login, loginWithToken, missingStateOf } from './login/log-in.ts';
import {
  applicationOf,
  type LoginOptions,
  type LoginTarget,
  senderFor,
  standardInput,
  targetOf,
} from './login/target.ts';

export const command = defineCommand({
  summary: 'Log in to a signature service',
  details:
    'Opens the dashboard of the service in a browser, where you log in and give consent. You are prompted ' +
    'for anything the profile does not contain yet. A service without a profile gets one: the name given ' +
    'with --profile, otherwise default, or the host of the service if default is taken.\n\n' +
    'The tokens are stored in the system keyring if there is one, otherwise in a file that only you can ' +
    'read; ESIGN_CREDENTIAL_STORE chooses one of them. The client secret is read from a prompt, from the ' +
    'file given with --client-secret-file, or from ESIGN_CLIENT_SECRET; it cannot be given on the command ' +
    'line itself.\n\n' +
    'Without --dashboard-url, esign asks the service for the URLs of its dashboard and its signing pages. A server of `esign serve` ' +
    'answers with both. If the service does not, esign prompts for the URL of the dashboard.\n\n' +
    'Only the user who logs in can send. If the service tells who that is, this user becomes the sender of a profile ' +
    'that has none, and a login with the sender set to another user is refused.',
  arguments: [],
  options: {
    'base-url': { value: 'URL', group: 'Service', summary: "Base URL of the service's API" },
    'dashboard-url': {
      value: 'URL',
      group: 'Service',
      summary: "URL of the service's dashboard, where you give consent",
    },
    'app-url': { value: 'URL', group: 'Service', summary: "URL of the service's signing pages" },
    'client-id': {
      value: 'ID',
      group: 'Application',
      summary: "Client ID of the OAuth application, from the dashboard's OAuth settings",
    },
    'client-secret-file': {
      value: 'FILE',
      group: 'Application',
      summary: 'File that contains the client secret; - reads standard input',
      completes: 'file',
    },
    scopes: {
      value: 'SCOPE,…',
      group: 'Application',
      summary: 'Scopes to request (default: all scopes)',
      completes: 'scope',
    },
    port: {
      value: 'N',
      group: 'Browser',
      summary: 'Port of a callback URL on this machine; replaces the port in --callback-url (default: 8976)',
    },
    'callback-url': {
      value: 'URL',
      group: 'Browser',
      summary:
        'Callback URL as registered for the OAuth application (default: http://127.0.0.1:8976/callback)',
    },
    sender: {
      value: 'PERSON',
      group: 'Service',
      summary: 'Sender as "Name <email>", with your email at the service',
    },
    'no-browser': {
      group: 'Browser',
      summary: 'Print the login URL without opening a browser; paste the final URL back',
    },
    'allow-missing-state': {
      group: 'Browser',
      summary: 'Accept a callback without state; weakens protection against forged logins',
    },
    start: { group: 'Scripts', summary: 'Print the login URL and exit' },
    complete: {
      value: 'URL|CODE',
      group: 'Scripts',
      summary: 'Callback URL or code that completes a login begun with --start; - reads standard input',
    },
    'with-token': { group: 'Scripts', summary: 'Store the access token read from standard input' },
  },
  json: prints(
    object({
      profile: text,
      service: text,
      user: object({ name: text, email: text }),
      sender: nullable(text),
      client_id: nullable(text),
      scopes: nameOnly(nullable(list(text))),
      stored_in: nameOnly(only('file', 'keyring')),
      file: text,
      is_current: boolean,
    }),
    '; --start: ',
    object({
      profile: text,
      authorize_url: text,
      callback_url: text,
      expires_at: text,
      next: nameOnly(list(NEXT_COMMAND)),
    }),
  ),
  examples: [
    {
      line: 'esign login --base-url https://api.example.com --dashboard-url https://dashboard.example.com',
      about: 'Log in to a service that has no profile yet',
    },
    { line: 'esign login --no-browser', about: 'Log in over SSH' },
    {
      line: 'esign login --start --client-id ID --client-secret-file secret.txt',
      about: 'Begin a login in a script',
    },
    {
      line: 'esign login --complete "http://127.0.0.1:8976/callback?code=CODE&state=STATE"',
      about: 'Complete it with the URL that the browser ends at',
    },
  ],
  async run(context, { options }) {
    const ways = (['start', 'complete', 'with-token', 'no-browser'] as const).filter((way) => options[way]);
    if (ways.length > 1) throw optionsConflict(`--${ways[0]}`, `--${ways[1]}`);
    if (options.start || options.complete !== undefined) {
      return options.complete === undefined
        ? startLogin(context, options)
        : completeLogin(context, options.complete, options['allow-missing-state']);
    }
    return options['with-token']
      ? loginWithToken(context, options)
      : login(context, options, !options['no-browser']);
  },
});

/** How long a person may take to follow the link. */
const LIVES_MS = 60 * 60_000;

type StartedLogin = {
  target: LoginTarget;
  state: string;
  client_id: string;
  client_secret?: string | undefined;
  code_verifier?: string | undefined;
  scopes: string[];
  callback_url: string;
  sender: string | undefined;
};

async function startLogin(
  context: Uses<'config' | 'connections' | 'process' | 'prompts' | 'settings' | 'terminal'>,
  options: LoginOptions,
): Promise<Outcome> {
  const target = await targetOf(context, options);
  const application = await applicationOf(context, options, target);
  await (await context.connections.logins()).check();
  const { clientId, clientSecret, scopes, callback } = application;
  const state = newState();
  const code_verifier = application.pkce ? newVerifier() : undefined;
  const profile = target.profile.name;
  const begunMs = wallClockMs();
  const content: StartedLogin = {
    target,
    state,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier,
    scopes,
    callback_url: callback.href,
    sender: await senderFor(context, options, target),
  };
  await storePending(context.process.paths.credentialsDir, { profile, begunMs, content });
  const authorize_url = authorizationLink({
    ...application,
    state,
    verifier: code_verifier,
    sendsRedirectUri: target.profile.login.redirectUri,
  });
  const expires_at = instantOf(begunMs + LIVES_MS);
  const complete = `esign login --complete URL --profile ${profile}`;
  const next = [{ command: complete, when: 'with the URL that the browser ends at' }];
  return {
    kind: 'record',
    headline:
      'Open the URL in a browser. If the last page does not load, its URL is enough to complete the login.',
    json: { profile, authorize_url, callback_url: callback.href, expires_at, next },
    entries: [
      { key: 'profile', label: 'Profile', value: profile },
      { key: 'authorize_url', label: 'Open', value: authorize_url },
      { key: 'callback_url', value: callback.href },
      { key: 'expires_at', label: 'Expires', value: { instant: expires_at } },
      { key: 'next', label: 'Next', value: complete },
    ],
  };
}

/** Completes a login that was started. @param pasted the address or the code; `-` is standard input */
async function completeLogin(
  context: Uses<'config' | 'connections' | 'process' | 'settings' | 'terminal'>,
  pasted: string,
  isAllowed: boolean,
): Promise<Outcome> {
  const dir = context.process.paths.credentialsDir;
  const pending = await findPending(dir, context.settings.profile);
  if (!pending || wallClockMs() - pending.begunMs > LIVES_MS) throw nothingBegun(context.settings.profile);
  const { target, state, callback_url, ...rest } = pending.content as StartedLogin;
  const text = pasted === '-' ? await standardInput(context) : pasted;
  const missingState = missingStateOf(target, isAllowed);
  // A script cannot be asked, and a person who copied an address does not see what it lacks: the flag says so.
  const expected = missingState === 'ask' ? 'refuse' : missingState;
  const { returned, proof } = readPasted(text, {
    callback: new URL(callback_url),
    state,
    missingState: expected,
  });
  try {
    const outcome = await finishLogin(context, target, { ...rest, callback_url, returned, proof });
    await removePending(dir, pending.profile);
    return outcome;
  } catch (error) {
    // A refusal of the service is final; a broken connection is not, so the login can be completed again.
    if (isRefusal(error)) await removePending(dir, pending.profile);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  const { code, exit, retryable } = reportOf(error);
  // Its code is used up.
  if (code === 'login_of_another_user') return true;
  return exit === EXIT.access && !retryable;
}

const nothingBegun = (profile: string | undefined) =>
  cliError('login_not_begun', {
    sentence: `No login was started${profile === undefined ? '' : ` for the profile "${profile}"`}.`,
    hint: 'Start with `esign login --start`. Complete the login within an hour.',
  });
