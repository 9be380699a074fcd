// Decides, before any library sees the bytes of a PDF, whether reading or drawing it would take unreasonable time or memory.
// It checks everything that a lenient reader could meet, not only what a strict one would. It must never refuse a file that
// a real program wrote. What the bytes do not show (encrypted streams, slow drawings within all limits) is stopped by the
// limits on time and memory of the worker process.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import { afterLiteral, BRACKET, BRACKET_END, GREATER, LESS, PAREN, searchable } from '../characters.ts';
import { Ref, type Value } from '../values.ts';
import { indexObjects, type Objects } from './objects.ts';
import {
  filtersOf,
  findStreams,
  hasEndlessScans,
  isDrawing,
  isObjectStream,
  isPicture,
  pictureBytesOf,
  type Stream,
  unpack,
} from './streams.ts';
import {
  type Calls,
  callsIn,
  findEndlessDrawing,
  hasEndlessForm,
  hasEndlessPageTree,
  pageObjectsOf,
  pageOfEndlessTiles,
  pageReaching,
} from './walks.ts';

export const COMPLEXITY_LIMITS = [
  'streams',
  'stream_bytes',
  'unpacked_bytes',
  'filters',
  'nesting',
  'objects',
  'page_tree',
  'form_fields',
  'drawings',
  'tiles',
  'picture_size',
  'jpeg_scans',
] as const;

type ComplexityLimit = (typeof COMPLEXITY_LIMITS)[number];

/** `page` counts from 1, and is there where the file tells it. */
export type Complexity = { limit: ComplexityLimit; page?: number };

/** Returns the limit that the PDF passes; undefined for one that may be read. Costs about as much as unpacking its streams. */
export function complexityOf(bytes: Uint8Array): Complexity | undefined {
  const file = searchable(bytes);
  const read = readStructure(file);
  if ('limit' in read) return read;
  const { objects, streams } = read;
  const complexity = findInTrees(objects) ?? findInStreams(file, streams, objects);
  if (complexity) return withPage(complexity, objects);
  if (objects.isExhausted()) return { limit: 'objects' };
  const page = file.includes('/XStep') ? pageOfEndlessTiles(objects, pageObjectsOf(objects)) : undefined;
  return page === undefined ? undefined : { limit: 'tiles', page };
}

/** Reads the objects of the file, as far as any reader could read them, or names the limit that it passes. */
export function readStructure(file: Buffer): { objects: Objects; streams: Stream[] } | Complexity {
  const objects = indexObjects(file);
  if (objects.count() > DOCUMENT_LIMITS.objects) return { limit: 'objects' };
  const streams = findStreams(file, objects);
  if (!streams) return { limit: 'streams' };
  if (isNestedTooDeep(file, streams)) return { limit: 'nesting' };
  const limit = unpackObjects(file, streams, objects);
  if (limit) return { limit };
  return objects.count() > DOCUMENT_LIMITS.objects ? { limit: 'objects' } : { objects, streams };
}

/** Measures what lies outside of streams: arrays and dictionaries of the open file. */
function isNestedTooDeep(file: Buffer, streams: Stream[]): boolean {
  let at = 0;
  for (const { start, end } of [...streams, { start: file.length, end: file.length }]) {
    if (start < at) continue;
    if (nestingOf(file, at, start, DOCUMENT_LIMITS.nesting) > DOCUMENT_LIMITS.nesting) return true;
    at = end;
  }
  return false;
}

/** Adds the objects of object streams. @returns the limit that one of these passes */
function unpackObjects(file: Buffer, streams: Stream[], objects: Objects): ComplexityLimit | undefined {
  let remaining: number = DOCUMENT_LIMITS.objectStreamsBytes;
  for (const stream of streams) {
    if (!isObjectStream(stream, objects)) continue;
    const most = Math.min(remaining, DOCUMENT_LIMITS.objectStreamBytes);
    const { bytes, isTooLarge } = unpackStream(file, stream, filtersOf(stream, objects), most);
    if (isTooLarge) return 'stream_bytes';
    if (!bytes) continue;
    remaining -= bytes.length;
    if (nestingOf(bytes, 0, bytes.length, DOCUMENT_LIMITS.nesting) > DOCUMENT_LIMITS.nesting)
      return 'nesting';
    const [count, first] = ['N', 'First'].map((key) => objects.resolved(stream.dict.get(key)));
    if (typeof count === 'number' && typeof first === 'number') objects.addPacked({ bytes, count, first });
  }
  return undefined;
}

