// Reads what is drawn rather than written: pictures, text boxes, shapes, charts. Text in any of them is kept, as blocks or
// as words that stand in for what cannot be drawn. A picture that lies outside of the package is never fetched.
import { color, cssLength, emus, lookUp, whole } from './attributes.ts';
import type {
  Alignment,
  Block,
  Crop,
  DocxPicture,
  Drawing,
  FloatAnchor,
  Frame,
  LostContent,
  LostKind,
  PlainShape,
  Position,
} from './model.ts';
import type { ParagraphContent, ReadContext } from './read-context.ts';
import { below, childOf, chosenOf, descend, type Element, elementText, isElement, val } from './xml.ts';

const WHOLE: Frame = { x: 0, y: 0, width: 1, height: 1 };
const UNCUT: Crop = { left: 0, top: 0, right: 0, bottom: 0 };
const LEAST = 1;

type Collected = {
  pictures: DocxPicture[];
  words: string[];
  boxes: Element[];
  lost: LostContent[];
  shapes?: PlainShape[];
  hasShapes?: boolean;
};

/** A `w:drawing` is in the line, or anchored beside it. */
export function readDrawing(element: Element, context: ReadContext, content: ParagraphContent): void {
  const placed = childOf(element, 'wp:inline') ?? childOf(element, 'wp:anchor');
  if (!placed) return;
  const extent = childOf(placed, 'wp:extent');
  const width = Math.max(LEAST, emus(val(extent, 'cx')) ?? LEAST);
  const height = Math.max(LEAST, emus(val(extent, 'cy')) ?? LEAST);
  const collected: Collected = { pictures: [], words: [], boxes: [], lost: [] };
  collect(childOf(placed, 'a:graphic'), WHOLE, context, collected);
  if (!isKnown(collected)) collected.lost.push({ kind: 'object' });
  const named = childOf(placed, 'wp:docPr');
  if (val(named, 'hidden') === '1') return;
  const anchor = placed.name === 'wp:anchor' ? anchorOf(placed) : undefined;
  const described = val(named, 'descr') || val(named, 'title') || '';
  add({ width, height, anchor, described, ...collected }, context, content);
}

type Raw = Collected & { width: number; height: number; anchor: FloatAnchor | undefined; described: string };

function add(raw: Raw, context: ReadContext, content: ParagraphContent): void {
  const { width, height, anchor, boxes, pictures, words, described, lost, shapes = [] } = raw;
  for (const box of boxes) content.after.push(boxOf(box, raw, context));
  const isShown = pictures.length + words.length + shapes.length > 0;
  // A shape without text says nothing; a picture that cannot be drawn leaves a frame.
  if (!isShown && (boxes.length > 0 || described === '')) {
    if (lost.length > 0) content.inlines.push({ kind: 'drawing', drawing: invisible(lost) });
    return;
  }
  const drawing: Drawing = {
    width,
    height,
    pictures,
    shapes,
    anchor,
    words: isShown ? words : [described],
    lost,
  };
  if (!anchor) content.inlines.push({ kind: 'drawing', drawing });
  else content.before.push({ kind: 'figure', drawing });
}

/** Says on which page something is missing. */
const invisible = (lost: LostContent[]): Drawing => ({
  width: 0.01,
  height: 0.01,
  pictures: [],
  words: [],
  anchor: undefined,
  lost,
});

const isKnown = ({ pictures, words, boxes, lost, hasShapes }: Collected): boolean =>
  hasShapes === true || pictures.length + words.length + boxes.length + lost.length > 0;

function boxOf(content: Element, { width, anchor }: Raw, context: ReadContext): Block {
  const blocks = context.readBlocks(content, { ...context, fields: [] });
  const align = anchor?.x.align;
  const side: Alignment = align === 'center' || align === 'right' ? align : 'left';
  return { kind: 'box', blocks, width, align: side, hasFrame: true };
}

