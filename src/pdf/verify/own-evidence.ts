// Reads the evidence that a document sealed by esign carries, and tells whether its entries follow from each other and the document
// is the one it tells of. It must never be believed for itself: it is worth what the signature over it is worth.
import { isUtf8 } from 'node:buffer';
import { sha256Of } from '../../common/sha256.ts';
import { type Box, isOverlapping } from '../geometry.ts';
import { VERIFY_LIMITS } from '../limits.ts';
import type { PdfFile } from '../read/read-pdf.ts';
import type { DrawnText } from '../text/text-layer.ts';
import {
  checkEvidence,
  type Evidence,
  type EvidenceDocument,
  type EvidenceField,
} from '../write/certificate/evidence.ts';
import { associatedFiles, EVIDENCE_FILE } from '../write/certificate/evidence-file.ts';
import type { Fault } from './findings.ts';
import { hashOfBeginning, saveEndingAt } from './signature.ts';
import type { SignatureReport } from './verify-pdf.ts';

export type EvidenceReport = {
  evidence: Evidence | undefined;
  document: EvidenceDocument | undefined;
  faults: Fault[];
};

/**
 * Reads the evidence from the version that the seal covers. A later save can attach another, which is not sealed.
 * @param covers what the seal covers; undefined without one
 * @returns undefined for a document that carries none
 */
export function evidenceOf(file: PdfFile, covers: SignatureReport['covers']): EvidenceReport | undefined {
  const view = covers ? file.view(covers.save) : file.latest;
  const [attached, ...more] = associatedFiles(view, EVIDENCE_FILE);
  if (attached === undefined) return undefined;
  const data = more.length === 0 ? view.data(attached) : undefined;
  const read = data && data.length <= VERIFY_LIMITS.evidenceBytes ? checked(data) : undefined;
  if (!read?.ok) {
    const entry = read?.entry === undefined ? {} : { entry: String(read.entry) };
    const fault: Fault = { code: 'evidence_wrong', details: { why: read?.fault ?? 'not_json', ...entry } };
    return { evidence: undefined, document: undefined, faults: [fault] };
  }
  const { evidence } = read;
  // What is sealed is the beginning of the file, so each document can be named by all of them. It is a whole file: evidence that was
  // in the file that was sent stands in it, and cannot name its hash.
  const document = evidence.documents.find(
    ({ content }) =>
      content.bytes < (covers?.end ?? 0) &&
      saveEndingAt(file, content.bytes) !== undefined &&
      hashOfBeginning(file, 'sha256', content.bytes).digest('hex') === content.sha256,
  );
  return { evidence, document, faults: document ? [] : [{ code: 'evidence_of_another' }] };
}

