// Verifies a file: its verdict, its signatures and everything that is wrong with it, the pages that look different now, and the answers to the three questions that a
// person has about a signature. A file is not valid if a single part of it is not.

import { sha256Of } from '../../../common/sha256.ts';
import type {
  CompareVersionsAnswer,
  DocumentEngine,
  DrawnOver,
  DrawnText,
  OtherValue,
  VersionToCompare,
} from '../../../pdf/engine/engine.ts';
import type { Box } from '../../../pdf/geometry.ts';
import {
  type AlgorithmPolicy,
  type Change,
  changedTexts,
  createObjectKinds,
  type DynamicContent,
  dynamicContentOf,
  type EvidenceReport,
  effectOf,
  evidenceOf,
  type Fault,
  isOfGroup,
  isOriginalOf,
  type Judgement,
  judgeAppearance,
  judgementOf,
  type Level,
  mayHaveToCompare,
  type OriginalMatch,
  type PdfReport,
  readPdf,
  type SignatureReport,
  type SignatureVerdict,
  type Trust,
  valuesMissing,
  verifyPdf,
  versionsToCompare,
} from '../../../pdf/verify/verify.ts';

export type Verdict = SignatureVerdict | 'unsigned' | 'damaged' | 'encrypted' | 'not_a_pdf';

export type VerifiedFile = {
  path: string;
  verdict: Verdict;
  signatures: SignatureReport[];
  emptyFields: string[];
  evidence: EvidenceReport | undefined;
  /** Tells whether it was made from the file that was named as its original; undefined where none was. */
  original: OriginalMatch | undefined;
  /** These faults are of the file as a whole. */
  faults: Fault[];
  remarks: VerifyRemark[];
  /** Tells whether pages still show what they showed when they were signed. */
  rendering: Rendering;
  sizeBytes: number;
  /** Says in words what an object of the file is. */
  kindOfObject(number: number): string;
  /** Pages that look different now than when they were signed, for a report with pictures. */
  pictures?: Pictures;
};

export type VerifyOptions = {
  /** `named` is tried first; `all` opens a database, and is called only if `named` does not suffice. */
  trust: { named: Trust; all(): Promise<Trust> };
  now: number;
  level: Level | undefined;
  /** Its dates replace those of the standard. */
  policy?: AlgorithmPolicy | undefined;
  original: { path: string; bytes: Uint8Array } | undefined;
  /** The password opens encrypted files. */
  password: string | undefined;
  /** The text of a page of the file, counted from 0, and of boxes on it; undefined where it cannot be read. */
  textOfPage(bytes: Uint8Array): (page: number, boxes: readonly Box[]) => Promise<DrawnText | undefined>;
  /** Nothing is compared where it is absent. */
  compareVersions: CompareVersions | undefined;
  /** Draws pages that look different now, for a report. */
  drawChanges?: ((bytes: Uint8Array, versions: readonly VersionToCompare[]) => Promise<Pictures>) | undefined;
  /** Computes for some seconds at most, in which a signal ends the program. */
  computing?: <T>(work: () => T) => T;
  /** Called before signatures are verified, where pages will probably be compared. */
  prepareToCompare?(): Promise<void>;
};

/** The signature over the evidence: a timestamp before it says nothing of what is in the file. */
export const sealIn = (signatures: readonly SignatureReport[]): SignatureReport | undefined =>
  signatures.find(({ kind }) => kind === 'signature');

