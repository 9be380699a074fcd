// Defines the interface of the document engine, which works on documents in this process (`in-process.ts`, `one-shot.ts`) or in a pool of
// child processes (`pool.ts`): reads, draws and searches pages, makes a PDF, draws values into one, and appends a certificate. `engineOver`
// makes an engine of a function that runs jobs; `work.ts` does the jobs.

import type { DocxRefusal } from '../../docx/not-usable.ts';
import type { Replaced } from '../fonts/alternatives.ts';
import type { Box, PageBox } from '../geometry.ts';
import type { ImagePdf, ImageType } from '../images/image-to-pdf.ts';
import type { Ink } from '../images/ink.ts';
import type { TooComplex } from '../limits.ts';
import type { FormRead } from '../read/form/form.ts';
import type { PdfRemark } from '../remarks.ts';
import type { VersionsCompared, VersionToCompare } from '../render/comparison/compare-versions.ts';
import type { FreeBoxes, WantedPlace } from '../render/free-boxes.ts';
import type { InspectedPdf, PdfRefusal } from '../render/inspect.ts';
import type { DrawOptions, RenderResult } from '../render/render.ts';
import type { BlankSearch } from '../text/blanks/find-blanks.ts';
import type { BracedListed } from '../text/braced-texts.ts';
import type { CoveredText, CoveringBox } from '../text/covered-text.ts';
import type { PageRange, WordQuery, WordSearch } from '../text/find-words.ts';
import type { WordsListed } from '../text/page-words.ts';
import type { TextRead } from '../text/text-layer.ts';
import type { CertificateContent, CertifyResult } from '../write/certificate/content.ts';
import type { NotSealable, StampPlan, StampResult } from '../write/plan.ts';
import type { BracedPlace, TextsRemoved } from '../write/removal/removal.ts';
import { findBlanksInParts, findInParts, listBracedInParts, listInParts } from './in-parts.ts';

export type { AcroFormField, FormOption, FormPlace, FormWidget } from '../read/form/form.ts';
export type {
  DrawnOver,
  VersionDifference,
  VersionToCompare,
} from '../render/comparison/compare-versions.ts';
export type { OtherValue } from '../render/comparison/filled-values.ts';
export type { WantedPlace } from '../render/free-boxes.ts';
export type { DrawOptions } from '../render/render.ts';
export type { Blank, PageBlanks } from '../text/blanks/find-blanks.ts';
export type { ListedBraced } from '../text/braced-texts.ts';
export type { PageRange, QueryResult, WordQuery, WordsMatch } from '../text/find-words.ts';
export type { PlacedWord } from '../text/page-words.ts';
export type { DrawnText, PageText } from '../text/text-layer.ts';
export type {
  CertificateContent,
  CertifiedDocument,
  Party,
  PartyStep,
} from '../write/certificate/content.ts';
export type {
  NotSealable,
  Removed,
  RemovedCode,
  StampField,
  StampPlan,
  StampRemark,
} from '../write/plan.ts';
export type { BracedPlace, NotRemovable, NotRemovableReason } from '../write/removal/removal.ts';

/** A file on disk goes by its path, so that a child reads it itself. */
export type Source = {
  sha256: string;
  path?: string | undefined;
  bytes(): Promise<Uint8Array>;
};

/** Too much other work was waiting, or the engine is about to close. Says nothing about the file. */
export type Busy = { ok: false; reason: 'busy' };

/** Files of these kinds become a PDF. */
export type ConvertedType = ImageType | 'docx';

/** No page of a plain file can be slow to draw. Any other file may turn out slow when its pages are drawn. */
export type Plain = { isPlain: boolean };

export type InspectAnswer = (InspectedPdf & Plain) | PdfRefusal | Busy;
/** `usedMs` is the processor time that it took, as on a machine that is not slow; absent where it was not counted. */
export type DrawAnswer = (RenderResult | Busy) & { usedMs?: number | undefined };
export type ReadTextAnswer = TextRead | Busy;
export type ConvertAnswer =
  | ({ ok: true; pdf: Uint8Array; pages: PageBox[]; remarks: PdfRemark[] } & Plain)
  | Extract<ImagePdf, { ok: false }>
  | DocxRefusal
  | TooComplex
  | Busy;

export type InkAnswer = Ink | Busy;
export type FreeBoxesAnswer = FreeBoxes | Busy;
export type CoveredTextAnswer = CoveredText | Busy;
export type FindWordsAnswer = WordSearch | Busy;
export type ListWordsAnswer = WordsListed | Busy;
export type FindBlanksAnswer = BlankSearch | Busy;
export type ListBracedAnswer = BracedListed | Busy;
export type RemoveBracedAnswer = TextsRemoved | Busy;
export type ReadFormAnswer = FormRead | Busy;

export type StampAnswer = StampResult | Busy;
/** `differingPage` is the first page, from 0, that would show something else. */
export type CompareStampedAnswer = { ok: true; differingPage?: number } | NotSealable | TooComplex | Busy;
export type CertifyAnswer = CertifyResult | TooComplex | Busy;
export type CompareVersionsAnswer = VersionsCompared | Busy;

