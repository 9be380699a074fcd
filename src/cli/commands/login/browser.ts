// Gets the consent of a person for a login: shows and opens the link, and takes the first answer, from the browser or
// pasted.

import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { explainListenError } from '../../command/listen-error.ts';
import { isLoopback, portOf } from '../../connection/loopback.ts';
import { safeText } from '../../terminal/safe-text.ts';
import {
  authorizationLink,
  type MissingState,
  type Pasted,
  type PasteOptions,
  type Proof,
  type Returned,
  readPasted,
  stateMissing,
} from './authorization.ts';
import { type Listening, listenForCallback } from './callback-server.ts';
import type { Application } from './target.ts';

/** spec §5: a code expires after ten minutes, so there is no reason to wait longer. */
const WINDOW_MS = 10 * 60_000;

export type LoginConsent = {
  returned: Returned;
  proof: Proof;
  /** Tells the browser how it ended, where one waits for it. */
  reportEnding(ending: { ok: true } | { ok: false; message: string }): Promise<void>;
};

export type ConsentOptions = {
  state: string;
  verifier: string | undefined;
  sendsRedirectUri: boolean;
  browser: boolean;
  missingState: MissingState;
};

export async function askForConsent(
  context: Uses<'process' | 'prompts' | 'settings' | 'terminal'>,
  application: Application,
  options: ConsentOptions,
): Promise<LoginConsent> {
  const { callback } = application;
  const { state } = options;
  // There is no person to ask: a response without the state is refused, and the login keeps waiting.
  const missingState =
    options.missingState === 'ask' && !context.prompts.canAsk ? 'refuse' : options.missingState;
  requireReachablePerson(context, callback, options.browser);
  const listening = isLoopback(callback)
    ? await listenForLogin(context, { callback, state, missingState })
    : undefined;
  try {
    const browsed = await showLink(context, application, options, listening !== undefined);
    const arrived = await awaitFirstAnswer(context, { callback, state, missingState, browsed, listening });
    context.process.checkpoint();
    if (arrived === undefined) throw tooLate();
    if (arrived.proof === 'missing') await confirmConsent(context, missingState, listening);
    return {
      ...arrived,
      async reportEnding(ending) {
        await listening?.finish(ending);
      },
    };
  } catch (error) {
    await listening?.close();
    throw error;
  }
}

/** Refuses a login in a pipe, where no person can follow the link. A person who adds --no-browser reads stderr. */
function requireReachablePerson(
  { prompts, settings, terminal: { streams } }: Uses<'prompts' | 'settings' | 'terminal'>,
  callback: URL,
  browser: boolean,
): void {
  const isSeen = streams.err.isTerminal && !settings.json;
  if (!isSeen && (browser || settings.json))
    throw cliError('browser_needed', {
      sentence: 'Login needs a person with a browser.',
      hint: 'In a script, use `esign login --start` and `esign login --complete URL`, or pipe an access token into `esign login --with-token`.',
    });
  if (!isLoopback(callback) && !prompts.canAsk)
    throw cliError('callback_elsewhere', {
      sentence: `The callback URL ${callback.href} is not on this machine, so esign cannot receive the code.`,
      hint: 'Run `esign login --start` and open the link. Then run `esign login --complete URL` with the URL that the browser ends at.',
    });
}

/** How many different stray responses are reported: a page that repeats them must not fill the terminal. */
const STRAYS_SHOWN = 3;

async function listenForLogin(
  context: Uses<'process' | 'terminal'>,
  expected: PasteOptions,
): Promise<Listening> {
  const told = new Set<string>();
  const onStray = (why: string) => {
    if (told.has(why) || told.size >= STRAYS_SHOWN) return;
    told.add(why);
    context.terminal.progress.warn(why);
  };
  try {
    return await listenForCallback({
      ...expected,
      windowMs: WINDOW_MS,
      signal: context.process.abort,
      onStray,
    });
  } catch (error) {
    const { callback } = expected;
    const name = `The callback address ${callback.hostname}:${portOf(callback)}`;
    throw explainListenError(error, LISTEN_HINTS, name);
  }
}

