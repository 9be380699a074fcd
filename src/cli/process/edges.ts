// Gives the command line access to the process: streams, signals, clock and process id. No other file uses them directly.
import { isatty } from 'node:tty';
import { readEnvironment } from '../../config/environment.ts';
import { OUTPUT_FAILED } from '../command/output-failed.ts';
import type { Sink, Streams } from '../terminal/streams.ts';

export { readEnvironment };

/** Wraps a stream. After its reader has closed it (`| head`), nothing more is written; any other error is printed, once. */
function sinkOf(stream: NodeJS.WriteStream): Sink {
  let isGone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone && error.code !== 'EPIPE' && stream !== process.stderr)
      sayBroken(error.code ?? error.message);
    isGone = true;
  });
  return {
    write(text: string | Uint8Array) {
      if (!isGone) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get isGone() {
      return isGone;
    },
    get columns() {
      return columnsOf(stream);
    },
    get rows() {
      return stream.rows;
    },
  };
}

/** The width of the terminal at present; 0 means unknown. For stdout, COLUMNS overrides it. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  const wanted = stream === process.stdout ? Number(process.env.COLUMNS) : 0;
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : stream.columns || undefined;
}

/** Prints that the output has failed. The command itself may have done its work. */
function sayBroken(why: string): void {
  const { code, exit, hint } = OUTPUT_FAILED;
  const message = OUTPUT_FAILED.sentence(why);
  const error = { code, message, hint, exit, retryable: false };
  process.exitCode = exit;
  process.stderr.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ error })}\n`
      : `error: ${message} (${code})\nhint: ${hint}\n`,
  );
}

export function openStreams(): Streams {
  return {
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    get isInputTerminal() {
      // Node makes the stream when it is read first.
      return isatty(0);
    },
    input: () => process.stdin,
  };
}

export const stderrStream = (): NodeJS.WritableStream => process.stderr;
export const stdinStream = (): NodeJS.ReadableStream => process.stdin;

export type Signal = 'SIGINT' | 'SIGTERM';

/**
 * Calls `stop` at the first signal. A second one ends the process at once, and so does the end of the time for
 * stopping: `endingMs`. While that is Infinity, no signal ends it.
 */
export function handleSignals(stop: (signal: Signal) => void, endingMs: () => number): void {
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      const isLeft = endingMs() === Number.POSITIVE_INFINITY;
      if (isLeft) return stop(signal);
      count += 1;
      if (count > 1) endBy(signal);
      stop(signal);
      setTimeout(() => endBy(signal), endingMs()).unref();
    });
}

/**
 * Computes something that no listener could interrupt, and lets the system end the process at a signal meanwhile. Only for work that leaves nothing
 * half done.
 */
export function endedBySystem<T>(work: () => T): T {
  const kept = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const);

  for (const [signal] of kept) process.removeAllListeners(signal);
  try {
    return work();
  } finally {
    for (const [signal, listeners] of kept) for (const listener of listeners) process.on(signal, listener);
  }
}

/** Ends the process by the signal itself, because Node would wait for a thread that still opens or reads a file. */
function endBy(signal: Signal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

export const wallClockMs = (): number => Date.now();
/** The clock for durations. Loading the global `performance` takes longer than most commands. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
/** The processor time of all threads of this process. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
export const residentBytes = (): number => process.memoryUsage.rss();
/** Waits. Rejects with the signal's reason when it is aborted meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  await sleep(ms, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}

export const isoNow = (): string => new Date().toISOString();
export const platform: string = process.platform;
export const nodeVersion = (): string => process.versions.node;
export const processId = (): number => process.pid;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ends the process without closing or writing anything, as a power cut would. */
export const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Sets the exit code, unless a failure has set one already. */
export const setExitCode = (code: number): void => {
  process.exitCode = code === 0 ? (process.exitCode ?? 0) : code;
};

export function fileMask(): void {
  try {
    process.umask(0o077);
  } catch {
    // A worker thread has the mask of its process, and may not change it.
  }
}

/** Takes what Node warns of, in place of its lines on standard error. */
export function onWarning(take: (warning: Error) => void): void {
  process.removeAllListeners('warning');
  process.on('warning', take);
}