export async function verifyFile(
  path: string,
  bytes: Uint8Array,
  options: VerifyOptions,
): Promise<VerifiedFile> {
  const { computing = (work) => work() } = options;
  const read = computing(() => readPdf(bytes, options.password));
  if (read.ok && options.compareVersions && mayHaveToCompare(read)) await options.prepareToCompare?.();
  const report = await verifyWithTrust(read, options);
  const nothing = {
    path,
    signatures: [],
    emptyFields: [],
    faults: [],
    remarks: [],
    rendering: { state: 'not_needed' } as const,
    sizeBytes: bytes.length,
    kindOfObject: read.ok ? createObjectKinds(read) : () => 'not readable',
  };
  if (!report.ok) {
    const unread = { ...nothing, evidence: undefined, original: undefined };
    if (report.reason === 'password_wrong' || report.reason === 'handler_unknown')
      return { ...unread, verdict: 'encrypted', faults: [lockedFault(report.reason, options)] };
    if (report.reason === 'too_complex')
      return { ...unread, verdict: 'damaged', faults: [{ code: 'too_complex' }] };
    return { ...unread, verdict: report.reason === 'not_a_pdf' ? 'not_a_pdf' : 'damaged' };
  }
  const evidence = evidenceOf(report.file, sealIn(report.signatures)?.covers);
  const faults: Fault[] = [
    ...(report.isCut ? [{ code: 'too_many_signatures' } as const] : []),
    ...(evidence ? [...evidence.faults, ...(await valueFaults(evidence, bytes, options))] : []),
  ];
  const original = options.original && isOriginalOf(options.original.bytes, report.file, evidence);
  if (original && original !== 'yes') {
    const code = original === 'changed_by_sender' ? 'original_changed' : 'original_differs';
    faults.push({ code, details: { file: options.original?.path ?? '' } });
  }
  const compared = await compareDrawnPages(report, bytes, options);
  faults.push(...compared.faults);
  return {
    ...nothing,
    rendering: compared.rendering,
    verdict: verdictOn(report, faults),
    signatures: report.signatures,
    remarks: [
      ...irregularities(report),
      ...bytesAppended(report),
      ...computing(() => dynamicContent(report)),
      ...changedTexts(report).map((text) => ({ code: 'metadata_changed', ...text }) as const),
      ...compared.remarks,
    ],
    emptyFields: report.emptyFields,
    evidence,
    original,
    faults,
    ...(options.drawChanges && { pictures: await options.drawChanges(bytes, versionsToCompare(report)) }),
  };
}

/** Verifies with the given certificates, and with those of the system only if a signer is not trusted otherwise. */
async function verifyWithTrust(
  read: ReturnType<typeof readPdf>,
  { trust, now, level, password, policy, computing = (work) => work() }: VerifyOptions,
) {
  const report = computing(() => verifyPdf(read, { trust: trust.named, now, level, password, policy }));
  const isUntrusted = ({ code, details }: Fault) => code === 'untrusted' || details?.why === 'untrusted';
  if (!report.ok || !report.signatures.some(({ faults }) => faults.some(isUntrusted))) return report;
  const all = await trust.all();
  return all === trust.named
    ? report
    : computing(() => verifyPdf(read, { trust: all, now, level, password, policy }));
}

function lockedFault(reason: 'password_wrong' | 'handler_unknown', { password }: VerifyOptions): Fault {
  if (reason === 'handler_unknown') return { code: 'encryption_unknown' };
  return { code: password === undefined ? 'password_required' : 'password_wrong' };
}

async function valueFaults(
  evidence: EvidenceReport,
  bytes: Uint8Array,
  options: VerifyOptions,
): Promise<Fault[]> {
  const missing = await valuesMissing(evidence, options.textOfPage(bytes));
  return missing.map((field) => ({ code: 'value_not_shown', details: { field } }));
}

const irregularities = ({ irregularity }: PdfReport): VerifyRemark[] =>
  irregularity ? [{ code: 'signed_part_irregular', ...irregularity }] : [];

/** Only signed files are searched: nobody vouches for what another file shows. */
const dynamicContent = ({ file, signatures }: PdfReport): VerifyRemark[] =>
  signatures.length === 0
    ? []
    : dynamicContentOf(file.latest).map(({ page, ...content }) => ({
        code: 'dynamic_content',
        ...content,
        page: page === undefined ? undefined : page + 1,
      }));

/** Names what stands behind the last save, unless a fault says more of it. */
function bytesAppended({ signatures }: PdfReport): VerifyRemark[] {
  const last = signatures.findLast(({ covers }) => covers !== undefined);
  return last && isFollowedByBytes(last) && last.covers
    ? [{ code: 'bytes_appended', at: last.covers.end }]
    : [];
}

/** Tells whether a signature covers the last save, and the file does not end there. */
export const isFollowedByBytes = ({ covers, laterSaves, faults }: SignatureReport): boolean =>
  covers?.isWholeFile === false &&
  laterSaves.length === 0 &&
  !faults.some((fault) => isOfGroup(fault, 'changes'));

