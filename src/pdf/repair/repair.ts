// Repairs a damaged PDF: reads it with @cantoo/pdf-lib, which finds objects without any cross-reference table, and rewrites it. It
// must never lose a page or its content and present the rest as the document.
import { searchable } from '../syntax/bytes.ts';
import { type FallbackDocument, openWithFallback, type PdfLib } from './fallback-parser.ts';
import { leavesOf, type PageLeaf } from './page-tree.ts';

/** `gone`: nothing usable. `incomplete`: pages or contents that the document names are lost. */
export type Repair = { ok: true; bytes: Uint8Array } | { ok: false; reason: 'gone' | 'incomplete' };

/** Rewrites a damaged PDF with a plain page tree. The same bytes in give the same bytes out. */
export async function repairPdf(bytes: Uint8Array): Promise<Repair> {
  const found = await readLeaves(bytes);
  if (!found.ok) return found;
  flattenTree(found);
  const options = { useObjectStreams: false, updateFieldAppearances: false, addDefaultPage: false };
  return { ok: true, bytes: await found.document.save(options) };
}

/** Whether everything the page tree names is there. Costs a full parse: only for files known to be damaged. */
export async function isIncomplete(bytes: Uint8Array): Promise<boolean> {
  const found = await readLeaves(bytes);
  return !found.ok && found.reason === 'incomplete';
}

type Found = FallbackDocument & { ok: true; leaves: PageLeaf[] };

async function readLeaves(bytes: Uint8Array): Promise<Found | { ok: false; reason: 'gone' | 'incomplete' }> {
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
function flattenTree({ lib, document, leaves }: Found): void {
  const { context, catalog } = document;
  const root = context.obj({ Type: 'Pages', Count: leaves.length, Kids: leaves.map(({ ref }) => ref) });
  const rootRef = context.register(root);
  for (const { dict, inherited } of leaves) {
    for (const [name, value] of inherited) dict.set(lib.PDFName.of(name), value);
    dict.set(lib.PDFName.of('Parent'), rootRef);
  }
  catalog.set(lib.PDFName.of('Pages'), rootRef);
}
