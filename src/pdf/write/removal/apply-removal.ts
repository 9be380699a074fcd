// Writes the content of pages and drawings again without the glyphs that are removed. A drawing that changes in one of its places only
// is copied for that place.
import { type PDFContext, PDFDict, PDFName, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import {
  type Draw,
  type FollowedContent,
  followText,
  type Glyph,
  type MarkedSpan,
  type Show,
} from '../../content/follow-text.ts';
import { contentOfPage } from '../../content/interpreter.ts';
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import type { PageLeaf } from '../../read/repair.ts';
import { type Dict, PdfString, type Value, writeHex, writeName, writeValue } from '../../read/values.ts';

export type ChangedPage = { leaf: PageLeaf; content: FollowedContent };

type Removal = {
  view: PdfView;
  context: PDFContext;
  removed: ReadonlySet<Glyph>;
  /** A drawing on one page may be on others as well, so the content of all pages is here. */
  contents: readonly FollowedContent[];
};

/** @returns false where a drawing cannot be written again */
export function applyRemoval(removal: Removal, pages: readonly ChangedPage[]): boolean {
  const changes = describeChanges(removal);
  const copies = new Map<string, PDFRef>();
  let isWhole = true;

  /** Gives each drawing that is a copy now a new name, with the resources that have them. */
  function renameDraws(content: FollowedContent, resources: PDFDict): Map<Draw, string> {
    const renamed = new Map<Draw, string>();
    for (const draw of content.draws) {
      const change = changes.of(draw.inner);
      if (change === '') continue;
      const ref = writeDrawing(draw.inner, change);
      if (ref) renamed.set(draw, nameFor(resources, ref));
    }
    return renamed;
  }

  /** Writes a drawing again. Returns the new object, or undefined where it is changed in its place. */
  function writeDrawing(content: FollowedContent, change: string): PDFRef | undefined {
    const { object = 0 } = content;
    const isShared = changes.isShared(object);
    const key = `${object} ${change}`;
    const existing = copies.get(key);
    if (existing) return isShared ? existing : undefined;
    const ref = PDFRef.of(object, removal.view.object(object)?.generation ?? 0);
    const old = removal.context.lookup(ref);
    if (!(old instanceof PDFStream)) {
      isWhole = false;
      return undefined;
    }
    const target = isShared ? removal.context.nextRef() : ref;
    copies.set(key, target);
    const resources = copyOf(removal.context, old.dict.lookup(RESOURCES));
    const stream = removal.context.flateStream(rewritten(content, renameDraws(content, resources)));
    for (const [name, value] of old.dict.entries())
      if (!OF_OLD_STREAM.has(name.decodeText())) stream.dict.set(name, value);
    if (old.dict.has(RESOURCES) || resources.keys().length > 0) stream.dict.set(RESOURCES, resources);
    removal.context.assign(target, stream);
    return isShared ? target : undefined;
  }

  const rewritten = (content: FollowedContent, renamed: Map<Draw, string>) =>
    rewriteContent(content, {
      ...{ removed: removal.removed, renamed },
      emptied: emptiedSpans(content, removal.removed),
      dictOf: (value) => removal.view.dict(value),
    });

  for (const { leaf, content } of pages) {
    const { dict, inherited } = leaf;
    const resources = copyOf(removal.context, removal.context.lookup(inherited.get('Resources')));
    const bytes = rewritten(content, renameDraws(content, resources));
    dict.set(PDFName.of('Contents'), removal.context.register(removal.context.flateStream(bytes)));
    dict.set(RESOURCES, resources);
    // A small picture of the page, and what other programs keep of it, would still show the text.
    for (const key of ['Thumb', 'PieceInfo']) dict.delete(PDFName.of(key));
  }
  return isWhole;
}

const RESOURCES = PDFName.of('Resources');

/** These entries say how the old bytes of a stream are packed, or what other programs keep of it. */
const OF_OLD_STREAM = new Set(['Length', 'Filter', 'DecodeParms', 'DL', 'PieceInfo', 'Resources']);

/** Marks go whose glyphs are all removed: what is read in their place goes with them. */
const emptiedSpans = ({ spans }: FollowedContent, removed: ReadonlySet<Glyph>): Set<MarkedSpan> =>
  new Set(spans.filter(({ glyphs }) => glyphs.length > 0 && glyphs.every((glyph) => removed.has(glyph))));

function copyOf(context: PDFContext, value: unknown): PDFDict {
  const copy = context.obj({});
  if (value instanceof PDFDict) for (const [key, item] of value.entries()) copy.set(key, item);
  return copy;
}

/** Adds a drawing to resources that only one page or drawing has. */
function nameFor(resources: PDFDict, ref: PDFRef): string {
  const key = PDFName.of('XObject');
  const drawings = copyOf(resources.context, resources.lookup(key));
  resources.set(key, drawings);
  let count = 0;
  while (drawings.has(PDFName.of(`Esign${count}`))) count += 1;
  drawings.set(PDFName.of(`Esign${count}`), ref);
  return `Esign${count}`;
}

/** Describes changes as text: empty where nothing changes, and the same where the same glyphs are removed. */
function describeChanges({ contents, removed }: Removal) {
  const cache = new Map<FollowedContent, string>();
  const describe = (content: FollowedContent): string => {
    const cached = cache.get(content);
    if (cached !== undefined) return cached;
    const glyphs = content.shows.flatMap(({ glyphs }, show) =>
      glyphs.flatMap((glyph, index) => (removed.has(glyph) ? [`${show}.${index}`] : [])),
    );
    const drawings = content.draws.flatMap(({ inner }, index) => {
      const change = describe(inner);
      return change === '' ? [] : [`${index}(${change})`];
    });
    const text = [...glyphs, ...drawings].join(' ');
    cache.set(content, text);
    return text;
  };
  const ofObject = new Map<number, Set<string>>();
  for (const page of contents)
    for (const content of contentsOn(page)) {
      if (content.object === undefined) continue;
      ofObject.set(content.object, (ofObject.get(content.object) ?? new Set()).add(describe(content)));
    }
  return { of: describe, isShared: (object: number) => (ofObject.get(object)?.size ?? 0) > 1 };
}

type Rewriting = {
  removed: ReadonlySet<Glyph>;
  /** Drawings have other names if they have changed in one place only. */
  renamed: ReadonlyMap<Draw, string>;
  /** The text of these marks was removed with their glyphs. */
  emptied: ReadonlySet<MarkedSpan>;
  dictOf(value: Value): Dict | undefined;
};

function rewriteContent(
  { content, shows, draws, spans }: FollowedContent,
  { removed, renamed, emptied, dictOf }: Rewriting,
): Buffer {
  const pieces: { start: number; end: number; text: string }[] = [];
  for (const show of shows)
    if (show.glyphs.some((glyph) => removed.has(glyph)))
      pieces.push({ ...show, text: rewriteShow(show, removed) });
  for (const draw of draws) {
    const name = renamed.get(draw);
    if (name !== undefined) pieces.push({ ...draw, text: `${writeName(name)} Do` });
  }
  for (const span of spans) if (emptied.has(span)) pieces.push({ ...span, text: rewriteMark(span, dictOf) });
  pieces.sort((piece, other) => piece.start - other.start);
  const chunks: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of pieces) {
    chunks.push(content.subarray(at, start), Buffer.from(` ${text} `, 'latin1'));
    at = end;
  }
  return Buffer.concat([...chunks, content.subarray(at)]);
}

