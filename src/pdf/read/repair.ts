// Repairs a damaged PDF: reads it with @cantoo/pdf-lib, which finds objects without any cross-reference table, and rewrites it. It
// must never lose a page or its content and present the rest as the document.

import type { PDFDict, PDFDocument, PDFObject, PDFRef } from '@cantoo/pdf-lib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { searchable } from './characters.ts';
import { isHostileObjects, looseBytes } from './plain.ts';

/** Nothing is usable of a file that is `gone`. Pages or contents that the document names are lost in an `incomplete` one. */
type Repair = { ok: true; bytes: Uint8Array } | { ok: false; reason: 'gone' | 'incomplete' };

/** Rewrites a damaged PDF with a plain page tree. The same bytes in give the same bytes out. */
export async function repairPdf(bytes: Uint8Array): Promise<Repair> {
  const document = await readLeaves(bytes);
  if (!document.ok) return document;
  flattenTree(document);
  const options = { useObjectStreams: false, updateFieldAppearances: false, addDefaultPage: false };
  return { ok: true, bytes: await document.document.save(options) };
}

/** Tells whether anything that the page tree names is missing. It costs a full parse: only for files known to be damaged. */
export async function isIncomplete(bytes: Uint8Array): Promise<boolean> {
  const document = await readLeaves(bytes);
  return !document.ok && document.reason === 'incomplete';
}

type ReadLeaves = FallbackDocument & { ok: true; leaves: PageLeaf[] };

async function readLeaves(
  bytes: Uint8Array,
): Promise<ReadLeaves | { ok: false; reason: 'gone' | 'incomplete' }> {
  // Without a single object there is nothing to find.
  const opened = searchable(bytes).includes(' obj') ? await openWithFallback(bytes) : undefined;
  if (!opened) return { ok: false, reason: 'gone' };
  const leaves = leavesOf(opened);
  if (!leaves?.every((leaf) => hasItsContents(opened.lib, leaf))) return { ok: false, reason: 'incomplete' };
  return { ok: true, ...opened, leaves };
}

function hasItsContents(lib: PdfLib, { dict }: PageLeaf): boolean {
  const named = dict.get(lib.PDFName.of('Contents'));
  if (!named) return true;
  const contents = dict.context.lookup(named);
  if (!(contents instanceof lib.PDFArray)) return contents !== undefined;
  return contents.asArray().every((part) => dict.context.lookup(part) !== undefined);
}

/** Rebuilds the page tree: one root above all pages, with the true /Count, and inherited entries copied to each page. */
function flattenTree({ lib, document, leaves }: ReadLeaves): void {
  const { context, catalog } = document;
  const root = context.obj({ Type: 'Pages', Count: leaves.length, Kids: leaves.map(({ ref }) => ref) });
  const rootRef = context.register(root);
  for (const { dict, inherited } of leaves) {
    for (const [name, value] of inherited) dict.set(lib.PDFName.of(name), value);
    dict.set(lib.PDFName.of('Parent'), rootRef);
  }
  catalog.set(lib.PDFName.of('Pages'), rootRef);
}

/** A page has `inherited` entries from the nodes above it (ISO 32000-1, 7.7.3.4). */
export type PageLeaf = { ref: PDFRef; dict: PDFDict; inherited: Map<string, PDFObject> };

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * Lists every page in reading order, or returns undefined when the tree names a page that is not there or visits a node twice: part of such
 * a document is lost, and the rest must not pass for the whole.
 */
export function leavesOf({ lib, document }: FallbackDocument): PageLeaf[] | undefined {
  const leaves: PageLeaf[] = [];
  const visited = new Set<PDFObject>();
  const root = document.catalog.get(lib.PDFName.of('Pages'));
  return visit(root, new Map(), 0) ? leaves : undefined;

  function visit(ref: PDFObject | undefined, above: Map<string, PDFObject>, depth: number): boolean {
    const dict = document.context.lookup(ref);
    if (!(ref instanceof lib.PDFRef) || !(dict instanceof lib.PDFDict)) return false;
    if (visited.has(ref) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    visited.add(ref);
    const inherited = withOwn(lib, dict, above);
    const kids = dict.lookup(lib.PDFName.of('Kids'));
    if (kids instanceof lib.PDFArray) return kids.asArray().every((kid) => visit(kid, inherited, depth + 1));
    leaves.push({ ref, dict, inherited });
    return true;
  }
}

function withOwn(lib: PdfLib, dict: PDFDict, above: Map<string, PDFObject>): Map<string, PDFObject> {
  const values = new Map(above);
  for (const name of INHERITABLE) {
    const value = dict.get(lib.PDFName.of(name));
    if (value) values.set(name, value);
  }
  return values;
}

/** The library is passed along, because it is imported only on demand. */
type PdfLib = typeof import('@cantoo/pdf-lib');
type FallbackDocument = { lib: PdfLib; document: PDFDocument };

/** Decrypts the document if the empty password is enough; undefined for what cannot be read this way either. */
async function openWithFallback(bytes: Uint8Array): Promise<FallbackDocument | undefined> {
  if (looseBytes(bytes) > DOCUMENT_LIMITS.looseBytesToRepair || isHostileObjects(bytes)) return undefined;
  const lib = await import('@cantoo/pdf-lib');
  // The library says no to broken input by throwing, from many places; a stack that ran out is one of them.
  const document = await lib.PDFDocument.load(bytes, { password: '', updateMetadata: false }).catch(
    () => undefined,
  );
  return document?.catalog instanceof lib.PDFDict ? { lib, document } : undefined;
}
