// Logs in by two commands, for scripts and for browsers on another machine: `--start` prints the link and ends, `--complete`
// takes the address that the browser ended at.

import { instantOf } from '../../../common/instant.ts';
import { findPending, removePending, storePending } from '../../../credentials/pending.ts';
import type { Uses } from '../../command/context.ts';
import { reportOf } from '../../command/error-report.ts';
import { cliError } from '../../command/errors.ts';
import { EXIT } from '../../command/exit-codes.ts';
import type { Outcome } from '../../command/outcome.ts';
import { wallClockMs } from '../../process/edges.ts';
import { authorizationLink, newState, newVerifier, readPasted } from './authorization.ts';
import { finishLogin, missingStateOf } from './log-in.ts';
import {
  applicationOf,
  type LoginOptions,
  type LoginTarget,
  senderFor,
  standardInput,
  targetOf,
} from './target.ts';

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

export async function startLogin(
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

/** Completes a login that was started. @param given the address or the code; `-` is standard input */
export async function completeLogin(
  context: Uses<'config' | 'connections' | 'process' | 'settings' | 'terminal'>,
  given: string,
  isAllowed: boolean,
): Promise<Outcome> {
  const dir = context.process.paths.credentialsDir;
  const pending = await findPending(dir, context.settings.profile);
  if (!pending || wallClockMs() - pending.begunMs > LIVES_MS) throw nothingBegun(context.settings.profile);
  const { target, state, callback_url, ...rest } = pending.content as StartedLogin;
  const text = given === '-' ? await standardInput(context) : given;
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

const nothingBegun = (profile: string | undefined) => cliError('login_not_begun', { profile });
