// Finds the pages whose unit is not 1/72 inch (/UserUnit, ISO 32000-1 table 30), which PDFium does not know about.
// It must never cost the usual file, which has none, more than a search through its bytes.
import { inflateSync } from 'node:zlib';
import { leavesOf } from './page-tree.ts';

// Real object streams hold some hundred small objects; what inflates to more than this is built to hurt.
const MAX_OBJECT_STREAM_BYTES = 16 * 1024 * 1024;
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;
const STREAM_KEYWORD = /stream\r?\n/g;

/** The unit of each page that states one, by page index, as a factor: 2 means 2/72 inch. Other pages have 1. */
export async function readUserUnits(bytes: Uint8Array): Promise<Map<number, number>> {
  const units = new Map<number, number>();
  if (!mayStateUserUnit(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) return units;
  const lib = await import('@cantoo/pdf-lib');
  // A file this library cannot read, though PDFium can, keeps the unit every other reader of it would use.
  const document = await lib.PDFDocument.load(bytes, { password: '', updateMetadata: false }).catch(
    () => undefined,
  );
  const leaves = document && leavesOf(lib, document);
  for (const [index, { dict }] of leaves?.entries() ?? []) {
    const unit = dict.lookup(lib.PDFName.of('UserUnit'));
    if (unit instanceof lib.PDFNumber && unit.asNumber() > 0) units.set(index, unit.asNumber());
  }
  return units;
}

/** False only when no page can have a unit of its own; true means that it is worth opening the file a second time. */
function mayStateUserUnit(bytes: Buffer): boolean {
  if (statesUserUnit(bytes)) return true;
  let at = bytes.indexOf('/ObjStm');
  if (at === -1) return false;
  if (bytes.includes('/Encrypt')) return true;
  let inflatedBytes = 0;
  for (; at !== -1 && inflatedBytes < MAX_INFLATED_BYTES; at = bytes.indexOf('/ObjStm', at + 1)) {
    const objects = inflateObjectStream(bytes, at);
    if (!objects || statesUserUnit(objects)) return true;
    inflatedBytes += objects.length;
  }
  return false;
}

/** A /UserUnit of 1, which some producers write on every page, says nothing. */
function statesUserUnit(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/UserUnit'); at !== -1; at = bytes.indexOf('/UserUnit', at + 1)) {
    const value = bytes.toString('latin1', at + '/UserUnit'.length, at + 40);
    if (!/^\s*1(\.0*)?\s*[/>]/.test(value)) return true;
  }
  return false;
}

/** The objects in the stream whose dictionary has /ObjStm at `at`, or undefined when they are packed in another way. */
function inflateObjectStream(bytes: Buffer, at: number): Buffer | undefined {
  const nearby = bytes.toString('latin1', at, at + 1024);
  STREAM_KEYWORD.lastIndex = 0;
  if (!STREAM_KEYWORD.exec(nearby)) return undefined;
  const start = at + STREAM_KEYWORD.lastIndex;
  try {
    return inflateSync(bytes.subarray(start), { maxOutputLength: MAX_OBJECT_STREAM_BYTES });
  } catch {
    return undefined;
  }
}
