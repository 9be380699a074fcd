// Draws the layout of a value as shapes that any program can draw: text as the outlines of its glyphs. It opens no document, and draws what the
// stamp of the sealed document draws.

import type { Face } from '../fonts/faces.ts';
import { countShaped, createTypesetting, fontOf, placedGlyphs, underlineOf } from '../fonts/typesetting.ts';
import type { Box, Matrix, Size } from '../geometry.ts';
import { pngHeaderOf } from '../images/read-png.ts';
import { STAMP_LIMITS } from '../limits.ts';
import { isInk } from './ink-picture.ts';
import { type FieldShape, layOutField } from './lay-out-field.ts';
import type { StampField } from './plan.ts';

/** Lengths are displayed points of the page. `path` is written as in SVG, and `matrix` takes it to its place. */
export type PictureShape =
  | Exclude<FieldShape, { kind: 'text' }>
  | { kind: 'outline'; path: string; matrix: Matrix; color: string }
  | { kind: 'box'; box: Box; color: string };

/** `isSmall` says that the value had to be set smaller than can be read. */
type FieldPicture = { shapes: PictureShape[]; isSmall: boolean };

/**
 * Makes a drawer of the fields of one page for a browser: words that occur again are measured once. Of long values those are omitted that
 * are beyond a limit. Of a field that is not shown, only the size is computed.
 */
export function fieldPictures(): (field: StampField, isShown?: boolean) => FieldPicture {
  const typesetting = createTypesetting();
  const hasRoom = createRoom();
  return (field, isShown = true) => {
    if (!isInk(field) && !hasRoom(field.value)) return { shapes: [], isSmall: false };
    const { shapes, isSmall } = layOutField(field, inkSizeOf(field), typesetting);
    if (!isShown) return { shapes: [], isSmall };
    return {
      shapes: shapes.flatMap((shape) => (shape.kind === 'text' ? outlinesOf(shape) : [shape])),
      isSmall,
    };
  };
}

/** Makes a function that says whether a text may be drawn beside those before it. A text that may not takes no room from those after it. */
function createRoom(): (text: string) => boolean {
  let [characters, shaped] = [0, 0];
  return (text) => {
    if (text.length <= STAMP_LIMITS.pictureShort) return true;
    const byRules = countShaped(text);
    if (byRules > STAMP_LIMITS.pictureShaped) return false;
    if (shaped + byRules > STAMP_LIMITS.pictureShapedOfAll) return false;
    if (characters + text.length > STAMP_LIMITS.pictureCharacters) return false;
    shaped += byRules;
    characters += text.length;
    return true;
  };
}

/** Returns undefined for a value that is no picture or cannot be read, which is refused. */
const inkSizeOf = (field: StampField): Size | undefined =>
  isInk(field) ? pngHeaderOf(Buffer.from(field.value.replace(/^[^,]*,/, ''), 'base64')) : undefined;

/** A character that no font has is missing: the field says so, and such a value is refused. */
function outlinesOf({ line, isUnderlined, ...at }: Extract<FieldShape, { kind: 'text' }>): PictureShape[] {
  const { x, y, size, color } = at;
  let along = x;
  const outlines = line.runs.flatMap(({ text, face, width }): PictureShape[] => {
    const start = along;
    along += width * size;
    const outline = face && outlineOf(text, face);
    if (!outline || outline.path === '') return [];
    const scale = size / outline.unitsPerEm;
    return [{ kind: 'outline', path: outline.path, matrix: [scale, 0, 0, -scale, start, y], color }];
  });
  const box = isUnderlined ? underlineOf(line, at) : undefined;
  return box ? [...outlines, { kind: 'box', box, color }] : outlines;
}

/**
 * Writes the path of a run as SVG does, in units of the font from the beginning of the baseline, upwards.
 * @returns with the number of units in a size of the text
 */
function outlineOf(text: string, face: Face): { path: string; unitsPerEm: number } {
  const font = fontOf(face);
  const placed = placedGlyphs(text, face);
  let along = 0;
  let path = '';
  for (const [index, glyph] of font.layout(text).glyphs.entries()) {
    const { advance, x, y } = placed?.[index] ?? { advance: glyph.advanceWidth, x: 0, y: 0 };
    const outline = outlineOfGlyph(face, glyph);
    if (outline) path += `M${Math.round(along + x) + outline.x} ${Math.round(y) + outline.y}${outline.path}`;
    along += advance;
  }
  return { path, unitsPerEm: font.unitsPerEm };
}

/** An outline begins at the point, and the rest is relative to it. */
type GlyphOutline = { x: number; y: number; path: string };
type Glyph = { id: number; path: { commands: Command[] } };
type Command = { command: string; args: number[] };

const outlines = new Map<Face, Map<number, GlyphOutline | undefined>>();

function outlineOfGlyph(face: Face, glyph: Glyph): GlyphOutline | undefined {
  const ofFace = outlines.get(face) ?? new Map<number, GlyphOutline | undefined>();
  outlines.set(face, ofFace);
  if (!ofFace.has(glyph.id)) ofFace.set(glyph.id, relativeOutline(glyph.path.commands));
  return ofFace.get(glyph.id);
}

const LETTERS: Record<string, string> = {
  moveTo: 'm',
  lineTo: 'l',
  quadraticCurveTo: 'q',
  bezierCurveTo: 'c',
  closePath: 'z',
};

/** Makes the points relative to the one before, so that the same glyph is the same text wherever it stands. */
function relativeOutline(commands: readonly Command[]): GlyphOutline | undefined {
  const [first, ...others] = commands;
  if (!first) return undefined;
  const begin = first.args.map(Math.round) as [number, number];
  let [at, start] = [begin, begin];
  const segments = others.map(({ command, args }) => {
    const points = args.map((value, index) => Math.round(value) - at[index % 2]!);
    if (command === 'closePath') at = start;
    else at = args.slice(-2).map(Math.round) as [number, number];
    if (command === 'moveTo') start = at;
    return `${LETTERS[command] ?? ''}${points.join(' ')}`;
  });
  return { x: begin[0], y: begin[1], path: segments.join('') };
}
