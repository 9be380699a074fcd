// What was found out about one file: its verdict, its signatures and everything that is wrong with it. It must never call a
// file valid of which a single part is not.

import type { DrawnText, VersionToCompare } from '../../../pdf/engine/engine.ts';
import type { Box } from '../../../pdf/geometry.ts';
import type { PdfReport, SignatureReport } from '../../../pdf/verify/verify.ts';
import {
  type AlgorithmPolicy,
  changedTexts,
  createObjectKinds,
  dynamicContentOf,
  type EvidenceReport,
  evidenceOf,
  type Fault,
  isOfGroup,
  isOriginalOf,
  type Judgement,
  judgementOf,
  type Level,
  mayHaveToCompare,
  type OriginalMatch,
  readPdf,
  type SignatureVerdict,
  valuesMissing,
  verifyPdf,
  versionsToCompare,
} from '../../../pdf/verify/verify.ts';
import type { Pictures } from './changed-pictures.ts';
import { type CompareVersions, compareDrawnPages, type Rendering } from './compare-pages.ts';
import type { VerifyRemark } from './remarks.ts';
import type { Trusted } from './trust.ts';

export type Verdict = SignatureVerdict | 'unsigned' | 'damaged' | 'encrypted' | 'not_a_pdf';

export type VerifiedFile = {
  path: string;
  verdict: Verdict;
  signatures: SignatureReport[];
  emptyFields: string[];
  evidence: EvidenceReport | undefined;
  /** Whether it was made from the file that was named as its original; undefined where none was. */
  original: OriginalMatch | undefined;
  /** Of the file as a whole. */
  faults: Fault[];
  /** What no signature is at fault for, and people should know. */
  remarks: VerifyRemark[];
  /** Whether pages still show what they showed when they were signed. */
  rendering: Rendering;
  sizeBytes: number;
  /** What an object of the file is, in words. */
  kindOfObject(number: number): string;
  /** Of pages that look different now than when they were signed, where they were asked for. */
  pictures?: Pictures;
};

export type VerifyOptions = {
  trust: Trusted;
  now: number;
  level: Level | undefined;
  /** In place of the dates of the standard. */
  policy?: AlgorithmPolicy | undefined;
  original: { path: string; bytes: Uint8Array } | undefined;
  /** Of encrypted files. */
  password: string | undefined;
  /** The text of a page of the file, counted from 0, and of boxes on it; undefined where it cannot be read. */
  textOfPage(bytes: Uint8Array): (page: number, boxes: readonly Box[]) => Promise<DrawnText | undefined>;
  /** Without it, nothing is compared. */
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
  wish: VerifyOptions,
): Promise<VerifiedFile> {
  const { computing = (work) => work() } = wish;
  const read = computing(() => readPdf(bytes, wish.password));
  if (read.ok && wish.compareVersions && mayHaveToCompare(read)) await wish.prepareToCompare?.();
  const report = await verifyWithTrust(read, wish);
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
      return { ...unread, verdict: 'encrypted', faults: [lockedFault(report.reason, wish)] };
    if (report.reason === 'too_complex')
      return { ...unread, verdict: 'damaged', faults: [{ code: 'too_complex' }] };
    return { ...unread, verdict: report.reason === 'not_a_pdf' ? 'not_a_pdf' : 'damaged' };
  }
  const evidence = evidenceOf(report.file, sealIn(report.signatures)?.covers);
  const faults: Fault[] = [
    ...(report.isCut ? [{ code: 'too_many_signatures' } as const] : []),
    ...(evidence ? [...evidence.faults, ...(await valueFaults(evidence, bytes, wish))] : []),
  ];
  const original = wish.original && isOriginalOf(wish.original.bytes, report.file, evidence);
  if (original && original !== 'yes') {
    const code = original === 'changed_by_sender' ? 'original_changed' : 'original_differs';
    faults.push({ code, facts: { file: wish.original?.path ?? '' } });
  }
  const compared = await compareDrawnPages(report, bytes, wish);
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
    ...(wish.drawChanges && { pictures: await wish.drawChanges(bytes, versionsToCompare(report)) }),
  };
}

/** Verifies with the given certificates, and with those of the system only if a signer is not trusted otherwise. */
async function verifyWithTrust(
  read: ReturnType<typeof readPdf>,
  { trust, now, level, password, policy, computing = (work) => work() }: VerifyOptions,
) {
  const report = computing(() => verifyPdf(read, { trust: trust.given, now, level, password, policy }));
  const isUntrusted = ({ code, facts }: Fault) => code === 'untrusted' || facts?.why === 'untrusted';
  if (!report.ok || !report.signatures.some(({ faults }) => faults.some(isUntrusted))) return report;
  const all = await trust.all();
  return all === trust.given
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
  wish: VerifyOptions,
): Promise<Fault[]> {
  const missing = await valuesMissing(evidence, wish.textOfPage(bytes));
  return missing.map((field) => ({ code: 'value_not_shown', facts: { field } }));
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

/** What stands behind the last save, unless a fault says more of it. */
function bytesAppended({ signatures }: PdfReport): VerifyRemark[] {
  const last = signatures.findLast(({ covers }) => covers !== undefined);
  return last && isFollowedByBytes(last) && last.covers
    ? [{ code: 'bytes_appended', at: last.covers.end }]
    : [];
}

/** Whether a signature covers the last save, and the file does not end there. */
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
