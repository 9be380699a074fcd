// Prints remarks about documents of which something could not be kept or shown, and warnings about the places of fields: one that covers text, one
// without an empty place, a tag that stays text. A person gets warnings, a job of GitHub Actions annotations; `--json` has them as data.
import type { ReceivedDocument } from '../../api/contract/transactions.ts';
import type { DocumentEngine, ListedBraced } from '../../pdf/engine/engine.ts';
import type { Box } from '../../pdf/geometry.ts';
import { readTag } from '../../placement/tags/read-tag.ts';
import type { Uses } from '../command/context.ts';
import type { Table } from '../command/outcome.ts';
import type { ReadyPdf, SearchedPdf } from '../input/documents.ts';
import type { FieldBox } from './boxes.ts';

/** A remark in a response; everything is read leniently. */
type DocumentRemark = { code: string; message: string; page?: number | undefined };

/** The remarks about one document, with its name. */
export type DocumentRemarks = { name: string; remarks: readonly DocumentRemark[] };

/** Reads the remarks of a response. Other services send none; anything that is not a remark is ignored. */
export function remarksIn(answer: { remarks?: unknown }): DocumentRemark[] {
  const { remarks } = answer;
  return Array.isArray(remarks) ? remarks.filter(isRemark) : [];
}

const isRemark = (value: unknown): value is DocumentRemark => {
  const { code, message } = (value ?? {}) as Partial<DocumentRemark>;
  return typeof code === 'string' && typeof message === 'string';
};

/** Codes of remarks about content that the signers would not see, though the sender's file has it. */
const LOSSES: ReadonlySet<string> = new Set(['content_not_shown']);

export const lossesIn = ({ remarks }: DocumentRemarks): DocumentRemark[] =>
  remarks.filter(({ code }) => LOSSES.has(code));

export function warnOfRemarks(
  { terminal: { actions, progress } }: Uses<'terminal'>,
  { name, remarks }: DocumentRemarks,
): void {
  for (const { code, message } of remarks) {
    const sentence = `${name}: ${message}`;
    if (actions) actions.warn(code, sentence);
    else progress.warn(sentence);
  }
}

export const readDocumentRemarks = (documents: readonly ReceivedDocument[]): DocumentRemarks[] =>
  documents
    .map((document) => ({ name: document.file?.original_name ?? document.id, remarks: remarksIn(document) }))
    .filter(({ remarks }) => remarks.length > 0);

/** Makes the table for a pipe: the document, the code, the page from 1, the sentence. */
export const remarkTable = (documents: readonly DocumentRemarks[]): Table & { key: string } => ({
  key: 'remark',
  columns: ['DOCUMENT', 'CODE', 'PAGE', { name: 'REMARK', fit: 'wraps' }],
  rows: documents.flatMap(({ name, remarks }) =>
    remarks.map(({ code, page, message }) => [
      name,
      code,
      page === undefined ? undefined : page + 1,
      message,
    ]),
  ),
});

/** Mentions documents with tags, which stay text without --tags. */
export async function warnOfTags(
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: Pick<DocumentEngine, 'listBraced'>,
): Promise<FieldWarning[]> {
  for (const pdf of pdfs) {
    if (!pdf) continue;
    const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
    const answer = await documents.listBraced(source, { from: 0, to: pdf.pages.length }, 'own');
    if (!answer.ok || answer.texts.length === 0) continue;
    const first = answer.texts.find(({ text }) => readTag(text).kind !== 'other');
    if (first) return [tagsUnread(first, pdf.name)];
  }
  return [];
}

const tagsUnread = ({ text, page }: ListedBraced, document: string): FieldWarning => ({
  code: 'tags_unread',
  message: `Page ${page + 1} has the tag ${text.replace(/\s+/g, ' ')}, which stays text. To make fields of tags, use --tags.`,
  ...{ document, page, type: '', recipient: null, words: [] },
});

export type FieldWarning = {
  code:
    | 'field_covers_text'
    | 'field_covers_field'
    | 'recipient_without_signature'
    | 'no_empty_place'
    | 'value_drawn'
    | 'form_field_omitted'
    | 'form_field_different'
    | 'tags_unread';
  message: string;
  /** The name of the document. */
  document: string;
  /** From 0. */
  page: number;
  type: string;
  /** The email of the recipient. */
  recipient: string | null;
  /** The words under the field, in reading order; none where no place was found. */
  words: string[];
};

/** `words`: where the words are that it was placed at, which it may cover. */
export type FieldOnPage = { type: string; recipient: string | null; box: FieldBox; words?: Box | undefined };

