// Recognises files built to keep a PDF parser busy for hours. The parsers we use look for the end of an object or a
// stream from each place where one begins: many beginnings far from any end cost the square of the file's size.
// It must never refuse a file that a real program wrote.

import { DOCUMENT_LIMITS } from '../limits.ts';
import { searchable } from './bytes.ts';

/** Whether looking for the end of every stream would take seconds or more. Costs a search through the bytes. */
export function isHostileStreams(bytes: Uint8Array): boolean {
  return costsTooMuch(bytes, 'stream', 'endstream');
}

/** The same for objects, where PDFium knows better and @cantoo/pdf-lib does not. */
export function isHostileObjects(bytes: Uint8Array): boolean {
  return costsTooMuch(bytes, ' obj', 'endobj') || isHostileStreams(bytes);
}

/** How many bytes lie outside of streams: what a parser looks at one by one. */
export function looseBytes(bytes: Uint8Array): number {
  const text = searchable(bytes);
  let loose = 0;
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf('stream', at);
    if (begin === -1) return loose + text.length - at;
    const end = text.indexOf('endstream', begin);
    loose += begin - at;
    if (end === -1) return loose;
    at = end + 'endstream'.length;
  }
  return loose;
}

function costsTooMuch(bytes: Uint8Array, begin: string, end: string): boolean {
  const text = searchable(bytes);
  const allowed = DOCUMENT_LIMITS.searchBytes + DOCUMENT_LIMITS.searchesOfWholeFile * text.length;
  let searched = 0;
  let next = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + begin.length)) {
    if (next !== -1 && next < at) next = text.indexOf(end, at);
    searched += (next === -1 ? text.length : next) - at;
    if (searched > allowed) return true;
  }
  return false;
}
