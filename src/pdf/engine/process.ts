// Is the main program of a child process for work on documents: reads one job after the other from its standard input and answers
// on descriptor 3. `child.ts` is the other half. The jobs run in a second thread, whose heap has a limit; an option of Node could not set it
// in the executable, which takes none (decision 0062). The first thread watches: it ends the process when it takes too much memory or
// processor time, and when the process that started it is gone. The second thread may be busy for ever.
import { readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { ENGINE_LIMITS } from '../limits.ts';
import type { Job, JobAnswer } from './engine.ts';
import { BUILD, collectFrames, frameOf, type MessageFrame } from './frames.ts';
import { measureSlowness } from './slowness.ts';

/** A request has a job, the processor time that it may take, and the file by its path or as the bytes of the frame. */
export type Request = { job: Job; timeMs: number; path?: string | undefined };

/** `failed` is an error that no one foresaw. */
export type Response =
  | { ready: true; build: string }
  | { result: JobAnswer['result']; hasBytes: boolean; grownBytes: number; usedMs: number }
  | { failed: string; code?: string | undefined };

/** What the second thread says to the first one: that it can begin, how slow the machine is, and that it has answered a job. */
type Note = { slowness: number } | 'answered';

const ANSWERS = 3;

/** Larger frames are in memory of their own, which can be handed to the other thread instead of being copied. */
const OWN_MEMORY_BYTES = 1024 * 1024;

/** The system would end the process with this signal at its limit of processor time. Windows knows one way only. */
const TOO_LONG = process.platform === 'win32' ? 'SIGKILL' : 'SIGXCPU';

if (isMainThread) watch();
else await work();

function watch(): void {
  // Ctrl-C at a terminal reaches every process there; when this one ends is for its parent to say.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const parent = process.ppid;
  const worker = new Worker(new URL(import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: ENGINE_LIMITS.heapMegabytes },
  });
  let slowness = 1;
  let mostBytes = Number.POSITIVE_INFINITY;
  let mostMs = 0;
  let [sent, answered] = [0, 0];
  let next: NodeJS.Timeout | undefined;

  /** Looks at the whole process: often while it works, and otherwise now and then whether its parent lives. */
  function measure(): void {
    clearTimeout(next);
    const isBusy = sent > answered;
    if (isBusy && processorMs() > mostMs) process.kill(process.pid, TOO_LONG);
    const isTooMuch = process.memoryUsage.rss() > mostBytes;
    if (isTooMuch || process.ppid !== parent) endAtOnce();
    next = setTimeout(measure, isBusy ? ENGINE_LIMITS.watchMs : ENGINE_LIMITS.watchIdleMs);
  }

  worker.on('message', (note: Note) => {
    if (note === 'answered') {
      answered += 1;
      return;
    }
    slowness = note.slowness;
    // One job at a time: the parent sends the next when it has the answer.
    process.stdin.on(
      'data',
      collectFrames((frame) => {
        const { timeMs } = frame.message as Request;
        mostMs = processorMs() + Math.ceil(timeMs * slowness);
        sent += 1;
        const isOwn = frame.bytes.length > OWN_MEMORY_BYTES;
        worker.postMessage(frame, isOwn ? [frame.bytes.buffer as ArrayBuffer] : []);
        measure();
      }),
    );
    process.stdin.on('end', endAtOnce);
    mostBytes = process.memoryUsage.rss() + Number(process.argv[2]);
    next = setTimeout(measure, ENGINE_LIMITS.watchIdleMs);
    say({ ready: true, build: BUILD });
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') endAtOnce();
    process.exit(1);
  });
}

/** An ordinary end would wait for the second thread. */
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');

async function work(): Promise<void> {
  const [{ runJob: carryOut }, { startPdfium }] = await Promise.all([
    import('./work.ts'),
    import('../read/pdfium.ts'),
  ]);
  await startPdfium();
  const startBytes = process.memoryUsage.rss();
  const slowness = measureSlowness();
  const tell = (note: Note): void => parentPort?.postMessage(note);
  parentPort?.on('message', (frame: MessageFrame) => void answer(frame));
  tell({ slowness });

  async function answer({ message, bytes: sent }: MessageFrame): Promise<void> {
    const { job, path } = message as Request;
    const beforeMs = processorMs();
    try {
      const { result, bytes } = await carryOut(job, path === undefined ? sent : readFileSync(path));
      const grownBytes = process.memoryUsage.rss() - startBytes;
      const usedMs = (processorMs() - beforeMs) / slowness;
      say({ result, hasBytes: bytes !== undefined, grownBytes, usedMs }, bytes);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      say({ failed: message, code });
    }
    tell('answered');
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
