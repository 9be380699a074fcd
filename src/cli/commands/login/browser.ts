// The part of a login that a person does: the link is shown and opened, and whoever comes back first counts, the
// browser or what is pasted.
import type { Uses } from '../../command/context.ts';
import { CliError, EXIT, usageError } from '../../command/errors.ts';
import { isLoopback, portOf } from '../../connection/callback-address.ts';
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

/** spec §5: a code expires after ten minutes; nobody waits longer for one. */
const WINDOW_MS = 10 * 60_000;

export type Consent = {
  returned: Returned;
  proof: Proof;
  /** Tells the browser how it ended, where one waits for it. */
  tell(ending: { ok: true } | { ok: false; message: string }): Promise<void>;
};

export type ConsentOptions = {
  state: string;
  sendsRedirectUri: boolean;
  browser: boolean;
  missingState: MissingState;
};

export async function askForConsent(
  context: Uses<'process' | 'prompts' | 'settings' | 'terminal'>,
  application: Application,
  options: ConsentOptions,
): Promise<Consent> {
  const { callback } = application;
  const { state } = options;
  // Nobody could be asked: what proves nothing is refused, and the waiting goes on.
  const missingState =
    options.missingState === 'ask' && !context.prompts.canAsk ? 'refuse' : options.missingState;
  mustReachSomebody(context, callback, options.browser);
  const listening = isLoopback(callback)
    ? await listened(context, { callback, state, missingState })
    : undefined;
  try {
    const browsed = await show(context, application, options, listening !== undefined);
    const arrived = await firstOf(context, { callback, state, missingState, browsed, listening });
    context.process.checkpoint();
    if (arrived === undefined) throw tooLate();
    if (arrived.proof === 'missing') await mustBeMeant(context, missingState, listening);
    return {
      ...arrived,
      async tell(ending) {
        await listening?.finish(ending);
      },
    };
  } catch (error) {
    await listening?.close();
    throw error;
  }
}

/** A pipe has nobody who follows a link; one who says --no-browser will look at stderr. */
function mustReachSomebody(
  { prompts, settings, terminal: { streams } }: Uses<'prompts' | 'settings' | 'terminal'>,
  callback: URL,
  browser: boolean,
): void {
  const isSeen = streams.err.isTerminal && !settings.json;
  if (!isSeen && (browser || settings.json))
    throw usageError(
      'browser_needed',
      'A login needs a person with a browser.',
      'In a script use `esign login --start` and `--complete URL`, or give a token with --with-token.',
    );
  if (!isLoopback(callback) && !prompts.canAsk)
    throw usageError(
      'callback_elsewhere',
      `The browser comes back to ${callback.href}, which is not on this machine.`,
      'Use `esign login --start`, then `--complete URL` with the address the browser ends at.',
    );
}

/** Different strays that are told; a page that tries again and again must not fill the terminal. */
const STRAYS_TOLD = 3;

async function listened(context: Uses<'process' | 'terminal'>, expected: PasteOptions): Promise<Listening> {
  const told = new Set<string>();
  const onStray = (why: string) => {
    if (told.has(why) || told.size >= STRAYS_TOLD) return;
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
    throw portError(error, expected.callback);
  }
}

const PORT_REASONS: Record<string, [code: string, what: string, hint: string]> = {
  EADDRINUSE: [
    'port_in_use',
    'is in use',
    'Perhaps another `esign login` is waiting; end the program that uses it, or finish without a port: `esign login --start`.',
  ],
  EACCES: [
    'port_not_allowed',
    'may not be used by you',
    'Register a Callback URL with a port from 1024 on, and give it with --callback-url; or use `esign login --start`.',
  ],
  EADDRNOTAVAIL: [
    'address_not_available',
    'is not an address of this machine',
    'Register a Callback URL on 127.0.0.1, and give it with --callback-url; or use `esign login --start`.',
  ],
};

function portError(error: unknown, callback: URL): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = PORT_REASONS[code];
  if (!reason) return error;
  const [name, what, hint] = reason;
  return new CliError(
    `${callback.hostname}:${portOf(callback)}, where the browser comes back to, ${what} (${code}).`,
    {
      code: name,
      exit: EXIT.usage,
      hint,
    },
  );
}

/** @returns whether a browser shows the link now; otherwise a person has to, and may paste where it ends */
async function show(
  context: Uses<'terminal'>,
  application: Application,
  options: ConsentOptions,
  isHere: boolean,
): Promise<boolean> {
  const { streams, paint } = context.terminal;
  const link = authorizationLink({ ...application, ...options });
  const say = (text: string) => streams.err.write(`${text}\n`);
  const isOpened = options.browser && (await context.terminal.browse(link)) === 'opened';
  const { safeText } = await import('../../terminal/safe-text.ts');
  say(isOpened ? 'A browser was opened at' : 'Open this address in a browser:');
  say(`\n  ${paint.cyan(safeText(link))}\n`);
  if (!isHere || isOpened) return isOpened;
  const port = portOf(application.callback);
  say(
    `If that browser is on another machine, first run there:\n\n  ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE\n`,
  );
  return false;
}

type Waiting = PasteOptions & { browsed: boolean; listening: Listening | undefined };

/** The browser, or the person who pastes what the browser shows; undefined when the window has closed. */
async function firstOf(
  context: Uses<'prompts' | 'terminal'>,
  { browsed, listening, ...expected }: Waiting,
): Promise<Pasted | undefined> {
  if (listening && (browsed || !context.prompts.canAsk))
    return context.terminal.progress.waiting('waiting for the browser', () => listening.returned);
  const withdrawal = new AbortController();
  const pasted = context.prompts
    .ask('Paste the address it ends at, or the code', '--complete URL', {
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
 * The answer came without a state: only the person can say whether they have just consented. A second answer meanwhile
 * means that one of the two is somebody else's, and nobody can tell which.
 */
async function mustBeMeant(
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
    'the service came back without the state that this login sent. Another page can make a browser do that, to link this machine to an account that is not yours: what you send would be in their hands.',
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
  new CliError('Two different answers came back for one login: one of them is not yours.', {
    code: 'login_contested',
    exit: EXIT.access,
    hint: 'Close pages that you do not know, then run `esign login` again.',
  });

const tooLate = () =>
  new CliError('Nobody came back within ten minutes.', {
    code: 'login_timeout',
    exit: EXIT.access,
    retryable: true,
    hint: 'Run `esign login` again and follow the link; on another machine use --no-browser.',
  });
