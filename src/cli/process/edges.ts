// The process as the command line touches it: streams, signals, clock, its own id. Nothing else asks for them.
import { isatty } from 'node:tty';
import { readEnvironment } from '../../config/environment.ts';
import { OUTPUT_FAILED } from '../command/output-failed.ts';
import type { Sink, Streams } from '../terminal/streams.ts';

export { readEnvironment };

/** A reader that went away (`| head`) is no error: what follows is not written. Anything else is said, once. */
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

/** As wide as it is now, 0 is not known; for what is printed on stdout COLUMNS is what a person wants. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  const wanted = stream === process.stdout ? Number(process.env.COLUMNS) : 0;
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : stream.columns || undefined;
}

/** The command itself may have done its work: what is lost is its answer. */
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
      // The stream itself is made when somebody reads it.
      return isatty(0);
    },
    input: () => process.stdin,
  };
}

export const stderrStream = (): NodeJS.WritableStream => process.stderr;
export const stdinStream = (): NodeJS.ReadableStream => process.stdin;

export type Signal = 'SIGINT' | 'SIGTERM';

/**
 * The first signal asks to stop. A second one ends the process on the spot, and so does the end of the time that there is
 * for stopping: `endingMs`.
 */
export function onSignal(stop: (signal: Signal) => void, endingMs: () => number): void {
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      count += 1;
      if (count > 1) endBy(signal);
      stop(signal);
      setTimeout(() => endBy(signal), endingMs()).unref();
    });
}

/** As the system ends it: leaving on its own, Node would wait for a thread that still opens or reads a file. */
function endBy(signal: Signal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

export const wallClockMs = (): number => Date.now();
/** For durations. The global `performance` takes longer to load than most commands work. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
/** Of all threads of this process. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
export const residentBytes = (): number => process.memoryUsage.rss();
/** Rejects with the signal's reason when it is aborted meanwhile. */
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

/** Ends the process as a power cut would: nothing is closed, nothing is written. */
export const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** A failure that was said already stays one. */
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