/** A timestamp alone says when, and not who: such a file is not signed. */
function verdictOn({ signatures }: PdfReport, faults: Fault[]): Verdict {
  const ofSignatures = judgementOf(signatures.flatMap((signature) => signature.faults));
  if (ofSignatures.verdict !== 'invalid' && !signatures.some(({ kind }) => kind === 'signature'))
    return 'unsigned';
  return judgementOf([...faults, ...signatures.flatMap((signature) => signature.faults)]).verdict;
}

/** Why the file has its verdict, and the signature that decides; none where the file as a whole does, or nothing is at fault. */
export function decisionOn(file: VerifiedFile): Judgement & { signature: SignatureReport | undefined } {
  const judgement = judgementOf(allFaults(file));
  const { fault } = judgement;
  return {
    ...judgement,
    signature: file.signatures.find(({ faults }) => faults.some((candidate) => candidate === fault)),
  };
}

/** Every fault of the file and its signatures. */
export const allFaults = ({ signatures, faults }: VerifiedFile): Fault[] => [
  ...signatures.flatMap((signature) => signature.faults),
  ...faults,
];

/**
 * `not_needed`: nothing that a page draws was saved after the signatures, or they are invalid anyway. `skipped`: not asked for. `compared`: how many
 * of the pages were drawn and compared.
 */
type Rendering = { state: 'not_needed' | 'skipped' } | { state: 'compared'; pages: number; of: number };

/** Compares the file with an earlier version of it. */
type CompareVersions = (bytes: Uint8Array, version: VersionToCompare) => Promise<CompareVersionsAnswer>;

type ComparedPages = { rendering: Rendering; faults: Fault[]; remarks: VerifyRemark[] };

/** Compares nothing if a signature is invalid already. */
export async function compareDrawnPages(
  report: PdfReport,
  bytes: Uint8Array,
  {
    compareVersions,
    password,
  }: { compareVersions: CompareVersions | undefined; password: string | undefined },
): Promise<ComparedPages> {
  const versions = versionsToCompare(report);
  const isInvalid = report.signatures.some(({ faults }) => judgementOf(faults).verdict === 'invalid');
  if (isInvalid || versions.length === 0) return without({ state: 'not_needed' });
  if (!compareVersions) return without({ state: 'skipped' });
  let rendering: Rendering = { state: 'compared', pages: 0, of: 0 };
  const remarks = createRemarks();
  for (const version of versions) {
    const answer = await compareVersions(bytes, { ...version, ...(password !== undefined && { password }) });
    const faults = judgeAppearance(answer);
    if (answer.ok) {
      const { compared, pageCount } = answer;
      rendering = { state: 'compared', pages: Math.max(rendering.pages, compared), of: pageCount };
    }
    if (!answer.ok || faults.length > 0) return without(rendering, faults);
    remarks.add(answer);
  }
  return { rendering, faults: [], remarks: remarks.all() };
}

const without = (rendering: Rendering, faults: Fault[] = []): ComparedPages => ({
  rendering,
  faults,
  remarks: [],
});

/** Each signed version is compared with the file, so that the same is found several times. */
function createRemarks() {
  const pages = new Map<number, Set<string>>();
  const fields = new Map<string, VerifyRemark>();
  return {
    add({ drawnOver, otherValues }: { drawnOver: readonly DrawnOver[]; otherValues: readonly OtherValue[] }) {
      for (const { page, words } of drawnOver)
        pages.set(page, new Set([...(pages.get(page) ?? []), ...words]));
      for (const { page, field, value, shown, isDrawn } of otherValues)
        fields.set(`${page} ${field}`, {
          code: 'value_shown_differently',
          page: page + 1,
          field,
          value,
          shown,
          ...(isDrawn && { isDrawn }),
        });
    },
    all: (): VerifyRemark[] => [
      ...[...pages].map(
        ([page, words]): VerifyRemark => ({ code: 'drawn_over_text', page: page + 1, words: [...words] }),
      ),
      ...fields.values(),
    ],
  };
}

/** Pages counted from 0, each with its pictures (PNG); one that could not be drawn has none. */
type Pictures = readonly {
  page: number;
  signed: Uint8Array | undefined;
  now: Uint8Array | undefined;
}[];

