// Which bytes a signature covers, and whether these are what a signature must cover: everything from the first byte of the file
// to the end of one of its saves, without its own /Contents. It must never put up with anything else.

import type { DigestOfSigned } from '../sign/cms.ts';
import { type FileSection, type PdfFile, type PdfView, startxrefBefore } from '../syntax/read-pdf.ts';
import { type DictEntry, entriesAt, Scanner } from '../syntax/scanner.ts';
import { PdfString, type Value } from '../syntax/values.ts';
import { hashOfBeginning } from './beginnings.ts';
import type { SignatureField } from './fields.ts';
import type { Fault } from './findings.ts';
import { isReadFromElsewhere } from './rules/entry-point.ts';

export type Coverage = {
  /** The digest of what is signed. */
  digest: DigestOfSigned;
  /** All of it, in a copy. */
  data(): Buffer;
  /** The signature, and what fills its place up. */
  contents: Buffer;
  /** Where the signature stands in the file, `<` and `>` included. */
  gap: { start: number; end: number };
  end: number;
  /** The file as it was signed. */
  view: PdfView;
};

export function coverageOf(file: PdfFile, field: SignatureField): Coverage | Fault[] {
  const object = field.number;
  const at = object === undefined ? undefined : file.latest.object(object);
  const entries = at?.start === undefined ? undefined : entriesOf(file, at.start, at.end);
  // A signature inside an object stream would cover itself. One that several fields hold was not made for all of them, and not all readers show
  // one that stands beside its field.
  if (object === undefined || !at || !entries || field.isDoubtful)
    return [{ code: 'signature_dictionary_doubtful', ...(object !== undefined && { object }) }];
  const where = { object, at: at.start ?? 0 };
  if (at.isDoubtful) return [{ code: 'signature_dictionary_doubtful', ...where }];
  const one = (key: string) => entries.find((entry) => entry.key === key);
  const range = one('ByteRange');
  const contents = one('Contents');
  if (!range || range.value === null) return [{ code: 'byte_range_missing', ...where }];
  if (!contents || contents.value === null || isEmpty(contents.value))
    return [{ code: 'contents_missing', ...where }];
  if (!(contents.value instanceof PdfString) || !contents.value.isHex || hasBlanks(file, contents))
    return [{ code: 'contents_malformed', ...where, at: contents.start }];
  const numbers = rangeOf(range.value, file.bytes.length);
  if (!numbers) return [{ code: 'byte_range_malformed', ...where, at: range.start }];
  const [, before, after, length] = numbers;
  if (before !== contents.start || after !== contents.end)
    return [{ code: 'byte_range_gap', ...where, at: range.start }];
  const end = after + length;
  const index = saveEndingAt(file, end);
  if (index === undefined) return [{ code: 'byte_range_end', ...where, at: end }];
  if (!isWholeBefore(file, index, end)) return [{ code: 'signed_part_unreadable', ...where, at: end }];
  const view = file.view(index);
  if (view.object(object)?.start !== at.start) return [{ code: 'byte_range_end', ...where, at: end }];
  if (end === file.bytes.length && isReadFromElsewhere(file))
    return [{ code: 'signature_dictionary_doubtful', ...where }];
  return {
    digest: (hash) => hashOfBeginning(file, hash, before).update(file.bytes.subarray(after, end)).digest(),
    data: () => Buffer.concat([file.bytes.subarray(0, before), file.bytes.subarray(after, end)]),
    contents: contents.value.bytes,
    gap: { start: before, end: after },
    end,
    view,
  };
}

export const isCoverage = (one: Coverage | Fault[]): one is Coverage => !Array.isArray(one);

/** The entries of the dictionary behind `12 0 obj`. */
function entriesOf(file: PdfFile, start: number, end = file.bytes.length): DictEntry[] | undefined {
  const scanner = new Scanner(file.bytes, start, end);
  if (scanner.integer() === undefined || scanner.integer() === undefined || !scanner.takes('obj'))
    return undefined;
  return entriesAt(file.bytes, scanner.at, end);
}

const isEmpty = (value: Value) => value instanceof PdfString && value.bytes.every((byte) => byte === 0);

/** Every byte between the brackets belongs to the signature: nothing else may hide there. */
const hasBlanks = ({ bytes }: PdfFile, { start, end }: DictEntry): boolean =>
  (end - start) % 2 !== 0 || !/^<[0-9a-fA-F]*>$/.test(bytes.toString('latin1', start, end));

type Range = [number, number, number, number];

/** Four numbers that rise from 0 and stay in the file. */
function rangeOf(value: Value, size: number): Range | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  if (!value.every((number) => typeof number === 'number' && Number.isSafeInteger(number) && number >= 0))
    return undefined;
  const [first, before, after, length] = value as Range;
  const isRising = first === 0 && before > 0 && after > before && length > 0 && after + length <= size;
  return isRising ? [first, before, after, length] : undefined;
}

/** Which save of the file has its `%%EOF` there, line ends aside. */
export function saveEndingAt({ bytes, sections }: PdfFile, end: number): number | undefined {
  const last = startxrefBefore(bytes, end);
  if (last?.end === undefined) return undefined;
  const rest = bytes.toString('latin1', last.end, end);
  if (!/^[\r\n]{0,2}$/.test(rest)) return undefined;
  const index = sections.findIndex(({ offset }) => offset === last.offset);
  return index === -1 ? undefined : index;
}

/** Whether everything saved up to then lies before `end`, and everything saved later after it. */
const isWholeBefore = ({ sections }: PdfFile, index: number, end: number): boolean =>
  sections.every((section, at) =>
    at <= index ? section.end <= end && lastPlaceIn(section) < end : section.start >= end,
  );

const lastPlaces = new WeakMap<FileSection, number>();

/** Where the last object begins that a section names. */
function lastPlaceIn(section: FileSection): number {
  const known = lastPlaces.get(section);
  if (known !== undefined) return known;
  let last = 0;
  for (const place of section.places.values())
    if (place.kind === 'direct' && place.start > last) last = place.start;
  lastPlaces.set(section, last);
  return last;
}
