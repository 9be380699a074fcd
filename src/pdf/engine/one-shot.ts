// Runs the document work of a command that does one thing and ends. A small and sound file is read in this process, which needs
// no start; anything else is sent to a child, so that a signal ends the command whatever the file does.

import { ENGINE_LIMITS } from '../limits.ts';
import {
  BUSY,
  type DocumentEngine,
  engineOver,
  type Job,
  type JobAnswer,
  type RunJob,
  type Source,
} from './engine.ts';
import type { OfficeSetting } from './office.ts';
import type { WithOffice } from './with-office.ts';

export type OneShotOptions = {
  /** The built `process.ts`. */
  program?: string | undefined;
  /** Which LibreOffice converts DOCX. */
  office?: OfficeSetting;
  /** The time limit of a job; tests set another one. */
  timeMs?: number;
  /** Called before a child process is started. */
  onChild?: () => void;
};

export function createOneShotEngine({
  program,
  office,
  timeMs,
  onChild,
}: OneShotOptions = {}): DocumentEngine {
  // The command counts the pages of a file, and the service in the same process then asks for the same.
  const remembered = new Map<string, Promise<JobAnswer>>();
  let closing: { reason: unknown } | undefined;
  let lane: ReturnType<typeof openLane> | undefined;

  const opened = async () => {
    onChild?.();
    lane ??= openLane(program, timeMs);
    const { close } = await lane;
    if (closing) close(closing.reason);
    return lane;
  };
  const inChild: RunJob = async (job, source, owner) => (await opened()).run(job, source, owner);

  const work: RunJob = async (job, source, owner) => {
    if (closing) return ended(closing.reason);
    return (await atOnce(job, source)) ?? inChild(job, source, owner);
  };

  const run: RunJob = (job, source, owner) => {
    if (job.do !== 'inspect') return work(job, source, owner);
    const key = `${source.sha256} ${job.maxPages}`;
    const known = remembered.get(key);
    if (known) return known;
    const answer = work(job, source, owner);
    if (remembered.size < ENGINE_LIMITS.rememberedResults) remembered.set(key, answer);
    return answer;
  };

  let converting: Promise<WithOffice> | undefined;
  const byOffice: RunJob = async (job, source, owner) => {
    onChild?.();
    converting ??= import('./with-office.ts').then(({ withOffice }) => withOffice(run, office));
    const { run: convert, close } = await converting;
    if (closing) close(closing.reason);
    return convert(job, source, owner);
  };
  const isDocx = (job: Job): boolean => job.do === 'convert' && job.type === 'docx';

  return engineOver(
    (job, source, owner) => (isDocx(job) ? byOffice : run)(job, source, owner),
    async (reason) => {
      closing = { reason };
      (await converting)?.close(reason);
      (await lane)?.close(reason);
    },
    async () => {
      if (closing) return;
      const { start } = await opened();
      if (!closing) start();
    },
  );
}

function ended(reason: unknown): JobAnswer {
  if (reason === undefined) return BUSY;
  throw reason;
}

async function openLane(program: string | undefined, timeMs: number | undefined) {
  const [{ createLane }, { timeOf }] = await Promise.all([import('./lane.ts'), import('./pool.ts')]);
  const lane = createLane({
    memoryBytes: ENGINE_LIMITS.memoryBytes,
    isKept: true,
    isWaitedFor: true,
    program,
  });
  const run: RunJob = (job, source, owner) => lane.run(job, source, owner, timeMs ?? timeOf(job));
  return { run, start: lane.start, close: lane.close };
}

/** Runs a job in this process. Undefined where that might take long. */
async function atOnce(job: Job, source: Source): Promise<JobAnswer | undefined> {
  if (job.do === 'draw' || job.do === 'text' || job.do === 'check') return undefined;
  const bytes = await source.bytes();
  if (bytes.length > ENGINE_LIMITS.inProcessBytes) return undefined;
  if (job.do === 'certify' || job.do === 'stamp') return sealAtOnce(job, bytes);
  if (job.do === 'free' || job.do === 'covered') return lookAtOnce(job, bytes);
  if (job.do === 'compare') return plainAtOnce(job, bytes);
  if (job.do === 'inspect') return inspectAtOnce(bytes, job);
  if (job.type !== 'png' && job.type !== 'jpeg') return undefined;
  const { isSmallImage } = await import('../images/small-image.ts');
  if (!isSmallImage(bytes, job.type)) return undefined;
  const { carryOut } = await import('./work.ts');
  return carryOut(job, bytes);
}

async function inspectAtOnce(
  bytes: Uint8Array,
  limits: { maxPages: number },
): Promise<JobAnswer | undefined> {
  const [{ isPlain, isWhole }, { soundPages }] = await Promise.all([
    import('../plain.ts'),
    import('../sound-pages.ts'),
  ]);
  if (!isWhole(bytes)) return undefined;
  const sound = soundPages(bytes, limits);
  if (sound) return { facts: { ok: true, ...sound, isPlain: isPlain(bytes) } };
  const { inspectSound } = await import('../inspect.ts');
  const inspecting = inspectSound(bytes, limits);
  // PDFium compiles on threads of its own meanwhile.
  const plain = { isPlain: isPlain(bytes) };
  const facts = await inspecting;
  return facts && { facts: { ...facts, ...plain } };
}

/** Reads a file without PDFium where the result is certain, and with PDFium in this process where no page can be slow. */
async function lookAtOnce(
  job: Extract<Job, { do: 'free' | 'covered' }>,
  bytes: Uint8Array,
): Promise<JobAnswer | undefined> {
  const [{ isWhole }, { lookAtDrawn }] = await Promise.all([
    import('../plain.ts'),
    import('../space/look.ts'),
  ]);
  const facts = isWhole(bytes) ? lookAtDrawn(bytes, job) : undefined;
  return facts ? { facts } : plainAtOnce(job, bytes);
}

/** Seals in this process: a stamped file is always sound, an uploaded one only if it is plain. */
const sealAtOnce = async (job: Job, bytes: Uint8Array): Promise<JobAnswer | undefined> =>
  job.do === 'certify' ? (await import('./work.ts')).carryOut(job, bytes) : plainAtOnce(job, bytes);

async function plainAtOnce(job: Job, bytes: Uint8Array): Promise<JobAnswer | undefined> {
  const [{ isPlain }, { carryOut }] = await Promise.all([import('../plain.ts'), import('./work.ts')]);
  return isPlain(bytes) ? carryOut(job, bytes) : undefined;
}