function unpackStream(file: Buffer, { start, end }: Stream, filters: string[], most: number) {
  return unpack(file.subarray(start), end - start, filters, Math.max(1, most));
}

function findInTrees(objects: Objects): Found | undefined {
  if (hasEndlessPageTree(objects)) return { limit: 'page_tree', number: undefined };
  return hasEndlessForm(objects) ? { limit: 'form_fields', number: undefined } : undefined;
}

type Found = { limit: ComplexityLimit; number: number | undefined };

function findInStreams(file: Buffer, streams: Stream[], objects: Objects): Found | undefined {
  const contents = numbersOfContents(objects);
  const calls = new Map<number, Calls>();
  let sizeBytes = 0;
  for (const stream of streams) {
    const { number } = stream;
    if (isObjectStream(stream, objects)) continue;
    if (isPicture(stream) && pictureBytesOf(stream, objects) > DOCUMENT_LIMITS.pictureBytes)
      return { limit: 'picture_size', number };
    const filters = filtersOf(stream, objects);
    if (filters.length > DOCUMENT_LIMITS.filters) return { limit: 'filters', number };
    if (!isWorthUnpacking(file, stream, filters, contents)) continue;
    const unpacked = unpackStream(file, stream, filters, DOCUMENT_LIMITS.streamBytes);
    if (unpacked.isTooLarge || isBomb(unpacked.sizeBytes, stream)) return { limit: 'stream_bytes', number };
    sizeBytes += unpacked.sizeBytes;
    if (sizeBytes > DOCUMENT_LIMITS.unpackedBytes) return { limit: 'unpacked_bytes', number };
    if (!unpacked.bytes) continue;
    if (unpacked.pictureFilter === 'DCTDecode' && hasEndlessScans(unpacked.bytes))
      return { limit: 'jpeg_scans', number };
    if (isDrawing(stream) && number !== undefined) calls.set(number, callsIn(unpacked.bytes));
  }
  const drawing = findEndlessDrawing(objects, calls);
  return drawing === undefined ? undefined : { limit: 'drawings', number: drawing };
}

/** PDFium decodes a picture row by row, so its size is limited elsewhere: only a picture used as page content is unpacked. */
function isWorthUnpacking(
  file: Buffer,
  stream: Stream,
  filters: string[],
  contents: ReadonlySet<number>,
): boolean {
  if (filters.length === 0) return isDrawing(stream);
  if (filters.length > 1 || isDrawing(stream) || isJpeg(filters)) return true;
  if (isPicture(stream) && !(stream.number !== undefined && contents.has(stream.number))) return false;
  return file.length > DOCUMENT_LIMITS.harmlessFileBytes || !isFlate(filters);
}

const isJpeg = ([filter]: string[]) => filter === 'DCTDecode' || filter === 'DCT';
const isFlate = ([filter]: string[]) => filter === 'FlateDecode' || filter === 'Fl';

function isBomb(sizeBytes: number, { start, end }: Stream): boolean {
  const { ratioCountsFromBytes, ratio } = DOCUMENT_LIMITS;
  return sizeBytes > ratioCountsFromBytes && sizeBytes > ratio * (end - start);
}

/** Pages name these streams as what they show. */
function numbersOfContents(objects: Objects): Set<number> {
  const numbersIn = (value: Value, depth: number): number[] => {
    if (Array.isArray(value)) return value.flatMap((item) => numbersIn(item, depth));
    if (!(value instanceof Ref)) return [];
    const array = depth > 0 ? objects.resolved(value) : undefined;
    return [value.number, ...(Array.isArray(array) ? numbersIn(array, depth - 1) : [])];
  };
  return new Set(objects.valuesOf('Contents').flatMap((value) => numbersIn(value, 1)));
}

function withPage({ limit, number }: Found, objects: Objects): Complexity {
  const page = number === undefined ? undefined : pageReaching(objects, pageObjectsOf(objects), number);
  return page === undefined ? { limit } : { limit, page };
}

/** Counts the depth between `at` and `end`; stops counting above `most`. */
function nestingOf(bytes: Buffer, at: number, end: number, most: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = at; index < end && deepest <= most; index += 1) {
    const byte = bytes[index];
    if (byte === PAREN) index = afterLiteral(bytes, index, end) - 1;
    else if (byte === BRACKET || (byte === LESS && bytes[index + 1] === LESS)) {
      depth += 1;
      if (byte === LESS) index += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === BRACKET_END || (byte === GREATER && bytes[index + 1] === GREATER)) {
      depth = Math.max(0, depth - 1);
      if (byte === GREATER) index += 1;
    }
  }
  return deepest;
}
