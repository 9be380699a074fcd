// Appends a certificate to a stamped file: its pages, the record of the transaction as a file inside, and the empty field that
// the seal is written into. Not a byte of the stamped file changes. The same content gives the same bytes.

import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFRef, PDFString } from '@cantoo/pdf-lib';
import { sha256Of } from '../../../common/sha256.ts';
import { embeddedFonts, newDocument } from '../../fonts/embedding.ts';
import { createTypesetting } from '../../fonts/typesetting.ts';
import type { Size } from '../../geometry.ts';
import { appendUpdate, nextNumber, openForUpdate } from '../../read/incremental.ts';
import type { PdfFile } from '../../read/read-pdf.ts';
import { type Dict, PdfString, Ref, type Value, writeValue } from '../../read/values.ts';
import { fileSpecification } from '../attachments.ts';
import { type FormXObjectBuilder, resourcesOf } from '../form-x-object.ts';
import { bytesOfObject } from '../write-pdf.ts';
import { type CertificateContent, type CertifyResult, SEAL_FIELD } from './content.ts';
import { EVIDENCE_FILE } from './evidence-file.ts';

export { SEAL_FIELD } from './content.ts';

import { type Flow, MARGIN } from './flow.ts';
import { writeFeet, writePages } from './pages.ts';
import { drawSeal, SEAL } from './seal.ts';
import { asPdfDate } from './words.ts';

const A4: Size = { width: 595.28, height: 841.89 };
const LETTER: Size = { width: 612, height: 792 };

/** @throws Error unless `pdf` is a file that `stampPdf` made */
export async function certifyPdf(
  pdf: Uint8Array,
  content: CertificateContent,
  evidence: string,
): Promise<CertifyResult> {
  const file = openForUpdate(pdf);
  const base = baseOf(file);
  // New objects get numbers above those of the file, so that they keep them when they are appended to it.
  const highest = nextNumber(file) - 1;
  const isCalibrated = isArchive(file, base.catalog);
  const [size, typesetting] = [paperOf(file, base.pages), createTypesetting()];
  const stamped = { bytes: pdf.length, sha256: sha256Of(pdf), evidence, evidenceName: EVIDENCE_FILE };
  const layOut = async (isDense: boolean): Promise<Flow> => {
    const document = await newDocument();
    document.context.largestObjectNumber = highest;
    const fonts = embeddedFonts(document);
    const flow: Flow = { size, fonts, typesetting, isCalibrated, isDense, sheets: [], y: 0 };
    await writePages(flow, content, stamped);
    return flow;
  };
  const flow = await withFewestPages(layOut);
  const { fonts } = flow;
  const { document } = fonts;
  const { context } = document;
  await writeFeet(flow, content);
  const appearance = await drawSeal(fonts, typesetting, content, { context, isCalibrated });
  await document.flush();
  const pages = flow.sheets.map(() => context.nextRef());
  const seal = context.register(sealField(context, { page: pages[0]!, appearance, paper: flow.size }));
  const isTagged = base.catalog.has('MarkInfo');
  for (const [index, sheet] of flow.sheets.entries()) {
    const annotations = index === 0 ? [seal] : [];
    context.assign(pages[index]!, pageOf(context, sheet, { parent: base.pagesRef, annotations, isTagged }));
  }
  const record = fileSpecification(context, {
    name: EVIDENCE_FILE,
    mediaType: 'application/json',
    bytes: Buffer.from(evidence),
    relationship: 'Data',
    description: 'The record of the transaction',
    changedAt: asPdfDate(content.transaction.completedAt),
  });
  const objects = new Map<number, Uint8Array | string>([
    [base.root.number, writeValue(catalogWith(file, base.catalog, { seal, record }))],
    [base.pagesRef.number, writeValue(pagesWith(file, base.pages, pages))],
  ]);
  for (const [ref, object] of context.enumerateIndirectObjects())
    if (ref.objectNumber > highest) objects.set(ref.objectNumber, bytesOfObject(object));
  return { ok: true, pdf: appendUpdate(file, { objects }).pdf, contentBytes: pdf.length };
}

/** Lays the pages out more densely where the last one would be nearly empty otherwise, and is not needed then. */
async function withFewestPages(layOut: (isDense: boolean) => Promise<Flow>): Promise<Flow> {
  const usual = await layOut(false);
  if (usual.sheets.length === 1 || usual.y > usual.size.height / 2) return usual;
  const dense = await layOut(true);
  return dense.sheets.length < usual.sheets.length ? dense : usual;
}

// ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

type Base = { root: Ref; catalog: Dict; pagesRef: Ref; pages: Dict };

function baseOf({ latest }: PdfFile): Base {
  const { root } = latest;
  const catalog = latest.dict(root);
  const pagesRef = catalog?.get('Pages');
  const pages = latest.dict(pagesRef);
  if (!root || !catalog || !(pagesRef instanceof Ref) || !pages)
    throw new Error('The file to certify has no pages.');
  return { root, catalog, pagesRef, pages };
}

