// Scans a PDF before any object is parsed: whether a page may have a unit of its own, whether a font may be missing, whether the
// file has a signature. It searches the bytes once, with object streams (ISO 32000-1, 7.5.7) unpacked, and keeps only the answers.
// It must never answer no about bytes that it could not search, and never cost the usual file more than a search.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { searchable } from './characters.ts';
import { unfilter } from './filters.ts';

export type ByteScan = { mayStateUserUnit: boolean; mayLackFonts: boolean; hasSignature: boolean };

const cache = new WeakMap<Uint8Array, ByteScan>();

/** Scans the bytes; the result is kept, so that the same bytes are scanned once. */
export function scanPdf(bytes: Uint8Array): ByteScan {
  const scanned = cache.get(bytes) ?? scan(searchable(bytes));
  cache.set(bytes, scanned);
  return scanned;
}

function scan(file: Buffer): ByteScan {
  const fonts = { descriptors: 0, files: 0, whole: 0, unusual: 0 };
  countFonts(file, fonts);
  let mayStateUserUnit = statesUserUnit(file);
  let usageRights = countOf(file, '/UR3');
  let unpackedBytes = 0;
  let isHidden = false;
  let isCut = false;
  let at = file.indexOf('/ObjStm');
  for (let count = 0; at !== -1 && !isHidden && !isCut; count += 1) {
    const stream = unpackObjectStream(file, at);
    isHidden = !stream;
    if (!stream) break;
    mayStateUserUnit ||= statesUserUnit(stream.objects);
    countFonts(stream.objects, fonts);
    usageRights += countOf(stream.objects, '/UR3');
    unpackedBytes += stream.objects.length;
    isCut = count === DOCUMENT_LIMITS.unitObjectStreams || unpackedBytes > DOCUMENT_LIMITS.unitUnpackedBytes;
    at = file.indexOf('/ObjStm', stream.start);
  }
  return {
    mayStateUserUnit: mayStateUserUnit || isHidden || isCut,
    mayLackFonts: isHidden || isCut || lacksFiles(fonts),
    // /ByteRange is never in an object stream (ISO 32000-1, 12.8.1). One may belong to Adobe's usage rights, which are no signature of a person.
    hasSignature: countOf(file, '/ByteRange') > (usageRights > 0 ? 1 : 0),
  };
}

/** Unpacks the stream whose dictionary has /ObjStm at `at`; undefined when its objects are encrypted or packed in another way. */
function unpackObjectStream(file: Buffer, at: number): { start: number; objects: Buffer } | undefined {
  const keyword = /stream\r?\n/.exec(file.toString('latin1', at, at + 1024));
  if (!keyword) return undefined;
  const start = at + keyword.index + keyword[0].length;
  const most = DOCUMENT_LIMITS.unitObjectStreamBytes;
  const objects = unfilter('FlateDecode', file.subarray(start), {
    parameters: new Map(),
    most,
    isTolerant: false,
  });
  return Buffer.isBuffer(objects) ? { start, objects } : undefined;
}

/** A /UserUnit of 1, which some producers write on every page, says nothing. */
function statesUserUnit(objects: Buffer): boolean {
  for (let at = objects.indexOf('/UserUnit'); at !== -1; at = objects.indexOf('/UserUnit', at + 1)) {
    const value = objects.toString('latin1', at + '/UserUnit'.length, at + 40);
    if (!/^\s*1(\.0*)?\s*[/>]/.test(value)) return true;
  }
  return false;
}

/** `whole` counts the fonts that are not named as a part of one, as an embedded one mostly is (ISO 32000-1, 9.6.4). */
type FontCounts = { descriptors: number; files: number; whole: number; unusual: number };

function countFonts(objects: Buffer, counts: FontCounts): void {
  counts.descriptors += countOf(objects, '/FontName');
  counts.files += countOf(objects, '/FontFile');
  // Characters that the standard fonts lack come by these ways alone.
  counts.unusual += countOf(objects, '/Differences') + countOf(objects, '/CIDFontType');
  for (let at = objects.indexOf('/BaseFont'); at !== -1; at = objects.indexOf('/BaseFont', at + 1)) {
    const name = objects.toString('latin1', at + '/BaseFont'.length, at + '/BaseFont'.length + 16);
    if (!/^\s*\/[A-Z]{6}\+/.test(name)) counts.whole += 1;
  }
}

function countOf(objects: Buffer, key: string): number {
  let count = 0;
  for (let at = objects.indexOf(key); at !== -1; at = objects.indexOf(key, at + 1)) count += 1;
  return count;
}

/** Every descriptor has a name, and that of an embedded font a file. The standard fonts need no descriptor. */
function lacksFiles({ descriptors, files, whole, unusual }: FontCounts): boolean {
  return files < descriptors || (whole > files && unusual > 0);
}
