// Is the main program of a child process for work on documents: reads one job after the other from its standard input and answers
// on descriptor 3. `child.ts` is the other half. A second thread, the watchdog, ends the process when it takes too much memory or
// processor time, and when the process that started it is gone: the first thread may be busy for ever.
import { readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { ENGINE_LIMITS } from '../limits.ts';
import type { Job, JobAnswer } from './engine.ts';
import { collectFrames, frameOf, type MessageFrame } from './frames.ts';
import { measureSlowness } from './slowness.ts';

/** A request has a job, the processor time that it may take, and the file by its path or as the bytes of the frame. */
export type Request = { job: Job; timeMs: number; path?: string | undefined };

/** `failed` is an error that no one foresaw. */
export type Response =
  | { ready: true }
  | { result: JobAnswer['result']; hasBytes: boolean; grownBytes: number; usedMs: number }
  | { failed: string; code?: string | undefined };

/** The thread only watches, and needs little memory. */
const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
const ANSWERS = 3;
const IDLE = 0;
const BUSY = 1;

/** The system would end the process with this signal at its limit of processor time. Windows knows one way only. */
const TOO_LONG = process.platform === 'win32' ? 'SIGKILL' : 'SIGXCPU';

// What both threads see: whether there is a job, and the processor time at which it has taken too much.
const STATE = 0;
const LAST_MS = 1;

if (isMainThread) await work();
else watch(workerData as Watched);

async function work(): Promise<void> {
  // Ctrl-C at a terminal reaches every process there; when this one ends is for its parent to say.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const [{ runJob: carryOut }, { startPdfium }] = await Promise.all([
    import('./work.ts'),
    import('../read/pdfium.ts'),
  ]);
  await startPdfium();
  const atStart = process.memoryUsage.rss();
  const state = new Int32Array(new SharedArrayBuffer(8));
  const slowness = measureSlowness();
  const watched: Watched = { state, parent: process.ppid, mostBytes: atStart + Number(process.argv[2]) };
  new Worker(new URL(import.meta.url), { workerData: watched, resourceLimits: SMALL }).unref();
  // One job at a time: the parent sends the next when it has the answer.
  process.stdin.on(
    'data',
    collectFrames((frame) => void answer(frame)),
  );
  process.stdin.on('end', () => process.exit());
  say({ ready: true });

  async function answer({ message, bytes: sent }: MessageFrame): Promise<void> {
    const { job, path, timeMs } = message as Request;
    const beforeMs = processorMs();
    Atomics.store(state, LAST_MS, beforeMs + Math.ceil(timeMs * slowness));
    Atomics.store(state, STATE, BUSY);
    Atomics.notify(state, STATE);
    try {
      const { result, bytes } = await carryOut(job, path === undefined ? sent : readFileSync(path));
      const grownBytes = process.memoryUsage.rss() - atStart;
      const usedMs = (processorMs() - beforeMs) / slowness;
      say({ result, hasBytes: bytes !== undefined, grownBytes, usedMs }, bytes);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      say({ failed: message, code });
    }
    Atomics.store(state, STATE, IDLE);
  }
}

/** Adds up the time of all threads since the process was started. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return Math.floor((user + system) / 1000);
}

function say(response: Response, bytes?: Uint8Array): void {
  for (const piece of frameOf(response, bytes))
    for (let at = 0; at < piece.length; ) at += writeSync(ANSWERS, piece, at);
}

type Watched = { state: Int32Array; parent: number; mostBytes: number };

/** Watches the whole process often while it works, and now and then whether its parent lives. */
function watch({ state, parent, mostBytes }: Watched): void {
  for (;;) {
    const isBusy = Atomics.load(state, STATE) === BUSY;
    if (isBusy) Atomics.wait(state, STATE, BUSY, ENGINE_LIMITS.watchMs);
    else Atomics.wait(state, STATE, IDLE, ENGINE_LIMITS.watchIdleMs);
    const isTooLong = Atomics.load(state, STATE) === BUSY && processorMs() > Atomics.load(state, LAST_MS);
    if (isTooLong) process.kill(process.pid, TOO_LONG);
    const isTooMuch = process.memoryUsage.rss() > mostBytes;
    if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }
}
