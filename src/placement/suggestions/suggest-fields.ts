// Reads a document for the fields that it seems to ask for, and for whom they are: its form, its tags, and its lines to write on.

import type { FieldType } from '../../api/contract/fields.ts';
import type { Blank, DocumentEngine, Source } from '../../pdf/engine/engine.ts';
import { type Box, isOverlapping, type Size } from '../../pdf/geometry.ts';
import { placeChoices } from '../form-choices.ts';
import { turnForm } from '../form-fields.ts';
import { FIELD_SIZES, roundPoints } from '../sizes.ts';
import { boxOfTag, readTag } from '../tags/read-tag.ts';
import { withBlocks } from './blocks.ts';
import { type LabelKind, type ReadPage, readerFor, readPages, type WordReader } from './label-words.ts';
import { findLabels, type Label } from './labels.ts';
import { nameTokens, type Tokens } from './names.ts';
import { type Holder, type Person, readParties, shareRecipients } from './parties.ts';
import { SUGGESTION_LIMITS, type Suggestion } from './suggestion.ts';

type Documents = Pick<DocumentEngine, 'findBlanks' | 'listBraced' | 'listWords' | 'readForm'>;

export type SharedSuggestion = Suggestion & Holder;

export type SuggestedFields = {
  /** Suggestions come in reading order. */
  suggestions: SharedSuggestion[];
  /** Some of the document could not be read. */
  isPartial: boolean;
};

/**
 * What cannot be read has no suggestions: they are an offer, and no error is worth the way to it.
 * @param pages in their order
 * @param people who may sign; undefined: as many as the document asks for
 */
export async function suggestFields(
  documents: Documents,
  source: Source,
  pages: readonly Size[],
  owner: string,
  people: readonly Person[] | undefined,
): Promise<SuggestedFields> {
  const range = { from: 0, to: pages.length };
  const form = await suggestOfForm(documents, source, pages, owner);
  const tags = await documents.listBraced(source, range, owner);
  const blanks = await documents.findBlanks(source, range, owner);
  const read = readPages(blanks.ok ? blanks.pages : [], pages);
  const reader = readerFor(read.flatMap(({ words }) => words.map(({ text }) => text)));
  const names = (people ?? []).map(({ name }) => nameTokens(name));
  const everything = [
    ...form.suggestions,
    ...(tags.ok ? tags.texts : []).flatMap(({ page, text, boxes }) => suggestOfTag(pages, page, text, boxes)),
    ...fieldsOfBlanks(read, pages, reader, names),
  ];
  const ordered = withoutDoubles(everything).sort(inReadingOrder);
  const suggestions = inBlocks(ordered, read);
  const parties = readParties(read, people ?? [], reader);
  const holders = shareRecipients(suggestions, parties, people?.length);
  return {
    suggestions: suggestions.map((suggestion, index) => withHolder(suggestion, holders[index]!)),
    isPartial: form.isPartial || !tags.ok || tags.isCut || !blanks.ok,
  };
}

/** A field of a line is required only where it is certain what it is for and whose it is. */
function withHolder(suggestion: Suggestion, holder: Holder): SharedSuggestion {
  const { from, type, isCertain, block, properties } = suggestion;
  const isRequired =
    from !== 'line' || type === 'signature' || (isCertain && block !== undefined && !holder.isGuessed);
  return {
    ...suggestion,
    ...holder,
    properties: isRequired ? properties : { ...properties, is_required: false },
  };
}

/** Numbers go on from page to page. */
function inBlocks(suggestions: readonly Suggestion[], pages: readonly ReadPage[]): Suggestion[] {
  let next = 0;
  return [...new Set(suggestions.map(({ page }) => page))].flatMap((page) => {
    const here = suggestions.filter((suggestion) => suggestion.page === page);
    const read = pages.find((item) => item.page === page) ?? { phrases: [], blanks: [] };
    const blocked = withBlocks(here, read, next);
    next += here.length;
    return blocked;
  });
}

async function suggestOfForm(
  documents: Documents,
  source: Source,
  pages: readonly Size[],
  owner: string,
): Promise<{ suggestions: Suggestion[]; isPartial: boolean }> {
  const form = await documents.readForm(source, owner);
  if (!form.ok) return { suggestions: [], isPartial: form.reason !== 'no_form' };
  // The document stays as it is: a field over a value that is drawn already would show two.
  const { fields } = turnForm(form.fields, pages, { mayChange: false });
  const words = [];
  for (const page of new Set(fields.filter(({ buttons }) => buttons).map((field) => field.page))) {
    const listed = await documents.listWords(source, { from: page, to: page + 1 }, owner);
    if (listed.ok) words.push(...listed.words);
  }
  const placed = placeChoices(fields, words, pages);
  return {
    suggestions: placed.map(({ type, page, box, properties }) => ({
      ...{ from: 'form', type, page, box, properties },
    })),
    isPartial: false,
  };
}

function suggestOfTag(
  pages: readonly Size[],
  page: number,
  text: string,
  boxes: readonly Box[],
): Suggestion[] {
  const tag = readTag(text);
  const size = pages[page];
  if (tag.kind !== 'tag' || !size) return [];
  const { x, y, width, height } = boxOfTag(tag, boxes, size);
  const box = {
    x: roundPoints(x),
    y: roundPoints(y),
    width: roundPoints(width),
    height: roundPoints(height),
  };
  return [{ from: 'tag', type: tag.type, page, box, properties: tag.properties }];
}

/** A form and its tags often stand on a line as well: what says most about the field comes first. */
function withoutDoubles(suggestions: readonly Suggestion[]): Suggestion[] {
  const unique: Suggestion[] = [];
  for (const suggestion of suggestions)
    if (!unique.some((other) => other.page === suggestion.page && isOverlapping(other.box, suggestion.box)))
      unique.push(suggestion);
  return unique;
}

/** Fields on one line are read from left to right. */
const LINE = 6;

function inReadingOrder(a: Suggestion, b: Suggestion): number {
  if (a.page !== b.page) return a.page - b.page;
  const [bottom, otherBottom] = [a.box.y + a.box.height, b.box.y + b.box.height];
  return Math.abs(bottom - otherBottom) < LINE ? a.box.x - b.box.x : bottom - otherBottom;
}

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

/** Everybody who signs can fill these in: somebody may have no title, and the address may be known already. */
const COMMON: readonly LabelKind[] = ['signature', 'party', 'witness', 'initials', 'date', 'place', 'name'];

/** Text under a line that is longer than this share of the page only begins like a label, unless it says "signature". */
const LONGEST_LINE = 0.75;
/** A signature on a long line is no wider than this. */
const WIDEST_SIGNATURE = 240;
/** A field keeps this distance from what stands above it, and is at least as high as a line of small print. */
const ABOVE = 2;
const LOWEST = 7;
/** A field keeps this distance from the borders of its cell. */
const INSIDE = 2;

function fieldsOfBlanks(
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
    context: { field: row === undefined ? [text] : [row, text], block: [] },
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
