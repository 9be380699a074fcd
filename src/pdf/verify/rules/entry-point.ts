// All readers have to begin to read a file at its last save, which decides what it shows. The known attacks make a file as long as the length that it
// states, so that many readers begin at its front, or move its end out of the last kilobyte, so that some search it for objects.

import { firstBehindBlanks } from '../../read/characters.ts';
import { type PdfFile, readObject } from '../../read/read-pdf.ts';
import { startxrefBefore } from '../../read/sections.ts';
import { PdfStream } from '../../read/values.ts';
import { defineSaveRule, type Irregularity, irregular, type LaterSaves } from './rule.ts';

export const entryPoint = defineSaveRule({
  name: 'entry-point',
  allows:
    'All programs begin at the last save: offsets count from the first byte, and the file is not read from its front.',
  source: 'ISO 32000-2, 7.5.2, 7.5.5 and annex F',
  codes: ['update_irregular'],
  judge: (saves) => irregular(headerFault(saves) ?? lengthFault(saves) ?? farEndFault(saves.file)),
});

/** The last save decides whether offsets count from the header or from the first byte. */
const headerFault = ({ file }: LaterSaves): Irregularity | undefined =>
  file.shift === 0 ? undefined : { at: 0, part: 'header' };

/**
 * A linearized file that is as long as it says is read from its beginning by many readers, and later saves are ignored. What waits there
 * may be brought back by making a file as long as that.
 */
function lengthFault({ file, signed, end }: LaterSaves): Irregularity | undefined {
  const { length, first } = linearizationOf(file) ?? {};
  if (!first) return isDisguisedlyLinearized(file) ? { at: file.shift, part: 'Linearized' } : undefined;
  if (length !== undefined && length < end) return undefined;
  // The signed version was read from its beginning, and the file is not.
  if (length === end && !hasAnotherBeginning(file, signed.index)) return undefined;
  return { at: first.start ?? 0, part: 'Linearized', object: first.number };
}

/** Tells whether a linearized file has something else at its beginning than the section with which the version `index` ends. */
function hasAnotherBeginning({ bytes, sections, ...file }: PdfFile, index: number): boolean {
  const { first } = linearizationOf({ bytes, sections, ...file }) ?? {};
  const last = sections[index]!;
  const isFirst = firstBehindBlanks(bytes, first?.end ?? 0) === firstBehindBlanks(bytes, last.start);
  return !isFirst || index !== 1;
}

/** Tells whether readers read a linearized file from its beginning and find something else there than the sections that it ends with. */
export function isReadFromElsewhere(file: PdfFile): boolean {
  const { length, first } = linearizationOf(file) ?? {};
  if (!first) return isDisguisedlyLinearized(file);
  if (length !== undefined && length !== file.bytes.length) return false;
  return hasAnotherBeginning(file, file.sections.length - 1);
}

/** Tells whether some reader may read the file from its beginning. */
export const mayBeLinearized = (file: PdfFile): boolean =>
  linearizationOf(file) !== undefined || isDisguisedlyLinearized(file);

/** Reads the first object of a linearized file, and how long it says that the file is; undefined where that is not clear. */
function linearizationOf({ bytes, shift }: PdfFile) {
  const first = readObject(bytes, shift, { values: bytes.length }, (value) => value);
  const value = first?.value;
  // Firefox looks at the dictionary of a stream as well.
  const dict = value instanceof PdfStream ? value.dict : value instanceof Map ? value : undefined;
  if (!first || !dict?.has('Linearized')) return undefined;
  const length = dict.get('L');
  return { first, length: typeof length === 'number' && !first.isDoubtful ? length : undefined };
}

/** Readers look for the dictionary of a linearized file in so many bytes. */
const HEAD_BYTES_OF_READERS = 4096;

/** Tells whether the beginning has the word of linearized files in a place or a form in which only some readers find it. */
function isDisguisedlyLinearized({ bytes, shift }: PdfFile): boolean {
  const head = bytes.toString('latin1', shift, shift + HEAD_BYTES_OF_READERS);
  const plain = head.replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const first = plain.slice(0, plain.indexOf('endobj'));
  return first.includes('/Linearized');
}

/** Readers look for `startxref` in the last kilobyte, and search the whole file for objects where it is not there. */
const TAIL_OF_READERS = 1000;

function farEndFault({ bytes }: PdfFile): Irregularity | undefined {
  const last = startxrefBefore(bytes, bytes.length);
  const isNear = last !== undefined && bytes.length - last.at <= TAIL_OF_READERS;
  return isNear ? undefined : { at: last?.at ?? bytes.length, part: 'startxref' };
}
