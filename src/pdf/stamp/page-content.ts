// Appends drawings to the content of a page, so that the content neither moves nor hides them. Resources that pages share are copied
// and never changed.
import { PDFDict, PDFName, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import type { Matrix } from '../geometry.ts';
import { precise } from '../render/form-x-object.ts';
import type { PageLeaf } from '../repair/page-tree.ts';
import type { ContentFacts } from './content-syntax.ts';
import { contentStreams } from './sound-page.ts';

/** A drawing, and how it is taken into the page's own coordinates. */
export type PlacedForm = { form: PDFRef; matrix: Matrix };

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const XOBJECT = PDFName.of('XObject');

/** Draws forms over the content of the page, which stays. */
export function drawBehind(
  leaf: PageLeaf,
  drawings: readonly PlacedForm[],
  { before, after }: ContentFacts,
): void {
  const { dict } = leaf;
  const { context } = dict;
  const shown = showAll(drawings, namesFor(leaf));
  const streams = contentStreams(dict);
  const piece = (content: string) => context.register(context.stream(content));
  dict.set(
    CONTENTS,
    context.obj([piece(before), ...streams.map(({ ref }) => ref), piece(`\n${after}\n${shown.join('\n')}`)]),
  );
}

/** What belongs to the content that was there: resources, tags, a group of its own. */
const OF_CONTENT = ['Resources', 'Group', 'StructParents', 'Thumb'];

/** Draws forms in the place of the content of the page. */
export function drawInstead({ dict }: PageLeaf, drawings: readonly PlacedForm[]): void {
  const { context } = dict;
  for (const key of OF_CONTENT) dict.delete(PDFName.of(key));
  const shown = showAll(drawings, namesFor({ dict, inherited: new Map() }));
  dict.set(CONTENTS, context.register(context.stream(shown.join('\n'))));
}

const showAll = (drawings: readonly PlacedForm[], nameOf: (form: PDFRef) => string): string[] =>
  drawings.map(
    ({ form, matrix }) =>
      `q ${isIdentity(matrix) ? '' : `${matrix.map(precise).join(' ')} cm `}${nameOf(form)} Do Q`,
  );

const isIdentity = (matrix: Matrix): boolean => matrix.join(' ') === '1 0 0 1 0 0';

/** A name for each drawing among resources that only this page has. */
function namesFor({ dict, inherited }: Pick<PageLeaf, 'dict' | 'inherited'>): (form: PDFRef) => string {
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
