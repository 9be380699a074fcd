// Makes the field of a line with its label: of which type it is, and where it stands.
import type { FieldType } from '../../api/contract/fields.ts';
import type { Blank } from '../../pdf/engine/engine.ts';
import type { Box, Size } from '../../pdf/geometry.ts';
import { FIELD_SIZES } from '../field-sizes.ts';
import { roundPoints } from '../length.ts';
import type { LabelKind, WordReader } from './label-words.ts';
import { findLabels, type Label } from './labels.ts';
import { SUGGESTION_LIMITS } from './limits.ts';
import type { Tokens } from './names.ts';
import type { ReadPage } from './phrases.ts';
import type { Suggestion } from './suggestion.ts';

const TYPES: Record<LabelKind, FieldType> = {
  signature: 'signature',
  party: 'signature',
  witness: 'signature',
  initials: 'initials',
  date: 'date',
  place: 'text',
  name: 'person_name',
  email: 'email',
  company: 'text',
  text: 'text',
};

/** What everybody can fill in who signs: somebody may have no title, and the address may be known already. */
const COMMON: readonly LabelKind[] = ['signature', 'party', 'witness', 'initials', 'date', 'place', 'name'];

/** Of the page: under a longer line stands text that only begins like a label, unless it says "signature". */
const LONGEST_LINE = 0.75;
/** A signature on a long line is no wider than this. */
const WIDEST_SIGNATURE = 240;
/** Between a field and what stands above it, and the least height of a field: a line of small print. */
const ABOVE = 2;
const LOWEST = 7;
/** A field keeps this distance from the borders of its cell. */
const INSIDE = 2;

/** @param names of the people who may sign. @returns fields in reading order of the pages */
export function fieldsOfBlanks(
  pages: readonly ReadPage[],
  sizes: readonly Size[],
  read: WordReader,
  names: readonly Tokens[],
): Suggestion[] {
  const fields: Suggestion[] = [];
  for (const page of pages) {
    const size = sizes[page.page];
    if (!size) continue;
    if (fields.length > SUGGESTION_LIMITS.suggestions) break;
    const labels = findLabels(page, read, names);
    const isSigned = labels.some((label) => label && TYPES[label.kind] === 'signature');
    for (const [index, blank] of page.blanks.entries()) {
      const label = labels[index];
      // An empty cell of a table that nobody signs is for those who write the document.
      if (!label || (blank.isCell && !isSigned)) continue;
      const type = TYPES[label.kind];
      if (label.kind !== 'signature' && label.kind !== 'initials' && blank.width > size.width * LONGEST_LINE)
        continue;
      const box = boxOn(blank, type, size);
      if (box) fields.push(suggestionOf(page.page, type, box, label));
    }
  }
  return fields;
}

function suggestionOf(
  page: number,
  type: FieldType,
  box: Box,
  { kind, text, box: words, isCertain, row, role }: Label,
): Suggestion {
  return {
    from: 'line',
    type,
    page,
    box,
    properties: { label: text },
    isCertain: isCertain && COMMON.includes(kind),
    role,
    words: { text, box: words },
    context: { own: row === undefined ? [text] : [row, text], block: [] },
    ...(kind === 'witness' && { isWitness: true }),
  };
}

function boxOn(blank: Blank, type: FieldType, page: Size): Box | undefined {
  const isSignature = type === 'signature' || type === 'initials';
  const usual = FIELD_SIZES[type];
  const inside = blank.isCell ? INSIDE : 0;
  const height = Math.min(usual.height, blank.room - ABOVE - inside);
  if (height < LOWEST) return undefined;
  const most = isSignature ? Math.max(usual.width, WIDEST_SIGNATURE) : page.width;
  const x = Math.max(0, blank.x + inside);
  return {
    x: roundPoints(x),
    y: roundPoints(Math.max(0, blank.y - inside - height)),
    width: roundPoints(Math.min(blank.width - 2 * inside, most, page.width - x)),
    height: roundPoints(height),
  };
}
