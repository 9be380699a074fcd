// Makes the field of a line with its label: of which type it is, and where it stands.
import type { FieldType } from '../../api/contract/fields.ts';
import type { Blank, PageBlanks } from '../../pdf/engine/engine.ts';
import type { Box, Size } from '../../pdf/geometry.ts';
import { FIELD_SIZES } from '../field-sizes.ts';
import { roundPoints } from '../length.ts';
import { type LabelKind, readerFor } from './label-words.ts';
import { findLabels, type Label } from './labels.ts';
import type { Suggestion } from './suggestion.ts';

const TYPES: Record<LabelKind, FieldType> = {
  signature: 'signature',
  party: 'signature',
  initials: 'initials',
  date: 'date',
  place: 'text',
  name: 'person_name',
  email: 'email',
  text: 'text',
};

/** Of the page: under a longer line stands text that only begins like a label, unless it asks for a signature. */
const LONGEST_LINE = 0.75;
/** A signature on a long line is no wider than this. */
const WIDEST_SIGNATURE = 240;
/** Between a field and what stands above it, and the least height that is left to it. */
const ABOVE = 2;
const LOWEST: Partial<Record<FieldType, number>> = { signature: 20, initials: 16 };
const LOWEST_TEXT = 10;

/** In reading order of the pages. */
export function fieldsOfBlanks(pages: readonly PageBlanks[], sizes: readonly Size[]): Suggestion[] {
  const read = readerFor(pages.flatMap(({ words }) => words.map(({ text }) => text)));
  return pages.flatMap((page) => {
    const size = sizes[page.page];
    if (!size) return [];
    const labels = findLabels(page, read);
    return page.blanks.flatMap((blank, index) => {
      const label = labels[index];
      const box = label && boxOn(blank, label, size);
      return label && box ? [suggestionOf(page.page, box, label)] : [];
    });
  });
}

function suggestionOf(page: number, box: Box, { kind, text, box: words }: Label): Suggestion {
  return {
    from: 'line',
    type: TYPES[kind],
    page,
    box,
    properties: { label: text },
    words: { text, box: words },
  };
}

function boxOn(blank: Blank, { kind }: Label, page: Size): Box | undefined {
  const type = TYPES[kind];
  const isSignature = type === 'signature' || type === 'initials';
  if (!isSignature && blank.width > page.width * LONGEST_LINE) return undefined;
  const usual = FIELD_SIZES[type];
  const height = Math.min(usual.height, blank.room - ABOVE);
  if (height < (LOWEST[type] ?? LOWEST_TEXT)) return undefined;
  const most = isSignature ? Math.max(usual.width, WIDEST_SIGNATURE) : page.width;
  const x = Math.max(0, blank.x);
  return {
    x: roundPoints(x),
    y: roundPoints(Math.max(0, blank.y - height)),
    width: roundPoints(Math.min(blank.width, most, page.width - x)),
    height: roundPoints(height),
  };
}