/** Goes through a graphic; `frame` is where in the drawing its parts lie. */
function collect(
  element: Element | undefined,
  frame: Frame,
  context: ReadContext,
  collected: Collected,
): void {
  for (const child of element?.children ?? []) {
    if (!isElement(child)) continue;
    switch (child.name) {
      case 'pic:pic':
        addPicture(child, frame, context, collected);
        break;
      case 'w:txbxContent':
        collected.boxes.push(child);
        break;
      case 'wpg:wgp':
      case 'wpg:grpSp':
      case 'wpc:wpc':
        collectGroup(child, frame, context, collected);
        break;
      case 'c:chart':
      case 'dgm:relIds':
        collected.words.push(...wordsOfPart(child, context));
        collected.lost.push({ kind: child.name === 'c:chart' ? 'chart' : 'diagram' });
        break;
      case 'wps:wsp':
        addShape(child, frame, context, collected);
        break;
      case 'mc:AlternateContent':
        collect(chosenOf(child), frame, context, collected);
        break;
      case 'wps:style':
      case 'wps:spPr':
        break;
      default:
        collect(child, frame, context, collected);
    }
  }
}

/** Its text is shown; of shapes without text only straight lines and empty boxes are. */
function addShape(shape: Element, frame: Frame, context: ReadContext, collected: Collected): void {
  const boxes = collected.boxes.length;
  collected.hasShapes = true;
  collect(shape, frame, context, collected);
  if (collected.boxes.length > boxes || !isVisibleShape(shape)) return;
  const plain = plainShape(shape, frame);
  if (plain) collected.shapes = [...(collected.shapes ?? []), plain];
  else collected.lost.push({ kind: kindOfShape(shape) });
}

/** The parts of a group lie in coordinates of its own (`chOff`, `chExt`). */
function collectGroup(group: Element, frame: Frame, context: ReadContext, collected: Collected): void {
  const transform = descend(group, 'wpg:grpSpPr', 'a:xfrm');
  const corner = childOf(transform, 'a:chOff');
  const extent = childOf(transform, 'a:chExt');
  const across = emus(val(extent, 'cx'));
  const down = emus(val(extent, 'cy'));
  const [left, top] = [emus(val(corner, 'x')) ?? 0, emus(val(corner, 'y')) ?? 0];
  for (const child of group.children) {
    if (!isElement(child)) continue;
    const coordinates =
      descend(child, 'pic:spPr', 'a:xfrm') ??
      descend(child, 'wpg:grpSpPr', 'a:xfrm') ??
      descend(child, 'wps:spPr', 'a:xfrm');
    const place = { name: '', attributes: {}, children: [child] };
    const inside = across && down && coordinates ? part(coordinates, { left, top, across, down }) : WHOLE;
    collect(place, within(frame, inside), context, collected);
  }
}

type Coordinates = { left: number; top: number; across: number; down: number };

function part(transform: Element, { left, top, across, down }: Coordinates): Frame {
  const corner = childOf(transform, 'a:off');
  const extent = childOf(transform, 'a:ext');
  return {
    x: ((emus(val(corner, 'x')) ?? left) - left) / across,
    y: ((emus(val(corner, 'y')) ?? top) - top) / down,
    width: (emus(val(extent, 'cx')) ?? across) / across,
    height: (emus(val(extent, 'cy')) ?? down) / down,
  };
}

/** Moves what reaches out of the drawing, where it would cover text, into it. */
function within(outer: Frame, inner: Frame): Frame {
  const width = Math.min(1, Math.max(0, inner.width));
  const height = Math.min(1, Math.max(0, inner.height));
  const x = Math.min(1 - width, Math.max(0, inner.x));
  const y = Math.min(1 - height, Math.max(0, inner.y));
  return {
    x: outer.x + x * outer.width,
    y: outer.y + y * outer.height,
    width: width * outer.width,
    height: height * outer.height,
  };
}

function addPicture(element: Element, frame: Frame, context: ReadContext, collected: Collected): void {
  const fill = childOf(element, 'pic:blipFill');
  const id = val(childOf(fill, 'a:blip'), 'r:embed');
  const name = descend(element, 'pic:nvPicPr', 'pic:cNvPr');
  const target = pictureNamed(id, context);
  if (target === undefined) {
    collected.words.push(val(name, 'descr') || val(name, 'name') || 'Picture');
    collected.lost.push({ kind: 'image' });
  } else collected.pictures.push({ part: target, frame, crop: cropOf(childOf(fill, 'a:srcRect')) });
}

/** Returns the part that `r:id` or `r:embed` names; undefined where it is outside of the package, or nowhere. */
function pictureNamed(id: string | undefined, { parts, part }: ReadContext): string | undefined {
  const named = id === undefined ? undefined : parts.relationships(part).get(id);
  return named && !named.isExternal && parts.package.has(named.target) ? named.target : undefined;
}