/** The certificate is on Letter where the first page is Letter, otherwise on A4. */
function paperOf({ latest }: PdfFile, pages: Dict): Size {
  let node: Dict | undefined = pages;
  let box: Value[] | undefined;
  for (let depth = 0; node && depth < MOST_LEVELS; depth += 1) {
    box = latest.array(node.get('MediaBox')) ?? box;
    node = latest.dict(latest.array(node.get('Kids'))?.[0]);
  }
  const [x1, y1, x2, y2] = (box ?? []).map((value) => Number(latest.resolve(value)));
  const sides = [Math.abs(x2! - x1!), Math.abs(y2! - y1!)].sort((a, b) => a - b);
  const isLetter = Math.abs(sides[0]! - LETTER.width) < 2 && Math.abs(sides[1]! - LETTER.height) < 2;
  return isLetter ? LETTER : A4;
}

const MOST_LEVELS = 100;

const isArchive = ({ latest }: PdfFile, catalog: Dict): boolean =>
  latest.data(catalog.get('Metadata'))?.includes('pdfaid:part') === true;

/** Converts a reference of pdf-lib to one of our reader. */
const asRef = ({ objectNumber, generationNumber }: PDFRef): Ref => new Ref(objectNumber, generationNumber);

function pagesWith({ latest }: PdfFile, pages: Dict, more: readonly PDFRef[]): Dict {
  const kids = latest.array(pages.get('Kids')) ?? [];
  const count = Number(latest.resolve(pages.get('Count')));
  return new Map([...pages, ['Kids', [...kids, ...more.map(asRef)]], ['Count', count + more.length]]);
}

function catalogWith(
  { latest }: PdfFile,
  catalog: Dict,
  { seal, record }: { seal: PDFRef; record: PDFRef },
): Dict {
  const names = latest.dict(catalog.get('Names')) ?? new Map();
  const files = latest.array(latest.dict(names.get('EmbeddedFiles'))?.get('Names')) ?? [];
  const associated = latest.array(catalog.get('AF')) ?? [];
  const tree: Dict = new Map([['Names', withFile(files, asRef(record))]]);
  return new Map<string, Value>([
    ...catalog,
    [
      'AcroForm',
      new Map<string, Value>([
        ['Fields', [asRef(seal)]],
        ['SigFlags', SIGNED_AND_APPEND_ONLY],
      ]),
    ],
    ['Names', new Map<string, Value>([...names, ['EmbeddedFiles', tree]])],
    ['AF', [...associated, asRef(record)]],
  ]);
}

/** The value is that of ISO 32000-1, table 219. */
const SIGNED_AND_APPEND_ONLY = 3;

/** Adds the record to a name array, which alternates names and files and is sorted by the bytes of the names. */
function withFile(files: readonly Value[], record: Ref): Value[] {
  const key = new PdfString(Buffer.from(`\uFEFF${EVIDENCE_FILE}`, 'utf16le').swap16(), true);
  const pairs: [PdfString, Value][] = [[key, record]];
  for (let index = 0; index + 1 < files.length; index += 2) {
    const name = files[index];
    if (name instanceof PdfString) pairs.push([name, files[index + 1]!]);
  }
  return pairs.sort(([a], [b]) => Buffer.compare(a.bytes, b.bytes)).flat();
}

// ── new objects ─────────────────────────────────────────────────────────────────────────────────────────────────

type PageParts = { parent: Ref; annotations: PDFRef[]; isTagged: boolean };

function pageOf(
  context: PDFContext,
  sheet: FormXObjectBuilder,
  { parent, annotations, isTagged }: PageParts,
) {
  // What has no tags has to say that it is none of the text (ISO 32000-1, 14.8.2.2).
  const drawn = isTagged ? ['/Artifact BMC', ...sheet.operators, 'EMC'] : sheet.operators;
  const content = context.stream(deflateSync(drawn.join('\n')), { Filter: 'FlateDecode' });
  const box = [0, 0, sheet.size.width, sheet.size.height];
  return context.obj({
    Type: 'Page',
    Parent: PDFRef.of(parent.number, parent.generation),
    MediaBox: box,
    CropBox: box,
    Rotate: 0,
    Resources: resourcesOf(sheet, context),
    Contents: context.register(content),
    ...(annotations.length > 0 && { Annots: annotations }),
  });
}

/** The field is printed, and neither moved nor deleted (ISO 32000-1, table 165). */
const PRINTED_AND_LOCKED = 132;

function sealField(
  context: PDFContext,
  { page, appearance, paper }: { page: PDFRef; appearance: PDFRef; paper: Size },
) {
  const right = paper.width - MARGIN;
  const top = paper.height - MARGIN;
  return context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFString.of(SEAL_FIELD),
    F: PRINTED_AND_LOCKED,
    P: page,
    Rect: [right - SEAL.width, top - SEAL.height, right, top],
    AP: { N: appearance },
  });
}
