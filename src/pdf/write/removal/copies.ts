// Removes copies of removed texts from the rest of a document: what is read aloud in place of content, titles of the outline, notes on
// pages. A copy in any other part is named, not changed.
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib';
import { unpackContent } from '../../content/stream-content.ts';
import { DOCUMENT_LIMITS, REMOVAL_LIMITS } from '../../limits.ts';
import { unfilter } from '../../read/filters.ts';

/** These entries have text for people that is shown nowhere on a page. */
const READ_ALOUD = ['ActualText', 'Alt', 'E'];
const FOR_PEOPLE = new Set([...READ_ALOUD, 'Title', 'Contents', 'TU', 'Subject', 'Keywords']);

/** These annotations show their text on the page. */
const SHOWN_NOTES = new Set(['FreeText', 'Stamp', 'Widget']);

export type LeftCopy = { what: string; text: string };

/** @returns the first copy that cannot be removed */
export function removeCopies(context: PDFContext, texts: readonly string[]): LeftCopy | undefined {
  const searched = [...new Set(texts.map(squeezed))].map((text) => ({ text, pattern: patternOf(text) }));
  for (const [, object] of context.enumerateIndirectObjects()) {
    const remainingCopy = cleanObject(context, object, searched);
    if (remainingCopy) return remainingCopy;
  }
  return undefined;
}

type Searched = { text: string; pattern: RegExp };

const squeezed = (text: string): string => text.replace(/\s+/g, '');

/** A copy has its spaces where the lines of the page do not end. */
const patternOf = (text: string): RegExp =>
  new RegExp([...text].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s*'), 'gu');

/** A text may be an object of its own, which other objects refer to. */
const directOf = (context: PDFContext, value: PDFObject): PDFObject =>
  value instanceof PDFRef ? (context.lookup(value) ?? value) : value;

function cleanObject(
  context: PDFContext,
  object: PDFObject,
  searched: readonly Searched[],
): LeftCopy | undefined {
  const waiting: { value: PDFObject; depth: number }[] = [{ value: object, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (value instanceof PDFStream) {
      const remainingCopy = copyInMetadata(value, searched);
      if (remainingCopy) return remainingCopy;
    }
    const dict = value instanceof PDFStream ? value.dict : value;
    if (depth > REMOVAL_LIMITS.nesting) continue;
    const entries = dict instanceof PDFDict ? dict.entries() : [];
    for (const [key, item] of entries) {
      const remainingCopy = cleanEntry(dict as PDFDict, key, directOf(context, item), searched);
      if (remainingCopy) return remainingCopy;
      if (isContainer(item)) waiting.push({ value: item, depth: depth + 1 });
    }
    const items = dict instanceof PDFArray ? dict.asArray() : [];
    for (const item of items) {
      const text = textOf(directOf(context, item));
      const copy =
        text === undefined ? undefined : searched.find((copy) => squeezed(text).includes(copy.text));
      if (copy) return { what: 'a list', text: copy.text };
      if (isContainer(item)) waiting.push({ value: item, depth: depth + 1 });
    }
  }
  return undefined;
}

const isContainer = (value: PDFObject): boolean =>
  value instanceof PDFDict || value instanceof PDFArray || value instanceof PDFStream;

function textOf(value: PDFObject): string | undefined {
  if (!(value instanceof PDFString) && !(value instanceof PDFHexString)) return undefined;
  try {
    return value.decodeText();
  } catch {
    return undefined;
  }
}

function cleanEntry(
  dict: PDFDict,
  key: PDFName,
  value: PDFObject,
  searched: readonly Searched[],
): LeftCopy | undefined {
  const text = textOf(value);
  if (text === undefined || !/[{}]/.test(text)) return undefined;
  const name = key.decodeText();
  const copies = searched.filter((copy) => squeezed(text).includes(copy.text));
  const [first] = copies;
  const subtype = dict.lookup(PDFName.of('Subtype'));
  const isShown = subtype instanceof PDFName && SHOWN_NOTES.has(subtype.decodeText());
  if (first && (!FOR_PEOPLE.has(name) || isShown)) return { what: `/${name}`, text: first.text };
  const remainingText = copies.reduce((rest, { pattern }) => withoutCopy(rest, pattern), text);
  // A part of a text: it is not known of which.
  if (READ_ALOUD.includes(name) && /\{\{[^}]*$|^[^{]*\}\}/u.test(remainingText))
    return { what: `/${name}`, text };
  if (first) dict.set(key, PDFHexString.fromText(remainingText));
  return undefined;
}

/** One of the spaces on both sides of a copy stays. */
const withoutCopy = (text: string, pattern: RegExp): string =>
  text.replace(new RegExp(`( ?)${pattern.source}( ?)`, 'gu'), (_, before, behind, at, whole) =>
    before && behind && at > 0 && at + _.length < whole.length ? ' ' : '',
  );

/** XMP has the title of a document, and what programs put into it. */
function copyInMetadata(stream: PDFStream, searched: readonly Searched[]): LeftCopy | undefined {
  const type = stream.dict.lookup(PDFName.of('Type'));
  if (!(type instanceof PDFName) || type.decodeText() !== 'Metadata') return undefined;
  const versions = versionsOfMetadata(stream).map((bytes) => squeezed(bytes.toString('utf8')));
  const copy = searched.find(({ text }) =>
    versions.some((xml) => xml.includes(escaped(text)) || xml.includes(text)),
  );
  return copy && { what: 'the metadata', text: copy.text };
}

/** The copy that PDFium makes has packed metadata without the entry that says so. */
function versionsOfMetadata(stream: PDFStream): Buffer[] {
  const bytes = unpackContent(stream);
  if (!bytes) return [];
  const options = { parameters: new Map(), most: DOCUMENT_LIMITS.streamBytes, isTolerant: true };
  const unpacked = unfilter('FlateDecode', bytes, options);
  return Buffer.isBuffer(unpacked) ? [bytes, unpacked] : [bytes];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
