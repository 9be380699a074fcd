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
  /** It is the built `process.ts`. */
  program?: string | undefined;
  /** This LibreOffice converts DOCX. */
  office?: OfficeSetting;
  /** Tests set another time limit of a job. */
  timeMs?: number;
  /** It is called before a child process is started. */
  onChild?: () => void;
};

export function createOneShotEngine({
  program,
  office,
  timeMs,
  onChild,
}: OneShotOptions = {}): DocumentEngine {
  // The command counts the pages of a file, and the service in the same process then asks for the same.
  const inspections = new Map<string, Promise<JobAnswer>>();
  let closing: { reason: unknown } | undefined;
  let worker: ReturnType<typeof openWorker> | undefined;

  const openOnce = async () => {
    onChild?.();
    worker ??= openWorker(program, timeMs);
    const { close } = await worker;
    if (closing) close(closing.reason);
    return worker;
  };
  const runInChild: RunJob = async (job, source, owner) => (await openOnce()).run(job, source, owner);

  const work: RunJob = async (job, source, owner) => {
    if (closing) return answerClosed(closing.reason);
    return (await runInProcess(job, source)) ?? runInChild(job, source, owner);
  };

  const run: RunJob = (job, source, owner) => {
    if (job.do !== 'inspect') return work(job, source, owner);
    const key = `${source.sha256} ${job.maxPages}`;
    const cached = inspections.get(key);
    if (cached) return cached;
    const answer = work(job, source, owner);
    if (inspections.size < ENGINE_LIMITS.rememberedResults) inspections.set(key, answer);
    return answer;
  };

  let converting: Promise<WithOffice> | undefined;
  const convertWithOffice: RunJob = async (job, source, owner) => {
    onChild?.();
    converting ??= import('./with-office.ts').then(({ withOffice }) => withOffice(run, office));
    const { run: convert, close } = await converting;
    if (closing) close(closing.reason);
    return convert(job, source, owner);
  };
  const isDocx = (job: Job): boolean => job.do === 'convert' && job.type === 'docx';

  return engineOver(
    (job, source, owner) => (isDocx(job) ? convertWithOffice : run)(job, source, owner),
    async (reason) => {
      closing = { reason };
      (await converting)?.close(reason);
      (await worker)?.close(reason);
    },
    async () => {
      if (closing) return;
      const { start } = await openOnce();
      if (!closing) start();
    },
  );
}

function answerClosed(reason: unknown): JobAnswer {
  if (reason === undefined) return BUSY;
  throw reason;
}

async function openWorker(program: string | undefined, timeMs: number | undefined) {
  const [{ createEngineWorker: createLane }, { timeLimitOf: timeOf }] = await Promise.all([
    import('./worker.ts'),
    import('./pool.ts'),
  ]);
  const worker = createLane({
    memoryBytes: ENGINE_LIMITS.memoryBytes,
    isKept: true,
    isWaitedFor: true,
    program,
  });
  const run: RunJob = (job, source, owner) => worker.run(job, source, owner, timeMs ?? timeOf(job));
  return { run, start: worker.start, close: worker.close };
}

type RunIfPlain = Extract<
  Job,
  { do: 'compare' | 'find' | 'words' | 'form' | 'braced' | 'blanks' | 'remove' }
>;

const RUN_IF_PLAIN: readonly Job['do'][] = [
  'compare',
  'find',
  'words',
  'form',
  'braced',
  'blanks',
  'remove',
] satisfies RunIfPlain['do'][];

const isRunIfPlain = (job: Job): job is RunIfPlain => RUN_IF_PLAIN.includes(job.do);

/** Runs a job in this process. Returns undefined where that might take long. */
async function runInProcess(job: Job, source: Source): Promise<JobAnswer | undefined> {
  if (job.do === 'draw' || job.do === 'text' || job.do === 'check') return undefined;
  const bytes = await source.bytes();
  if (bytes.length > ENGINE_LIMITS.inProcessBytes) return undefined;
  if (job.do === 'certify' || job.do === 'stamp') return sealInProcess(job, bytes);
  // Only documents that are not plain are compared.
  if (job.do === 'compare_stamped') return undefined;
  if (job.do === 'free' || job.do === 'covered') return readInProcess(job, bytes);
  if (job.do === 'braced' && (await isWithoutTags(bytes)))
    return { result: { ok: true, texts: [], unfinished: [], isCut: false } as JobAnswer['result'] };
  if (isRunIfPlain(job)) return runIfPlain(job, bytes);
  if (job.do === 'inspect') return inspectInProcess(bytes, job);
  if (job.type !== 'png' && job.type !== 'jpeg') return undefined;
  const { isSmallImage } = await import('../images/small-image.ts');
  if (!isSmallImage(bytes, job.type)) return undefined;
  const { runJob } = await import('./work.ts');
  return runJob(job, bytes);
}

async function isWithoutTags(bytes: Uint8Array): Promise<boolean> {
  const [{ isWhole }, { mayContainTags }] = await Promise.all([
    import('../read/plain.ts'),
    import('../content/tag-scan.ts'),
  ]);
  return isWhole(bytes) && !mayContainTags(bytes);
}

async function inspectInProcess(
  bytes: Uint8Array,
  limits: { maxPages: number },
): Promise<JobAnswer | undefined> {
  const [{ isPlain, isWhole }, { soundPages }] = await Promise.all([
    import('../read/plain.ts'),
    import('../read/sound-pages.ts'),
  ]);
  if (!isWhole(bytes)) return undefined;
  const sound = soundPages(bytes, limits);
  if (sound) return { result: { ok: true, ...sound, isPlain: isPlain(bytes) } };
  const { inspectSound } = await import('../render/inspect.ts');
  const inspecting = inspectSound(bytes, limits);
  // PDFium compiles on threads of its own meanwhile.
  const plain = { isPlain: isPlain(bytes) };
  const result = await inspecting;
  return result && { result: { ...result, ...plain } };
}

/** Reads a file without PDFium where the result is certain, and with PDFium in this process where no page can be slow. */
async function readInProcess(
  job: Extract<Job, { do: 'free' | 'covered' }>,
  bytes: Uint8Array,
): Promise<JobAnswer | undefined> {
  const [{ isWhole }, { answerByDrawn }] = await Promise.all([
    import('../read/plain.ts'),
    import('../render/free-boxes.ts'),
  ]);
  const result = isWhole(bytes) ? answerByDrawn(bytes, job) : undefined;
  return result ? { result } : runIfPlain(job, bytes);
}

/** Seals in this process: a stamped file is always sound, an uploaded one only if it is plain. */
const sealInProcess = async (job: Job, bytes: Uint8Array): Promise<JobAnswer | undefined> =>
  job.do === 'certify' ? (await import('./work.ts')).runJob(job, bytes) : runIfPlain(job, bytes);

async function runIfPlain(job: Job, bytes: Uint8Array): Promise<JobAnswer | undefined> {
  const [{ isPlain }, { runJob }] = await Promise.all([import('../read/plain.ts'), import('./work.ts')]);
  return isPlain(bytes) ? runJob(job, bytes) : undefined;
}