type Documents = Pick<DocumentEngine, 'coveredText'>;

/** Makes one warning for each field that covers words. It skips a page that cannot be read in time, which the service checks. */
export async function findCoveredFields(
  { name, sha256, pdf }: ReadyPdf,
  fields: readonly FieldOnPage[],
  documents: Documents,
): Promise<FieldWarning[]> {
  const warnings: FieldWarning[] = [];
  const source = { sha256, bytes: async () => pdf };
  for (const page of new Set(fields.map(({ box }) => box.page))) {
    const onPage = fields.filter(({ box }) => box.page === page);
    const boxes = onPage.map(({ box: { positionX: x, positionY: y, width, height }, words }) => ({
      ...{ x, y, width, height },
      ...(words && { except: [words] }),
    }));
    const covered = await documents.coveredText(source, page, boxes, 'own');
    for (const [index, { type, recipient }] of onPage.entries()) {
      const words = covered.ok ? (covered.words[index] ?? []) : [];
      if (words.length === 0) continue;
      const message = `${subject(type, recipient)} on page ${page + 1} covers the text "${excerpt(words)}".`;
      warnings.push({ code: 'field_covers_text', message, document: name, page, type, recipient, words });
    }
  }
  return warnings;
}

/** Fields beside each other may touch, and a date may stand in a large box. */
const LARGEST_OVERLAP = 0.5;

/** Makes one warning for each field that covers most of an earlier one, or stands in it. */
export function findOverlappingFields(document: string, fields: readonly FieldOnPage[]): FieldWarning[] {
  return fields.flatMap((field, index) => {
    const covered = fields.slice(0, index).find((earlier) => isOverlapping(earlier.box, field.box));
    if (!covered) return [];
    const { type, recipient, box } = field;
    const message = `${subject(covered.type, covered.recipient)} and the ${type} field${recipient === null ? '' : ` for ${recipient}`} on page ${box.page + 1} cover each other. Move one of them, such as with at=right, match=2 or DX,DY.`;
    return [{ code: 'field_covers_field', message, document, page: box.page, type, recipient, words: [] }];
  });
}

function isOverlapping(box: FieldBox, other: FieldBox): boolean {
  if (box.page !== other.page) return false;
  const shared = (start: number, size: number, otherStart: number, otherSize: number) =>
    Math.max(0, Math.min(start + size, otherStart + otherSize) - Math.max(start, otherStart));
  const common =
    shared(box.positionX, box.width, other.positionX, other.width) *
    shared(box.positionY, box.height, other.positionY, other.height);
  return common > LARGEST_OVERLAP * Math.max(box.width * box.height, other.width * other.height);
}

/** The types of the fields that a recipient signs in. */
export const SIGNED_IN: ReadonlySet<string> = new Set(['signature', 'initials']);

type Held = { type: string; document: string; page: number };

/** Makes the warning for a signer who has fields, none of which signs. @returns undefined for a signer who has none, who gets a signature */
export function unsignedWarning(email: string, fields: readonly Held[]): FieldWarning | undefined {
  const [first] = fields;
  if (!first || fields.some(({ type }) => SIGNED_IN.has(type))) return undefined;
  const { document, page } = first;
  const message = `${email} has fields, but none for a signature or initials. Add one, such as --field 'signature@"WORDS"=${email},at=below'.`;
  return {
    ...{ code: 'recipient_without_signature', message, document, page },
    ...{ type: 'signature', recipient: email, words: [] },
  };
}

export function emptyPlaceWarning(document: string, { type, recipient, box }: FieldOnPage): FieldWarning {
  const message = `${subject(type, recipient)} is at the foot of page ${box.page + 1}, which has no empty place for it. To choose a place, use --field.`;
  return { code: 'no_empty_place', message, document, page: box.page, type, recipient, words: [] };
}

const subject = (type: string, recipient: string | null): string =>
  `The ${type} field${recipient === null ? '' : ` for ${recipient}`}`;

const LONGEST_EXCERPT = 60;

/** Joins as many of the first words as fit. */
function excerpt(words: readonly string[]): string {
  const text = words.join(' ');
  if (text.length <= LONGEST_EXCERPT) return text;
  const cut = text.slice(0, LONGEST_EXCERPT);
  return `${cut.slice(0, Math.max(1, cut.lastIndexOf(' ')))} …`;
}

export function warnOfFields(context: Uses<'terminal'>, warnings: readonly FieldWarning[]): void {
  for (const { document, code, message, page } of warnings)
    warnOfRemarks(context, { name: document, remarks: [{ code, message, page }] });
}