/** The numbers are thousandths of a percent. */
function cropOf(element: Element | undefined): Crop {
  if (!element) return UNCUT;
  const share = (side: string) => Math.min(0.95, Math.max(0, (whole(val(element, side)) ?? 0) / 100_000));
  const [left, right, top, bottom] = [share('l'), share('r'), share('t'), share('b')];
  return left + right < 0.99 && top + bottom < 0.99 ? { left, right, top, bottom } : UNCUT;
}

const WORDS_OF_CHART = 400;

/** The words of a chart or a diagram lie in parts of their own. */
function wordsOfPart(element: Element, { parts, part }: ReadContext): string[] {
  const id = val(element, 'r:id') ?? val(element, 'r:dm');
  const target = pictureNamed(id, { parts, part } as ReadContext);
  const root = target === undefined ? undefined : parts.xml(target);
  if (!root) return [element.name === 'c:chart' ? 'Chart' : 'Diagram'];
  const words: string[] = [];
  for (const item of below(root))
    if ((item.name === 'a:t' || item.name === 'c:v') && words.length < WORDS_OF_CHART)
      words.push(elementText(item));
  const distinct = new Set(words.map((word) => word.trim()).filter((word) => word !== ''));
  return distinct.size > 0 ? [...distinct] : ['Diagram'];
}

function anchorOf(element: Element): FloatAnchor {
  const isBehind = val(element, 'behindDoc') === '1';
  const isOver = childOf(element, 'wp:wrapNone') !== undefined;
  const isAbove = childOf(element, 'wp:wrapTopAndBottom') !== undefined;
  return {
    wrap: isOver ? 'none' : isAbove ? 'above' : 'beside',
    isBehind,
    x: positionOf(childOf(element, 'wp:positionH')),
    y: positionOf(childOf(element, 'wp:positionV')),
  };
}

const FROM: Record<string, Position['from']> = {
  page: 'page',
  leftMargin: 'page',
  rightMargin: 'page',
  insideMargin: 'page',
  outsideMargin: 'page',
  topMargin: 'page',
  bottomMargin: 'page',
  margin: 'margin',
};
const ALIGNS = new Set(['left', 'center', 'right', 'top', 'bottom']);

function positionOf(element: Element | undefined): Position {
  const offset = childOf(element, 'wp:posOffset');
  const align = childOf(element, 'wp:align');
  const named = align ? elementText(align).trim() : undefined;
  return {
    from: lookUp(FROM, val(element, 'relativeFrom')) ?? 'text',
    offset: offset && emus(elementText(offset).trim()),
    align: named !== undefined && ALIGNS.has(named) ? (named as Position['align']) : undefined,
  };
}

// --- VML, which older files and embedded objects are drawn with. ---

export function readVml(element: Element, context: ReadContext, content: ParagraphContent): void {
  const lost = new Set<LostKind>();
  let isShown = false;
  for (const shape of below(element, (item) => item.name === 'w:txbxContent')) {
    const kind = lookUp(VML_SHAPES, shape.name);
    // A rule between paragraphs says nothing.
    const isRule = /^(t|true|1)$/.test(val(shape, 'o:hr') ?? '');
    if (kind && !isRule && isVisibleShape(shape) && !hasContent(shape)) lost.add(kind);
    isShown ||= kind !== undefined;
    if (shape.name === 'v:textpath') {
      const text = val(shape, 'string') ?? '';
      if (text.trim() !== '') content.before.push({ kind: 'watermark', text });
    }
    if (shape.name === 'v:imagedata' || shape.name === 'w:txbxContent')
      readShape(element, shape, context, content);
  }
  if (!isShown && element.name === 'w:object') lost.add('object');
  const all = [...lost].map((kind): LostContent => ({ kind }));
  if (all.length > 0) content.inlines.push({ kind: 'drawing', drawing: invisible(all) });
}

const VML_CONTENT = new Set(['v:imagedata', 'w:txbxContent', 'v:textpath']);
const hasContent = (shape: Element): boolean => [...below(shape)].some(({ name }) => VML_CONTENT.has(name));

const ROUGHLY = { width: 200, height: 100 };