const MOST_PAGES = 10;
const HOW = { dpi: 72, maxPixels: 1_000_000 };

export async function changedPictures(
  bytes: Uint8Array,
  versions: readonly VersionToCompare[],
  documents: Pick<DocumentEngine, 'drawPage'>,
): Promise<Pictures> {
  const first = [...versions].sort((a, b) => a.end - b.end)[0];
  if (!first) return [];
  const pictures: { page: number; signed: Uint8Array | undefined; now: Uint8Array | undefined }[] = [];
  const drawn = async (version: Uint8Array, page: number) => {
    const source = { sha256: sha256Of(version), bytes: async () => version };
    const answer = await documents.drawPage(source, page, HOW, 'verify');
    return answer.ok ? answer.png : undefined;
  };
  for (const page of first.pages.slice(0, MOST_PAGES)) {
    const [signed, now] = [await drawn(bytes.subarray(0, first.end), page), await drawn(bytes, page)];
    const isSame = signed && now && Buffer.from(signed).equals(now);
    if (!isSame && (signed || now)) pictures.push({ page, signed, now });
  }
  return pictures;
}

/** `part` is a word of PDF syntax, `at` a place in bytes, `page` counts from 1. */
export type VerifyRemark =
  | { code: 'signed_part_irregular'; part: string; object?: number; at: number }
  /** Behind the last save, which a signature covers to its end: comments, or blanks. */
  | { code: 'bytes_appended'; at: number }
  /** Programs show it differently, although it is unchanged. */
  | ({ code: 'dynamic_content' } & DynamicContent)
  /** A later save changed what viewers show beside the document, and not in it. */
  | { code: 'metadata_changed'; property: 'title' | 'author'; before: string; after: string }
  /** It has no words where it lies over a scan or a drawing. */
  | { code: 'drawn_over_text'; page: number; words: string[] }
  | {
      code: 'value_shown_differently';
      page: number;
      field: string;
      value: string;
      shown: string;
      /** It shows more than text. */
      isDrawn?: boolean;
    };

type Unchanged = 'yes' | 'no' | 'unknown';

export type Answers = {
  /** "yes" says that the signed bytes are those that were signed, and that nothing was done afterwards that the signature does not allow. */
  unchanged: Unchanged;
  /** Additions that are allowed. */
  added: Change['kind'][];
  /** True if the certificate leads to a trusted authority, and nothing is doubtful about it. */
  isSignerProven: boolean;
  isTimeProven: boolean;
};

export function answersOf({ faults, covers, chain, proven, changes }: SignatureReport): Answers {
  // Who signed a document that somebody changed later has signed it all the same.
  const ofSignature = faults.filter((fault) => !isOfGroup(fault, 'changes'));
  return {
    unchanged: covers ? unchangedBy(faults) : worseOf('unknown', unchangedBy(faults)),
    added: [...new Set(changes.map(({ kind }) => kind))],
    isSignerProven:
      chain?.anchor !== undefined && ofSignature.every((fault) => effectOf(fault).question === 'requirement'),
    isTimeProven: proven !== undefined && unchangedBy(ofSignature) === 'yes',
  };
}

const FOR_INTEGRITY: Record<SignatureVerdict, Unchanged> = {
  valid: 'yes',
  indeterminate: 'unknown',
  invalid: 'no',
};

function unchangedBy(faults: readonly Fault[]): Unchanged {
  const effects = faults.map(effectOf).filter(({ question }) => question === 'integrity');
  return effects.map(({ verdict }) => FOR_INTEGRITY[verdict]).reduce(worseOf, 'yes');
}

/** Answers for a file with signatures: the worst answer about a signature, or about the file as a whole, counts. */
export const unchangedIn = (signatures: readonly SignatureReport[], faults: readonly Fault[]): Unchanged =>
  signatures.map((signature) => answersOf(signature).unchanged).reduce(worseOf, unchangedBy(faults));

const BEST_FIRST: readonly Unchanged[] = ['yes', 'unknown', 'no'];

const worseOf = (first: Unchanged, second: Unchanged): Unchanged =>
  BEST_FIRST.indexOf(second) > BEST_FIRST.indexOf(first) ? second : first;