/** Bytes that are no UTF-8, which readers replace each in its own way, and text that is nested too deep are no evidence of ours. */
function checked(data: Buffer): ReturnType<typeof checkEvidence> | undefined {
  if (!isUtf8(data)) return undefined;
  try {
    return checkEvidence(data.toString('utf8'));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** With `changed_by_sender` the sender's program stated that it made the uploaded file from it, which nothing proves. */
export type OriginalMatch = 'yes' | 'no' | 'of_another_document' | 'changed_by_sender';

/**
 * Tells whether `original` is what the signed document was made from: by the hash in its evidence, or because the signed file begins
 * with its bytes, as files do that others signed. What was added to it before the signature is not judged: the signer signed that.
 */
export function isOriginalOf(
  original: Uint8Array,
  file: PdfFile,
  evidence: EvidenceReport | undefined,
): OriginalMatch {
  const digest = sha256Of(original);
  if (evidence?.document?.original.sha256 === digest) return 'yes';
  if (evidence?.document?.preparation?.original.sha256 === digest) return 'changed_by_sender';
  if (evidence?.evidence?.documents.some((document) => document.original.sha256 === digest))
    return 'of_another_document';
  return !evidence && isBeginningOf(original, file) ? 'yes' : 'no';
}

/** Tells whether the file begins with it, and one of its saves ends there. */
function isBeginningOf(original: Uint8Array, file: PdfFile): boolean {
  const isSame = file.bytes.subarray(0, original.length).equals(original);
  return isSame && saveEndingAt(file, original.length) !== undefined;
}

// ── values on their pages ───────────────────────────────────────────────────────────────────────────────────────────

// Other scripts come back from a page in another order than they were written in.
const COMPARABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]+$/u;
const DRAWN_AS_MARKS = new Set(['checkbox', 'signature', 'initials']);

/**
 * Lists labels of fields whose value is neither in the box of the field nor in one piece elsewhere on the page. The text of a page alone
 * would not tell: a value of several lines may stand beside another one, whose lines come in between.
 * @param textOfPage asks for the text of a page, counted from 0, and of boxes on it
 */
export async function valuesMissing(
  { evidence, document }: EvidenceReport,
  textOfPage: (page: number, boxes: readonly Box[]) => Promise<DrawnText | undefined>,
): Promise<string[]> {
  const shown = (evidence?.fields ?? []).filter(
    (field) =>
      field.document_id === document?.id &&
      !DRAWN_AS_MARKS.has(field.type) &&
      writtenIn(field) !== '' &&
      COMPARABLE.test(writtenIn(field)),
  );
  const missing: string[] = [];
  const ofDocument = (evidence?.fields ?? []).filter((field) => field.document_id === document?.id);
  for (const page of new Set(shown.map((field) => field.page))) {
    const fields = shown.filter((field) => field.page === page);
    const onPage = ofDocument.filter((field) => field.page === page);
    const text = await textOfPage(
      page,
      fields.map(({ x, y, width, height }) => ({ x, y, width, height })),
    );
    if (!text || text.isCut) continue;
    const drawn = condensed(text.drawn);
    for (const [index, field] of fields.entries()) {
      const wanted = writtenIn(field);
      const inBox = condensed(text.inBoxes[index] ?? '');
      const isThere = inBox.includes(wanted) || drawn.includes(wanted);
      if (!isThere && !isMixedIn(inBox, wanted, field, onPage)) missing.push(field.label);
    }
  }
  return missing;
}

/** More fields than any page has are not compared with each other. */
const MOST_COMPARED = 2000;

/**
 * Where boxes lie over each other, letters of other values come between those of the value. PDFium reads two equal letters at one place
 * once, so that a letter which another of these values has as well may be missing.
 */
function isMixedIn(
  inBox: string,
  wanted: string,
  field: EvidenceField,
  onPage: readonly EvidenceField[],
): boolean {
  if (onPage.length > MOST_COMPARED) return hasInOrder(inBox, wanted, '');
  const others = onPage.filter((other) => other !== field && isOverlapping(other, field));
  return others.length > 0 && hasInOrder(inBox, wanted, others.map(writtenIn).join(''));
}

/** More letters of a value that are missing are not explained by letters at the same place. */
const MOST_READ_ONCE = 2;

/** @param readOnce letters of which some may be missing in the text */
export function hasInOrder(text: string, wanted: string, readOnce: string): boolean {
  // Where the text goes on after the letters so far: at the position N if N of them are missing in it, infinite if that cannot be.
  let ends: readonly number[] = [
    0,
    ...Array.from({ length: MOST_READ_ONCE }, () => Number.POSITIVE_INFINITY),
  ];
  for (const letter of wanted) {
    const isReadOnce = readOnce.includes(letter);
    ends = ends.map((end, missing) => {
      const at = end === Number.POSITIVE_INFINITY ? -1 : text.indexOf(letter, end);
      const withLetter = at < 0 ? Number.POSITIVE_INFINITY : at + letter.length;
      const without = isReadOnce ? (ends[missing - 1] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
      return Math.min(withLetter, without);
    });
  }
  return ends.some((end) => end < Number.POSITIVE_INFINITY);
}

const writtenIn = ({ value, written }: EvidenceField): string => condensed(written ?? value ?? '');

/** Drops blanks, which a page does not keep, and hyphens that the end of a line adds. */
const condensed = (text: string): string => text.normalize('NFKC').replace(/[\s\u00ad-]+/g, '');