/** `owner` is the company whose work it is: owners that wait get turns. */
export type DocumentEngine = {
  inspect(source: Source, limits: { maxPages: number }, owner: string): Promise<InspectAnswer>;
  drawPage(source: Source, pageIndex: number, options: DrawOptions, owner: string): Promise<DrawAnswer>;
  /**
   * Reads the text of a page with its places, for a page that was listed.
   * @param boxes on the page as it is displayed, of which the text is wanted as well
   */
  readText(source: Source, pageIndex: number, owner: string, boxes?: readonly Box[]): Promise<ReadTextAnswer>;
  /** Finds words in a document of which so many pages were listed. */
  findWords(
    source: Source,
    pageCount: number,
    queries: readonly WordQuery[],
    owner: string,
  ): Promise<FindWordsAnswer>;
  /** Lists all words of pages that were listed. */
  listWords(source: Source, pages: PageRange, owner: string): Promise<ListWordsAnswer>;
  /** Lists all texts in double braces of pages that were listed. */
  listBraced(source: Source, pages: PageRange, owner: string): Promise<ListBracedAnswer>;
  /** Writes the document anew without some of its texts in double braces. The same document and texts give the same bytes. */
  removeBraced(source: Source, texts: readonly BracedPlace[], owner: string): Promise<RemoveBracedAnswer>;
  /** Finds the lines to write on of pages that were listed, with the words of these pages. */
  findBlanks(source: Source, pages: PageRange, owner: string): Promise<FindBlanksAnswer>;
  /** Reads the fields of a document's form, with their places on pages that were listed. */
  readForm(source: Source, owner: string): Promise<ReadFormAnswer>;
  /** Finds empty boxes on a page that was listed, the lowest of the wanted size. */
  findFreeBoxes(
    source: Source,
    pageIndex: number,
    wanted: WantedPlace,
    owner: string,
  ): Promise<FreeBoxesAnswer>;
  /** Lists the words of a page that was listed which lie under each box. */
  coveredText(
    source: Source,
    pageIndex: number,
    boxes: readonly CoveringBox[],
    owner: string,
  ): Promise<CoveredTextAnswer>;
  toPdf(source: Source, type: ConvertedType, owner: string): Promise<ConvertAnswer>;
  /** Extracts the ink of a picture, without its paper, as a new PNG. */
  inkOf(source: Source, type: ImageType, owner: string): Promise<InkAnswer>;
  /** Writes the document anew with values in its pages. The same document and plan give the same bytes. */
  stamp(source: Source, plan: StampPlan, owner: string): Promise<StampAnswer>;
  /** Tells whether a stamped document would show what the pages show, outside of the values. */
  compareStamped(source: Source, plan: StampPlan, owner: string): Promise<CompareStampedAnswer>;
  /** Appends a certificate, the evidence inside, and an empty field for the seal to a stamped document. */
  certify(
    source: Source,
    content: CertificateContent,
    evidence: string,
    owner: string,
  ): Promise<CertifyAnswer>;
  /** Tells whether the pages show the same as in an earlier version of the file. */
  compareVersions(source: Source, version: VersionToCompare, owner: string): Promise<CompareVersionsAnswer>;
  /** Starts the process that later jobs run in, so that it is ready when the first job arrives. */
  prepare(): Promise<void>;
  /** Ends jobs in progress: they reject with `reason`, or are answered with `busy` where none is given. */
  close(reason?: unknown): Promise<void>;
};

/** A job is data, because it goes to another process as it is. */
export type Job =
  /** `isConverted` says that the file is also checked for letters that the program that made it had no font for. */
  | { do: 'inspect'; maxPages: number; isConverted?: true }
  | ({ do: 'draw'; pageIndex: number } & DrawOptions)
  | { do: 'text'; pageIndex: number; boxes?: readonly Box[] }
  | { do: 'find'; pages: PageRange; queries: readonly WordQuery[] }
  | { do: 'words'; pages: PageRange }
  | { do: 'braced'; pages: PageRange }
  | { do: 'remove'; texts: readonly BracedPlace[] }
  | { do: 'blanks'; pages: PageRange }
  | { do: 'form' }
  | { do: 'free'; pageIndex: number; wanted: WantedPlace }
  | { do: 'covered'; pageIndex: number; boxes: readonly CoveringBox[] }
  | { do: 'convert'; type: ConvertedType }
  | { do: 'ink'; type: ImageType }
  | { do: 'stamp'; plan: StampPlan }
  | { do: 'compare_stamped'; plan: StampPlan }
  | { do: 'compare'; version: VersionToCompare }
  | { do: 'certify'; content: CertificateContent; evidence: string }
  /** Checks a DOCX and rewrites it, so that the result may be given to another program. */
  | { do: 'check' };

