// Warns about the place of a field before it is sent: the field covers text, or no empty place was found for it.
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Box } from '../../pdf/geometry.ts';
import type { Uses } from '../command/context.ts';
import type { FieldBox } from './placement.ts';
import { warnOfRemarks } from './remarks.ts';

export type FieldWarning = {
  code:
    | 'field_covers_text'
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

/** A document as PDF, which the engine has inspected. */
export type ReadyPdf = { name: string; sha256: string; pdf: Uint8Array };

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
