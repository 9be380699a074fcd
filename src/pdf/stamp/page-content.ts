// Puts drawings behind the content of a page, so that nothing of that content moves or hides them. Resources that pages share
// are copied and never changed.
import { inflateSync } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import type { Matrix } from '../geometry.ts';
import type { PageLeaf } from '../page-tree.ts';
import { precise } from '../sheet.ts';
import { balanceOf } from './balance.ts';
import type { PlacedForm } from './flatten.ts';
import { arrayIn } from './look-up.ts';

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const XOBJECT = PDFName.of('XObject');

export function drawBehind(leaf: PageLeaf, drawings: readonly PlacedForm[]): void {
  if (drawings.length === 0) return;
  const { dict } = leaf;
  const { context } = dict;
  const nameOf = namesFor(leaf);
  const shown = drawings.map(
    ({ form, matrix }) =>
      `q ${isIdentity(matrix) ? '' : `${matrix.map(precise).join(' ')} cm `}${nameOf(form)} Do Q`,
  );
  const streams = contentsOf(dict);
  const { before, after } = balanceOf(Buffer.concat(streams.flatMap((one) => [contentOf(one.stream), LINE])));
  const piece = (content: string) => context.register(context.stream(content));
  dict.set(
    CONTENTS,
    context.obj([piece(before), ...streams.map(({ ref }) => ref), piece(`\n${after}\n${shown.join('\n')}`)]),
  );
}

const LINE = Buffer.from('\n');

const isIdentity = (matrix: Matrix): boolean => matrix.join(' ') === '1 0 0 1 0 0';

/** A name for each drawing among resources that only this page has. */
function namesFor({ dict, inherited }: PageLeaf): (form: PDFRef) => string {
  const { context } = dict;
  const copy = (value: PDFObject | undefined): PDFDict => {
    const found = context.lookup(value);
    const made = context.obj({});
    if (found instanceof PDFDict) for (const [key, one] of found.entries()) made.set(key, one);
    return made;
  };
  const resources = copy(dict.get(RESOURCES) ?? inherited.get('Resources'));
  const drawings = copy(resources.get(XOBJECT));
  resources.set(XOBJECT, drawings);
  dict.set(RESOURCES, resources);
  const names = new Map<PDFRef, string>();
  let count = 0;
  return (form) => {
    const known = names.get(form);
    if (known) return known;
    while (drawings.has(PDFName.of(`Esign${count}`))) count += 1;
    const name = `Esign${count}`;
    drawings.set(PDFName.of(name), form);
    names.set(form, `/${name}`);
    return `/${name}`;
  };
}

function contentsOf(page: PDFDict): { ref: PDFObject; stream: PDFStream }[] {
  const { context } = page;
  const array = arrayIn(page, 'Contents');
  const refs = array instanceof PDFArray ? array.asArray() : [page.get(CONTENTS)];
  return refs.flatMap((ref) => {
    const stream = context.lookup(ref);
    return ref instanceof PDFRef && stream instanceof PDFStream ? [{ ref, stream }] : [];
  });
}

/** Undone of its filters; nothing where that fails, for then readers show nothing of it either. */
function contentOf(stream: PDFStream): Buffer {
  const bytes = stream.getContents();
  const filter = stream.dict.get(PDFName.of('Filter'));
  try {
    if (filter === undefined) return Buffer.from(bytes);
    const isPlain = filter === PDFName.of('FlateDecode') && !stream.dict.has(PDFName.of('DecodeParms'));
    if (isPlain) return inflateSync(bytes);
    return stream instanceof PDFRawStream
      ? Buffer.from(decodePDFRawStream(stream).decode())
      : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}
