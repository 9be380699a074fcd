// The trailer of a PDF that this program wrote: where its newest cross-reference section is, and what that says of the
// file. It repairs nothing.
import { searchable } from './bytes.ts';
import { readArray, readDictionary } from './dictionary.ts';

export type Trailer = {
  /** One more than the highest number of an object. */
  size: number;
  /** As they stand there: `12 0 R`. */
  root: string;
  info: string | undefined;
  id: [string, string] | undefined;
  isEncrypted: boolean;
  /** Where the newest section begins, and whether it is a stream. */
  startxref: number;
  isStream: boolean;
};

/** The last line of a file is looked for in this many bytes. */
const TAIL_BYTES = 1024;
/** A trailer has some hundred bytes. */
const TRAILER_BYTES = 64 * 1024;

/** @throws Error when there is none: only files that were written here are read this way */
export function readTrailer(pdf: Uint8Array): Trailer {
  const bytes = searchable(pdf);
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES));
  const startxref = Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
  if (!(startxref < bytes.length)) throw new Error('The PDF has no startxref at its end.');
  const isStream = bytes.toString('latin1', startxref, startxref + 4) !== 'xref';
  const at = isStream
    ? bytes.indexOf('<<', startxref, 'latin1')
    : bytes.indexOf('trailer', startxref, 'latin1') + 'trailer'.length;
  const entries = readDictionary(bytes.toString('latin1', at, at + TRAILER_BYTES))?.entries;
  const size = Number(entries?.get('Size') ?? Number.NaN);
  const root = entries?.get('Root');
  if (!Number.isSafeInteger(size) || root === undefined) throw new Error('The PDF has no readable trailer.');
  const [first, second] = readArray(entries?.get('ID') ?? '') ?? [];
  return {
    size,
    root,
    info: entries?.get('Info'),
    id: first !== undefined && second !== undefined ? [first, second] : undefined,
    isEncrypted: entries?.has('Encrypt') ?? false,
    startxref,
    isStream,
  };
}
