// Draws a run of text as the outlines of its glyphs, at the places that a PDF has them: a program without the font shows the same
// picture. It must never choose a face.
import type { Face } from './faces.ts';
import { fontOf, placedGlyphs } from './typesetting.ts';

/**
 * The path of a run as SVG writes it, in units of the font from the beginning of the baseline, upwards.
 * @returns with the number of units in a size of the text
 */
export function outlineOf(text: string, face: Face): { path: string; unitsPerEm: number } {
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

/** The point where an outline begins, and the rest relative to it. */
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

/** Relative to the point before, so that the same glyph is the same text wherever it stands. */
function relativeOutline(commands: readonly Command[]): GlyphOutline | undefined {
  const [first, ...others] = commands;
  if (!first) return undefined;
  const begin = first.args.map(Math.round) as [number, number];
  let [at, start] = [begin, begin];
  const parts = others.map(({ command, args }) => {
    const points = args.map((value, index) => Math.round(value) - at[index % 2]!);
    if (command === 'closePath') at = start;
    else at = args.slice(-2).map(Math.round) as [number, number];
    if (command === 'moveTo') start = at;
    return `${LETTERS[command] ?? ''}${points.join(' ')}`;
  });
  return { x: begin[0], y: begin[1], path: parts.join('') };
}