/** `result` travels as JSON, beside the bytes of a file if it has one. */
export type JobAnswer = {
  result: JobResult;
  bytes?: Uint8Array | undefined;
  /** The job took this processor time, as on a machine that is not slow. */
  usedMs?: number | undefined;
};
type JobResult = {
  ok: boolean;
  reason?: string;
  isPlain?: boolean;
  remarks?: PdfRemark[];
  hasFormulas?: boolean;
  fonts?: Replaced;
  lacksGlyphs?: boolean;
};

export type RunJob = (job: Job, source: Source, owner: string) => Promise<JobAnswer>;

export const tooComplexAnswer = (limit: string): JobAnswer => ({
  result: { ok: false, reason: 'too_complex', limit } as JobResult,
});
export const BUSY: JobAnswer = { result: { ok: false, reason: 'busy' } };

/** @param run runs a job, in this process or in another */
export function engineOver(
  run: RunJob,
  close: DocumentEngine['close'],
  prepare: DocumentEngine['prepare'] = async () => undefined,
): DocumentEngine {
  const shared = shareRuns(run);
  return {
    async inspect(source, { maxPages }, owner) {
      const { result, bytes } = await shared({ do: 'inspect', maxPages }, source, owner);
      return { ...result, ...(bytes && { repaired: bytes }) } as InspectAnswer;
    },
    async drawPage(source, pageIndex, { dpi, maxPixels, marks, grid }, owner) {
      const job: Job = { do: 'draw', pageIndex, dpi, maxPixels, marks, grid };
      const { result, bytes, usedMs } = await shared(job, source, owner);
      return onPage({ ...result, ...(bytes && { png: bytes }), usedMs } as DrawAnswer, pageIndex);
    },
    async readText(source, pageIndex, owner, boxes) {
      const { result } = await shared({ do: 'text', pageIndex, ...(boxes && { boxes }) }, source, owner);
      return onPage(result as ReadTextAnswer, pageIndex);
    },
    async findWords(source, pageCount, queries, owner) {
      return findInParts((job) => shared(job, source, owner), pageCount, queries);
    },
    async listWords(source, pages, owner) {
      return listInParts((job) => shared(job, source, owner), pages);
    },
    async listBraced(source, pages, owner) {
      return listBracedInParts((job) => shared(job, source, owner), pages);
    },
    async removeBraced(source, texts, owner) {
      const { result, bytes } = await run({ do: 'remove', texts }, source, owner);
      return { ...result, ...(bytes && { pdf: bytes }) } as RemoveBracedAnswer;
    },
    async findBlanks(source, pages, owner) {
      return findBlanksInParts((job) => shared(job, source, owner), pages);
    },
    async readForm(source, owner) {
      const { result } = await shared({ do: 'form' }, source, owner);
      return result as ReadFormAnswer;
    },
    async findFreeBoxes(source, pageIndex, wanted, owner) {
      const { result } = await shared({ do: 'free', pageIndex, wanted }, source, owner);
      return onPage(result as FreeBoxesAnswer, pageIndex);
    },
    async coveredText(source, pageIndex, boxes, owner) {
      const { result } = await shared({ do: 'covered', pageIndex, boxes }, source, owner);
      return onPage(result as CoveredTextAnswer, pageIndex);
    },
    async toPdf(source, type, owner) {
      const { result, bytes } = await shared({ do: 'convert', type }, source, owner);
      return { ...result, ...(bytes && { pdf: bytes }) } as ConvertAnswer;
    },
    async inkOf(source, type, owner) {
      const { result, bytes } = await shared({ do: 'ink', type }, source, owner);
      return { ...result, ...(bytes && { png: bytes }) } as InkAnswer;
    },
    async stamp(source, plan, owner) {
      const { result, bytes } = await run({ do: 'stamp', plan }, source, owner);
      return { ...result, ...(bytes && { pdf: bytes }) } as StampAnswer;
    },
    async compareStamped(source, plan, owner) {
      const { result } = await shared({ do: 'compare_stamped', plan }, source, owner);
      return result as CompareStampedAnswer;
    },
    async certify(source, content, evidence, owner) {
      const { result, bytes } = await run({ do: 'certify', content, evidence }, source, owner);
      return { ...result, ...(bytes && { pdf: bytes }) } as CertifyAnswer;
    },
    async compareVersions(source, version, owner) {
      const { result } = await shared({ do: 'compare', version }, source, owner);
      return result as CompareVersionsAnswer;
    },
    prepare,
    close,
  };
}

const onPage = <T extends DrawAnswer | ReadTextAnswer | FreeBoxesAnswer | CoveredTextAnswer>(
  answer: T,
  pageIndex: number,
): T => (!answer.ok && answer.reason === 'too_complex' ? { ...answer, page: pageIndex + 1 } : answer);

/** Shares one run between identical jobs on the same content that are requested at the same time. */
function shareRuns(run: RunJob): RunJob {
  const underWay = new Map<string, Promise<JobAnswer>>();
  return (job, source, owner) => {
    const key = `${source.sha256} ${JSON.stringify(job)}`;
    const pending = underWay.get(key);
    if (pending) return pending;
    const answer = run(job, source, owner).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}
