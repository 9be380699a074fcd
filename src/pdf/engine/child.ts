// Runs jobs on documents in a child process, as the parent of it: sends one at a time, and derives an answer from how the child ended. The
// child itself counts its processor time. A limit by the clock, far above that of processor time, ends a child that gets no processor; that
// is no fault of the file.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { launchOf } from '../../common/own-program.ts';
import { ENGINE_LIMITS } from '../limits.ts';
import { BUSY, type Job, type JobAnswer, type Source, tooComplexAnswer } from './engine.ts';
import { BUILD, collectFrames, frameOf, type MessageFrame } from './frames.ts';
import type { Request, Response } from './process.ts';
import { ProgramReplacedError } from './program-replaced.ts';

export type Child = {
  readonly pid: number | undefined;
  /** A child that ended, by itself, by its limits or by `end`, accepts no more jobs. */
  readonly hasEnded: boolean;
  /**
   * Runs one job at a time. Rejects only when the child cannot be started, or failed unexpectedly.
   * @param timeMs processor time that the job may take
   */
  run(job: Job, source: Source, timeMs: number): Promise<JobAnswer>;
  /** Ends the child at once. A job in progress is answered with `crash`. */
  end(): void;
};

export type ChildOptions = {
  /** It may use this much memory beyond what it has when it is ready. */
  memoryBytes: number;
  /** A child that holds more than this beyond its start is replaced. */
  keptBytes?: number | undefined;
  /** The priority of a child that a command waits for is not lowered. */
  isWaitedFor?: boolean | undefined;
  /** The built `process.ts` runs in the child; tests name it, because they run the sources. */
  program?: string | undefined;
};

const builtProgram = (): string => fileURLToPath(new URL('./document-engine.js', import.meta.url));

export function startChild({
  memoryBytes,
  keptBytes = ENGINE_LIMITS.keptBytes,
  isWaitedFor = false,
  program = builtProgram(),
}: ChildOptions): Child {
  const { command, words, variables } = launchOf(program, [String(memoryBytes)]);
  const child = spawn(command, words, {
    cwd: dirname(program),
    env: { ...childEnvironment(process.env), ...variables },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  if (!isWaitedFor) lowerPriority(child);
  return controlChild(child, keptBytes);
}

function controlChild(child: ChildProcess, keptBytes: number): Child {
  // Both are null when the system has no more pipes. The event `error` follows then.
  const [input, output] = [child.stdin as Writable | null, child.stdio[3] as Readable | null];
  let hasEnded = false;
  let whyEnded: 'time' | 'crash' | 'memory' | 'standstill' = 'crash';
  let failure: Error | undefined;
  let waiting: ((frame: MessageFrame | undefined) => void) | undefined;
  const resolveNext = (frame: MessageFrame | undefined) => {
    const take = waiting;
    waiting = undefined;
    take?.(frame);
  };
  const nextFrame = () =>
    new Promise<MessageFrame | undefined>((resolve) => {
      if (hasEnded) resolve(undefined);
      else waiting = resolve;
    });
  child.once('error', (error) => {
    failure = error;
    markEnded();
  });
  child.once('exit', (_, signal) => {
    // The watchdog of the child, a system without memory and V8 with a full heap end it with these signals.
    if (whyEnded !== 'standstill' && (signal === 'SIGKILL' || signal === 'SIGABRT')) whyEnded = 'memory';
    if (signal === 'SIGXCPU') whyEnded = 'time';
    markEnded();
  });
  input?.on('error', () => undefined); // The child ended early. The event `exit` follows.
  output?.on('error', () => undefined);
  output?.on('data', collectFrames(resolveNext));
  function markEnded() {
    hasEnded = true;
    resolveNext(undefined);
  }
  function kill(why: 'standstill' | 'crash') {
    whyEnded = why;
    hasEnded = true;
    child.kill('SIGKILL');
  }

  /** Waits for a frame, and kills a child that sends none in time. */
  async function frameWithin(
    clockMs: number,
    next: Promise<MessageFrame | undefined>,
  ): Promise<MessageFrame | undefined> {
    const limit = setTimeout(() => kill('standstill'), clockMs);
    const frame = await next;
    clearTimeout(limit);
    return frame;
  }

  const starting = frameWithin(ENGINE_LIMITS.startMs, nextFrame());

  return {
    get pid() {
      return child.pid;
    },
    get hasEnded() {
      return hasEnded;
    },
    async run(job, source, timeMs) {
      const first = await starting;
      if (!first) throw failure ?? new Error('The process for work on documents did not start.');
      if (!isOfThisBuild(first.message)) {
        kill('crash');
        throw new ProgramReplacedError();
      }
      keepParentRunning(child, true);
      const request: Request = { job, timeMs, path: source.path };
      const bytes = source.path === undefined ? await source.bytes() : undefined;
      const next = nextFrame();
      for (const piece of frameOf(request, bytes)) input?.write(piece);
      const frame = await frameWithin(timeMs * ENGINE_LIMITS.clockFactor + ENGINE_LIMITS.startMs, next);
      keepParentRunning(child, false);
      // How much time a killed child has used is unknown. It is at most the limit.
      if (!frame) return whyEnded === 'standstill' ? BUSY : { ...tooComplexAnswer(whyEnded), usedMs: timeMs };
      const { answer, grownBytes } = readAnswer(frame);
      if (grownBytes > keptBytes) kill('crash');
      return answer;
    },
    end: () => kill('crash'),
  };
}

/** Tests run the sources of this side, which are of no build. */
const isOfThisBuild = (message: unknown): boolean =>
  BUILD === '' || (message as { build?: string }).build === BUILD;

/** Reads what the child wrote about its job; throws what the job threw. */
function readAnswer({ message, bytes }: MessageFrame): { answer: JobAnswer; grownBytes: number } {
  const response = message as Response;
  if ('failed' in response) throw Object.assign(new Error(response.failed), { code: response.code });
  if ('ready' in response) throw new Error('A child answered out of turn.');
  const { hasBytes, usedMs, grownBytes } = response;
  return { answer: { result: response.result, bytes: hasBytes ? bytes : undefined, usedMs }, grownBytes };
}

/** Keeps the parent running only while the child is busy. */
function keepParentRunning(child: ChildProcess, isBusy: boolean): void {
  for (const stream of [child, child.stdin, child.stdio[3]] as ({ ref?(): void; unref?(): void } | null)[])
    if (isBusy) stream?.ref?.();
    else stream?.unref?.();
}

/** The child gets no secrets and no options for Node. Windows cannot start a program without SystemRoot. */
const childEnvironment = ({ SystemRoot, ESIGN_FONTS }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...(SystemRoot && { SystemRoot }),
  // The child works in another folder.
  ...(ESIGN_FONTS && { ESIGN_FONTS: resolve(ESIGN_FONTS) }),
});

/** Lowers the priority of the child, so that requests are served first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or this system does not let us.
  }
}
