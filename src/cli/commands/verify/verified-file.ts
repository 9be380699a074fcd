// What was found out about one file: its verdict, its signatures and everything that is wrong with it. It must never call a
// file valid of which a single part is not.

import type { PageText } from '../../../pdf/engine/engine.ts';
import type { PdfReport, SignatureReport } from '../../../pdf/signature/verify.ts';
import {
  type EvidenceReport,
  evidenceOf,
  type Fault,
  isOriginalOf,
  type Level,
  valuesMissing,
  verifyPdf,
} from '../../../pdf/signature/verify.ts';
import type { Trusted } from './trust.ts';

export type Verdict = 'valid' | 'invalid' | 'unsigned' | 'damaged' | 'not_a_pdf';

export type VerifiedFile = {
  path: string;
  verdict: Verdict;
  signatures: SignatureReport[];
  emptyFields: string[];
  evidence: EvidenceReport | undefined;
  /** Whether it was made from the file that was named as its original; undefined where none was. */
  original: 'yes' | 'no' | 'of_another_document' | undefined;
  /** Of the file as a whole. */
  faults: Fault[];
  sizeBytes: number;
};

export type Wish = {
  trust: Trusted;
  now: number;
  level: Level | undefined;
  original: { path: string; bytes: Uint8Array } | undefined;
  /** The text of a page of the file, counted from 0; undefined where it cannot be had. */
  textOfPage(bytes: Uint8Array): (page: number) => Promise<PageText | undefined>;
};

export async function verifyFile(path: string, bytes: Uint8Array, wish: Wish): Promise<VerifiedFile> {
  const report = await verified(bytes, wish);
  const nothing = { path, signatures: [], emptyFields: [], faults: [], sizeBytes: bytes.length };
  if (!report.ok) {
    const verdict = report.reason === 'not_a_pdf' ? 'not_a_pdf' : 'damaged';
    return { ...nothing, verdict, evidence: undefined, original: undefined };
  }
  const faults: Fault[] = report.isCut ? [{ code: 'too_many_signatures' }] : [];
  const evidence = evidenceOf(report.file, report.signatures[0]?.covers?.end);
  if (evidence) faults.push(...evidence.faults, ...(await valueFaults(evidence, bytes, wish)));
  const original = wish.original && isOriginalOf(wish.original.bytes, report.file, evidence);
  if (original && original !== 'yes')
    faults.push({ code: 'original_differs', facts: { file: wish.original?.path ?? '' } });
  return {
    ...nothing,
    verdict: verdictOn(report, faults),
    signatures: report.signatures,
    emptyFields: report.emptyFields,
    evidence,
    original,
    faults,
  };
}

/** Whom else this machine trusts is looked up where somebody is not trusted without. */
async function verified(bytes: Uint8Array, { trust, now, level }: Wish) {
  const report = verifyPdf(bytes, { trust: trust.given, now, level });
  const isUntrusted = ({ code, facts }: Fault) => code === 'untrusted' || facts?.why === 'untrusted';
  if (!report.ok || !report.signatures.some(({ faults }) => faults.some(isUntrusted))) return report;
  const all = await trust.all();
  return all === trust.given ? report : verifyPdf(bytes, { trust: all, now, level });
}

async function valueFaults(evidence: EvidenceReport, bytes: Uint8Array, wish: Wish): Promise<Fault[]> {
  const missing = await valuesMissing(evidence, wish.textOfPage(bytes));
  return missing.map((field) => ({ code: 'value_not_shown', facts: { field } }));
}

/** A timestamp alone says when, and not who: such a file is not signed. */
function verdictOn({ signatures }: PdfReport, faults: Fault[]): Verdict {
  if (signatures.some((signature) => signature.faults.length > 0)) return 'invalid';
  if (!signatures.some(({ kind }) => kind === 'signature')) return 'unsigned';
  return faults.length > 0 ? 'invalid' : 'valid';
}

/** Every fault, with the signature it is about. */
export const allFaults = ({ signatures, faults }: VerifiedFile): Fault[] => [
  ...signatures.flatMap((signature) => signature.faults),
  ...faults,
];
