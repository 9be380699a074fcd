// Reads a document for the fields that it seems to ask for, and for whom they are: its form, its tags, and its lines to write on.
import type { DocumentEngine, Source } from '../../pdf/engine/engine.ts';
import { type Box, isOverlapping, type Size } from '../../pdf/geometry.ts';
import { placeChoices } from '../form-choices.ts';
import { turnForm } from '../form-fields.ts';
import { roundPoints } from '../length.ts';
import { boxOfTag } from '../tags/place-tag.ts';
import { readTag } from '../tags/read-tag.ts';
import { fieldsOfBlanks } from './blank-fields.ts';
import { withBlocks } from './blocks.ts';
import { readerFor } from './label-words.ts';
import { nameTokens } from './names.ts';
import { type Person, readParties } from './parties.ts';
import { type ReadPage, readPages } from './phrases.ts';
import { type Holder, shareRecipients } from './share-recipients.ts';
import type { Suggestion } from './suggestion.ts';

type Documents = Pick<DocumentEngine, 'findBlanks' | 'listBraced' | 'listWords' | 'readForm'>;

export type SharedSuggestion = Suggestion & Holder;

export type SuggestedFields = {
  /** In reading order. */
  suggestions: SharedSuggestion[];
  /** Whether some of the document could not be looked at. */
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
  const found = [
    ...form.suggestions,
    ...(tags.ok ? tags.texts : []).flatMap(({ page, text, boxes }) => suggestOfTag(pages, page, text, boxes)),
    ...fieldsOfBlanks(read, pages, reader, names),
  ];
  const ordered = withoutDoubles(found).sort(inReadingOrder);
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

/** Page by page, with numbers that go on. */
function inBlocks(suggestions: readonly Suggestion[], pages: readonly ReadPage[]): Suggestion[] {
  let next = 0;
  return [...new Set(suggestions.map(({ page }) => page))].flatMap((page) => {
    const here = suggestions.filter((one) => one.page === page);
    const read = pages.find((one) => one.page === page) ?? { phrases: [], blanks: [] };
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
  const kept: Suggestion[] = [];
  for (const one of suggestions)
    if (!kept.some((other) => other.page === one.page && isOverlapping(other.box, one.box))) kept.push(one);
  return kept;
}

/** Fields on one line are read from left to right. */
const LINE = 6;

function inReadingOrder(one: Suggestion, other: Suggestion): number {
  if (one.page !== other.page) return one.page - other.page;
  const [bottom, otherBottom] = [one.box.y + one.box.height, other.box.y + other.box.height];
  return Math.abs(bottom - otherBottom) < LINE ? one.box.x - other.box.x : bottom - otherBottom;
}
