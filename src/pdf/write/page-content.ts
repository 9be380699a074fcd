// Appends drawings to the content of a page, so that the content neither moves nor hides them. Resources that pages share are copied
// and never changed.
import { PDFArray, PDFDict, PDFName, type PDFObject, type PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { type ContentState, readContent } from '../content/content-syntax.ts';
import { unpackContent } from '../content/stream-content.ts';
import type { Matrix } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';
import type { PageLeaf } from '../read/repair.ts';
import { precise } from './form-x-object.ts';
import { dictIn, nameIn, numberIn } from './look-up.ts';

/** `matrix` takes the drawing into the page's own coordinates. */
export type PlacedForm = { form: PDFRef; matrix: Matrix };

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const XOBJECT = PDFName.of('XObject');

/** Draws forms over the content of the page, which stays. */
export function drawBehind(
  leaf: PageLeaf,
  drawings: readonly PlacedForm[],
  { before, after }: ContentState,
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

/** These entries belong to the content that was there: resources, tags, a group of its own. */
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

/** Names each drawing among resources that only this page has. */
function namesFor({ dict, inherited }: Pick<PageLeaf, 'dict' | 'inherited'>): (form: PDFRef) => string {
  const { context } = dict;
  const copy = (value: PDFObject | undefined): PDFDict => {
    const source = context.lookup(value);
    const duplicate = context.obj({});
    if (source instanceof PDFDict) for (const [key, item] of source.entries()) duplicate.set(key, item);
    return duplicate;
  };
  const resources = copy(dict.get(RESOURCES) ?? inherited.get('Resources'));
  const drawings = copy(resources.get(XOBJECT));
  resources.set(XOBJECT, drawings);
  dict.set(RESOURCES, resources);
  const names = new Map<PDFRef, string>();
  let count = 0;
  return (form) => {
    const existing = names.get(form);
    if (existing) return existing;
    while (drawings.has(PDFName.of(`Esign${count}`))) count += 1;
    const name = `Esign${count}`;
    drawings.set(PDFName.of(name), form);
    names.set(form, `/${name}`);
    return `/${name}`;
  };
}

/** @returns what the content leaves open, or undefined for a page that viewers do not draw alike */
export function readSoundPage({ dict, inherited }: PageLeaf): ContentState | undefined {
  const streams = contentStreams(dict);
  const chunks = streams.map(({ stream }) => unpackContent(stream));
  if (!chunks.every((part) => part !== undefined)) return undefined;
  const state = readContent(Buffer.concat(chunks.flatMap((part) => [part, LINE])));
  const resources = dict.context.lookup(dict.get(PDFName.of('Resources')) ?? inherited.get('Resources'));
  const walk: Walk = { sound: new Set(), depth: 0, remaining: STAMP_LIMITS.drawings };
  const isSound = state.isSound && areResourcesSound(resources, state.names, walk);
  return isSound ? state : undefined;
}

const LINE = Buffer.from('\n');

/** Lists the streams of the content, in order. What is in their place and is none draws nothing. */
function contentStreams(page: PDFDict): { ref: PDFObject; stream: PDFStream }[] {
  const key = PDFName.of('Contents');
  const value = page.lookup(key);
  const refs = value instanceof PDFArray ? value.asArray() : [page.get(key)];
  return refs.flatMap((ref) => {
    const stream = page.context.lookup(ref);
    return ref !== undefined && stream instanceof PDFStream ? [{ ref, stream }] : [];
  });
}

/** `sound` has what was found to be sound already. `depth` counts drawings in one another, and `remaining` how many more are checked. */
type Walk = { sound: Set<PDFObject>; depth: number; remaining: number };

/** @param names of the content that uses them: nothing else of a dictionary that pages share is checked */
function areResourcesSound(
  resources: PDFObject | undefined,
  names: ReadonlySet<string>,
  walk: Walk,
): boolean {
  if (!(resources instanceof PDFDict)) return true;
  return KINDS.every(([kind, isSound]) => {
    const all = dictIn(resources, kind);
    return (
      !all ||
      all.entries().every(([name]) => {
        if (!names.has(name.asString().slice(1)) && !names.has(name.decodeText())) return true;
        const object = all.lookup(name);
        return object === undefined || isOnceSound(object, (item) => isSound(item, resources, walk), walk);
      })
    );
  });
}

/** An object that is met again while it is checked contains itself, and is too deep at last. */
function isOnceSound(object: PDFObject, isSound: (object: PDFObject) => boolean, walk: Walk): boolean {
  if (walk.sound.has(object)) return true;
  if (walk.depth >= STAMP_LIMITS.drawingDepth || walk.remaining <= 0) return false;
  walk.depth += 1;
  walk.remaining -= 1;
  const answer = isSound(object);
  walk.depth -= 1;
  if (answer) walk.sound.add(object);
  return answer;
}

type Check = (object: PDFObject, resources: PDFDict, walk: Walk) => boolean;

const KINDS: [string, Check][] = [
  ['XObject', isDrawingSound],
  ['Pattern', isDrawingSound],
  ['Font', isFontSound],
  ['ExtGState', isStateSound],
];

function isDrawingSound(object: PDFObject, resources: PDFDict, walk: Walk): boolean {
  if (!(object instanceof PDFStream)) return true;
  if (nameIn(object.dict, 'Subtype') === 'Image') return isImageSound(object, resources, walk);
  const content = unpackContent(object);
  const state = content && readContent(content);
  return (
    state?.isSound === true && areResourcesSound(ownResources(object.dict) ?? resources, state.names, walk)
  );
}

/** Old files leave the resources out, and mean those of the page. */
const ownResources = (dict: PDFDict): PDFDict | undefined => dictIn(dict, 'Resources');

/** A font may draw its own glyphs, all of which are checked. */
function isFontSound(object: PDFObject, resources: PDFDict, walk: Walk): boolean {
  if (!(object instanceof PDFDict) || nameIn(object, 'Subtype') !== 'Type3') return true;
  const names = new Set<string>();
  for (const [, ref] of dictIn(object, 'CharProcs')?.entries() ?? []) {
    const glyph = object.context.lookup(ref);
    const content = glyph instanceof PDFStream ? unpackContent(glyph) : undefined;
    const state = content && readContent(content);
    if (!state?.isSound) return false;
    for (const name of state.names) names.add(name);
  }
  return areResourcesSound(ownResources(object) ?? resources, names, walk);
}

function isStateSound(object: PDFObject, resources: PDFDict, walk: Walk): boolean {
  const mask = object instanceof PDFDict ? dictIn(object, 'SMask') : undefined;
  const drawing = mask?.lookup(PDFName.of('G'));
  return !drawing || isOnceSound(drawing, (item) => isDrawingSound(item, resources, walk), walk);
}

const BITS = [1, 2, 4, 8, 16];
/** JPEG 2000 begins with this box, or with its codestream without boxes (ISO/IEC 15444-1, annex I and A). */
const JPX_HEADS = ['0000000c6a5020200d0a870a', 'ff4fff51'];

/** Viewers that open a picture before they draw it give up the whole page where they cannot. */
function isImageSound(image: PDFStream, resources: PDFDict, walk: Walk): boolean {
  const { dict } = image;
  const masks = ['SMask', 'Mask'].map((key) => dict.lookup(PDFName.of(key)));
  const areMasksSound = masks.every(
    (mask) =>
      !(mask instanceof PDFStream) ||
      isOnceSound(mask, (item) => isDrawingSound(item, resources, walk), walk),
  );
  if (!areMasksSound) return false;
  if (lastFilterOf(dict) === 'JPXDecode') return isJpx(image.getContents());
  const isSized = [numberIn(dict, 'Width') ?? 0, numberIn(dict, 'Height') ?? 0].every((side) => side >= 1);
  const bits = numberIn(dict, 'BitsPerComponent');
  return isSized && (bits === undefined || BITS.includes(bits));
}

function lastFilterOf(dict: PDFDict): string | undefined {
  const filter = dict.lookup(PDFName.of('Filter'));
  const last = filter instanceof PDFArray ? filter.lookup(filter.size() - 1) : filter;
  return last instanceof PDFName ? last.decodeText() : undefined;
}

const isJpx = (data: Uint8Array): boolean => {
  const head = Buffer.from(data.subarray(0, 12)).toString('hex');
  return JPX_HEADS.some((start) => head.startsWith(start));
};
