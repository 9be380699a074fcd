// Walks the page tree of a document that @cantoo/pdf-lib has opened.
// It must never trust the tree: children may be missing, wrong, or form a cycle.
import type { PDFDict, PDFObject, PDFRef } from '@cantoo/pdf-lib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { FallbackDocument, PdfLib } from './fallback-parser.ts';

/** One page, and what it inherits from the nodes above it (ISO 32000-1, 7.7.3.4). */
export type PageLeaf = { ref: PDFRef; dict: PDFDict; inherited: Map<string, PDFObject> };

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * Every page in reading order, or undefined when the tree names a page that is not there or visits a node twice:
 * part of such a document is lost, and the rest must not pass for the whole.
 */
export function leavesOf({ lib, document }: FallbackDocument): PageLeaf[] | undefined {
  const leaves: PageLeaf[] = [];
  const seen = new Set<PDFObject>();
  const root = document.catalog.get(lib.PDFName.of('Pages'));
  return visit(root, new Map(), 0) ? leaves : undefined;

  function visit(ref: PDFObject | undefined, above: Map<string, PDFObject>, depth: number): boolean {
    const dict = document.context.lookup(ref);
    if (!(ref instanceof lib.PDFRef) || !(dict instanceof lib.PDFDict)) return false;
    if (seen.has(ref) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    seen.add(ref);
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
    const own = dict.get(lib.PDFName.of(name));
    if (own) values.set(name, own);
  }
  return values;
}
