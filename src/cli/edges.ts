// The process as the command line touches it: streams, signals, clock, its own id. Only main.ts and app.ts use it.
import { readEnvironment } from '../config/environment.ts';
import type { Sink, Streams } from './terminal/streams.ts';

export { readEnvironment };

/** A reader that went away (`| head`) is no error: what follows is not written. */
function sinkOf(stream: NodeJS.WriteStream): Sink {
  let isGone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isGone = true;
  });
  return {
    write(text) {
      if (!isGone) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  };
}

export function openStreams(): Streams {
  return {
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    get isInputTerminal() {
      return process.stdin.isTTY === true;
    },
    input: () => process.stdin,
  };
}

export const stderrStream = (): NodeJS.WritableStream => process.stderr;

export type Signal = 'SIGINT' | 'SIGTERM';

/** The first signal asks to stop, the second SIGINT ends the process on the spot. */
export function onSignal(stop: (signal: Signal) => void): void {
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      count += 1;
      if (count > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
      stop(signal);
    });
}

export const nowMs = (): number => Date.now();
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

export const setExitCode = (code: number): void => {
  process.exitCode = code;
};

export const fileMask = (): number => process.umask(0o077);