function rewriteMark({ tag, properties }: MarkedSpan, dictOf: Rewriting['dictOf']): string {
  const entries = [...(dictOf(properties) ?? [])].filter(([key]) => key !== 'ActualText');
  return `${writeName(tag)} ${writeValue(new Map(entries))} BDC`;
}

/** Puts an offset of the same width in the place of each glyph that is removed. */
function rewriteShow({ operator, operands, glyphs }: Show, removed: ReadonlySet<Glyph>): string {
  const items = operator === 'TJ' ? (operands[0] as Value[]) : operands.slice(operator === '"' ? 2 : 0);
  const written: (string | number)[] = [];
  const add = (offset: number) => {
    const last = written.at(-1);
    if (typeof last === 'number') written[written.length - 1] = last + offset;
    else written.push(offset);
  };
  for (const [index, item] of items.entries()) {
    if (typeof item === 'number') add(item);
    if (!(item instanceof PdfString)) continue;
    const { bytes } = item;
    let from = 0;
    for (const glyph of glyphs) {
      if (glyph.item !== index || !removed.has(glyph)) continue;
      if (glyph.at > from) written.push(writeHex(bytes.subarray(from, glyph.at)));
      add(glyph.offset);
      from = glyph.at + glyph.length;
    }
    if (from < bytes.length) written.push(writeHex(bytes.subarray(from)));
  }
  const array = `[${written.map((item) => (typeof item === 'string' ? item : precise(item))).join(' ')}] TJ`;
  return `${beforeShow(operator, operands)}${array}`;
}

/** The short operators do this before they show text. */
function beforeShow(operator: string, [wordSpace, characterSpace]: readonly Value[]): string {
  if (operator === "'") return 'T* ';
  if (operator !== '"') return '';
  return `${precise(Number(wordSpace))} Tw ${precise(Number(characterSpace))} Tc T* `;
}

const precise = (value: number): string => String(Number(value.toFixed(5)));

type PageOfFile = { dict: Dict; resources: Dict | undefined };

/** Lists pages in reading order; undefined where the tree cannot be walked. */
export function listPages(view: PdfView): PageOfFile[] | undefined {
  const pages: PageOfFile[] = [];
  const visited = new Set<Dict>();
  const visit = (value: Value | undefined, above: Dict | undefined, depth: number): boolean => {
    const dict = view.dict(value);
    if (!dict || visited.has(dict) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    visited.add(dict);
    const resources = view.dict(dict.get('Resources')) ?? above;
    const kids = view.array(dict.get('Kids'));
    if (kids) return kids.every((kid) => visit(kid, resources, depth + 1));
    pages.push({ dict, resources });
    return true;
  };
  return visit(view.dict(view.root)?.get('Pages'), undefined, 0) ? pages : undefined;
}

/** Returns undefined for content that cannot be followed. */
export function followPage(view: PdfView, { dict, resources }: PageOfFile): FollowedContent | undefined {
  const content = contentOfPage(view, dict.get('Contents'));
  return content && followText({ view, resources, content });
}

/** Yields all content that is on a page: its own, and that of the drawings on it. */
export function* contentsOn(content: FollowedContent): Generator<FollowedContent> {
  yield content;
  for (const { inner } of content.draws) yield* contentsOn(inner);
}