function readShape(element: Element, inside: Element, context: ReadContext, content: ParagraphContent): void {
  const style = styleAround(element, inside);
  const width = Math.max(LEAST, style.width ?? ROUGHLY.width);
  const height = Math.max(LEAST, style.height ?? ROUGHLY.height);
  const raw: Raw = {
    width,
    height,
    pictures: [],
    words: [],
    boxes: [],
    anchor: undefined,
    described: '',
    lost: [],
  };
  if (inside.name === 'w:txbxContent') raw.boxes.push(inside);
  else {
    const target = pictureNamed(val(inside, 'r:id'), context);
    if (target !== undefined) raw.pictures.push({ part: target, frame: WHOLE, crop: UNCUT });
    else {
      raw.words.push(val(inside, 'o:title') || 'Picture');
      raw.lost.push({ kind: 'image' });
    }
  }
  add(raw, context, content);
}

/** The shape that holds something has its size as `style="width:120pt;height:3cm"`. */
function styleAround(
  element: Element,
  inside: Element,
): { width?: number | undefined; height?: number | undefined } {
  const way = wayTo(element, inside) ?? [];
  const styled = way.findLast((item) => val(item, 'style') !== undefined && item.name !== 'v:textbox');
  const entries = (val(styled, 'style') ?? '').split(';').map((entry) => entry.split(':', 2));
  const length = (name: string) => cssLength(entries.find(([key]) => key?.trim() === name)?.[1]?.trim());
  return { width: length('width'), height: length('height') };
}

function wayTo(from: Element, to: Element): Element[] | undefined {
  if (from === to) return [];
  for (const child of from.children) {
    if (!isElement(child)) continue;
    const rest = wayTo(child, to);
    if (rest) return [child, ...rest];
  }
  return undefined;
}

/** Only these elements of VML draw something. */
const VML_SHAPES: Record<string, LostKind> = {
  'v:line': 'line',
  'v:polyline': 'line',
  'v:curve': 'line',
  'v:arc': 'line',
  'v:rect': 'shape',
  'v:roundrect': 'shape',
  'v:oval': 'shape',
  'v:shape': 'shape',
};

const LINES = /^(line|lineInv|(straight|bent|curved)Connector\d?)$/;

function kindOfShape(shape: Element): LostKind {
  const form = val(descend(shape, 'wps:spPr', 'a:prstGeom'), 'prst') ?? '';
  return LINES.test(form) ? 'line' : 'shape';
}

function isVisibleShape(shape: Element): boolean {
  if (shape.name.startsWith('v:')) return !(isOff(val(shape, 'stroked')) && isOff(val(shape, 'filled')));
  const properties = childOf(shape, 'wps:spPr');
  const isFilled = childOf(properties, 'a:noFill') === undefined;
  const line = childOf(properties, 'a:ln');
  return isFilled || line === undefined || childOf(line, 'a:noFill') === undefined;
}

const isOff = (value: string | undefined): boolean => value === 'f' || value === 'false' || value === '0';

const FORMS: Record<string, PlainShape['form']> = { line: 'line', straightConnector1: 'line', rect: 'box' };
const POINTS_OF_LINE = 0.75;
const WIDEST = 12;

/**
 * Returns a straight line or an empty box as it is drawn; undefined for every other shape. What is filled is not drawn, because it could
 * cover text.
 * @param shape a `wps:wsp`
 */
function plainShape(shape: Element, frame: Frame): PlainShape | undefined {
  const properties = childOf(shape, 'wps:spPr');
  const transform = childOf(properties, 'a:xfrm');
  const form = FORMS[val(childOf(properties, 'a:prstGeom'), 'prst') ?? ''];
  const isTurned = (val(transform, 'rot') ?? '0') !== '0';
  const isFilled = form === 'box' && childOf(properties, 'a:noFill') === undefined;
  if (!form || isTurned || isFilled) return undefined;
  const line = childOf(properties, 'a:ln');
  return {
    form,
    frame,
    width: Math.min(WIDEST, Math.max(0.25, emus(val(line, 'w')) ?? POINTS_OF_LINE)),
    color: color(val(descend(line, 'a:solidFill', 'a:srgbClr'), 'val')) ?? '000000',
    isRising: isFlipped(transform, 'flipH') !== isFlipped(transform, 'flipV'),
  };
}

const isFlipped = (transform: Element | undefined, name: string): boolean =>
  /^(1|true)$/.test(val(transform, name) ?? '');