const WITHOUT_A_PORT = 'Or log in without a port: `esign login --start`.';

const LISTEN_HINTS = {
  inUse: `Another \`esign login\` may be waiting there. End the program that uses the port. ${WITHOUT_A_PORT}`,
  notAllowed: `Register a callback URL with a port from 1024 to 65535, and specify it with --callback-url. ${WITHOUT_A_PORT}`,
  notAvailable: `Register a callback URL on 127.0.0.1, and specify it with --callback-url. ${WITHOUT_A_PORT}`,
};

/** @returns whether a browser shows the link now; otherwise a person has to, and may paste where it ends */
async function showLink(
  context: Uses<'terminal'>,
  application: Application,
  options: ConsentOptions,
  isHere: boolean,
): Promise<boolean> {
  const { streams, paint } = context.terminal;
  const link = authorizationLink({ ...application, ...options });
  const say = (text: string) => streams.err.write(`${text}\n`);
  const isOpened = options.browser && (await context.terminal.browse(link)) === 'opened';
  say(isOpened ? 'Opened this URL in a browser:' : 'Open this URL in a browser:');
  say(`\n  ${paint.cyan(safeText(link))}\n`);
  if (!isHere || isOpened) return isOpened;
  const port = portOf(application.callback);
  say(
    `If the browser is on another machine, first run this command there:\n\n  ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE\n`,
  );
  return false;
}

type Waiting = PasteOptions & { browsed: boolean; listening: Listening | undefined };

/** Waits for the browser, or for the person who pastes what it shows. Returns undefined when the window has closed. */
async function awaitFirstAnswer(
  context: Uses<'prompts' | 'terminal'>,
  { browsed, listening, ...expected }: Waiting,
): Promise<Pasted | undefined> {
  if (listening && (browsed || !context.prompts.canAsk))
    return context.terminal.progress.showWaiting('Waiting for the browser', () => listening.returned);
  const withdrawal = new AbortController();
  const pasted = context.prompts
    .ask('Paste the URL that the browser ends at, or the code', '--complete URL', {
      accept: (text) => readPasted(text, expected),
      withdrawn: withdrawal.signal,
    })
    .then((text) => readPasted(text, expected));
  if (!listening) return pasted;
  try {
    return await Promise.race([pasted, listening.returned]);
  } finally {
    withdrawal.abort();
    pasted.catch(() => undefined);
  }
}

/**
 * Asks about an answer without a state: only the person can say whether they have just consented. After a second answer
 * the login fails, because one of the two is not theirs and the program cannot tell which.
 */
async function confirmConsent(
  context: Uses<'prompts' | 'terminal'>,
  missingState: MissingState,
  listening: Listening | undefined,
): Promise<void> {
  const contested = listening?.contested.then((): never => {
    throw contestedLogin();
  });
  contested?.catch(() => undefined);
  if (missingState === 'allow') return;
  context.terminal.progress.warn(
    'The callback has no state parameter. It may be forged, to log this machine in to an account that is not yours. The owner of that account would see what you send.',
  );
  const withdrawal = new AbortController();
  const asked = context.prompts.confirm('Did you just consent in the browser, as yourself?', {
    withdrawn: withdrawal.signal,
    always: true,
  });
  asked.catch(() => undefined);
  try {
    if (!(await (contested ? Promise.race([asked, contested]) : asked))) throw stateMissing();
  } finally {
    withdrawal.abort();
  }
}

const contestedLogin = () =>
  cliError('login_contested', {
    sentence:
      'Two different callbacks arrived for one login. One of them may be forged, so neither was used.',
    hint: 'Close browser pages that you do not know, then run `esign login` again.',
  });

const tooLate = () =>
  cliError('login_timeout', {
    sentence: 'The login was not completed in the browser within ten minutes.',
    hint: 'Run `esign login` again and open the link. If the browser is on another machine, use `esign login --start`.',
  });
