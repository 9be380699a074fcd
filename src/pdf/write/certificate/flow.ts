// Lays out pages from top to bottom: wrapped text, rows of columns, and a new page when one is full. It must never lose a
// character: one that no font has is shown by its number.
import type { EmbeddedFonts } from '../../fonts/embedding.ts';
import type { Typeface } from '../../fonts/faces.ts';
import { missingCharacters } from '../../fonts/runs.ts';
import { fontOf, type Measured, paragraphOf, type Typesetting } from '../../fonts/typesetting.ts';
import type { Size } from '../../geometry.ts';
import { CERTIFICATE_LIMITS } from '../../limits.ts';
import { codePointNames, drawText, type FormXObjectBuilder, newFormXObject } from '../form-x-object.ts';

export const INK = '1A1C20';
export const SOFT = '5B6068';
export const LINE = 'D5D9DE';
export const ACCENT = '1D4E79';
export const PAPER = 'F4F7FA';

export type Flow = {
  readonly size: Size;
  readonly fonts: EmbeddedFonts;
  readonly typesetting: Typesetting;
  readonly isCalibrated: boolean;
  /** Things stand closer together, in letters of the same size. */
  readonly isDense: boolean;
  readonly sheets: FormXObjectBuilder[];
  /** The next thing begins here, from the top of the last page. */
  y: number;
};

export const MARGIN = 54;
/** The footer takes this much, with the space above it. */
const FOOT = 66;

export type ColumnStyle = {
  size: number;
  color: string;
  typeface: Typeface;
  /** The distance from line to line is this many times the size. */
  lineHeight?: number;
};

export const left = MARGIN;
export const contentWidth = ({ size }: Flow): number => size.width - 2 * MARGIN;
export const bottomOf = ({ size }: Flow): number => size.height - FOOT;

export function nextPage(flow: Flow): void {
  flow.sheets.push(newFormXObject(flow.fonts, flow.size, { isCalibrated: flow.isCalibrated }));
  flow.y = MARGIN;
}

export const sheetOf = ({ sheets }: Flow): FormXObjectBuilder => sheets.at(-1)!;

/** Leaves room before the next thing. */
export function leaveSpace(flow: Flow, height: number): void {
  flow.y += flow.isDense ? height * DENSE.space : height;
}

/** The usual distances between things and between lines are multiplied by these. The size of letters stays. */
const DENSE = { space: 0.4, lines: 0.9 };

/** Begins a new page where less than this remains. */
export function keepTogether(flow: Flow, height: number): void {
  if (flow.y + height > bottomOf(flow)) nextPage(flow);
}

/** The text fits into a column; several texts stand under one another. */
type TextColumn = ColumnStyle & { x: number; width: number; writeText: string | readonly string[] };
type LaidOutColumn = { column: TextColumn; lines: Measured[]; step: number };

const BLANK: Measured = { width: 0, runs: [] };

function laidOut(column: TextColumn, { typesetting, isDense }: Flow): LaidOutColumn {
  const { writeText: text, typeface, size, width, lineHeight = 1.35 } = column;
  const lines = [text].flat().flatMap((paragraph) => {
    if (paragraph === '') return [BLANK];
    return paragraphOf(showable(paragraph, typeface), typeface, typesetting).lines(width / size);
  });
  return { column, lines, step: lineHeight * size * (isDense ? DENSE.lines : 1) };
}

/**
 * Replaces each character that no font at hand has by its number in brackets, and what breaks lines by a space. The brackets are
 * ASCII: the bundled fonts have them, so the number can be drawn on a machine without any other font.
 */
export function showable(text: string, typeface: Typeface): string {
  const line = text
    .slice(0, CERTIFICATE_LIMITS.textCharacters)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, (characters) => {
      const isJoiner = /^[\u200c\u200d]$/u.test(characters);
      return isJoiner ? characters : ' ';
    });
  const missing = new Set(missingCharacters(line, typeface));
  if (missing.size === 0) return line;
  return [...line]
    .map((character) => (missing.has(character) ? `[${codePointNames(character)}]` : character))
    .join('');
}

/** Writes columns beside one another; the next thing begins below the longest. Lines go over to the next page one by one. */
export async function writeRow(flow: Flow, columns: readonly TextColumn[]): Promise<void> {
  const laid = columns.map((column) => laidOut(column, flow));
  const longest = Math.max(...laid.map(({ lines }) => lines.length));
  const step = Math.max(...laid.map((column) => column.step));
  for (let index = 0; index < longest; index += 1) {
    keepTogether(flow, step);
    for (const { column, lines } of laid) {
      const line = lines[index];
      if (line) await drawLine(flow, line, column, step);
    }
    flow.y += step;
  }
}

async function drawLine(
  flow: Flow,
  line: Measured,
  { x, size, color }: TextColumn,
  step: number,
): Promise<void> {
  const face = line.runs.find((run) => run.face)?.face;
  if (!face) return;
  const { ascent, descent, unitsPerEm } = fontOf(face);
  const y = flow.y + step / 2 + ((ascent + descent) / 2 / unitsPerEm) * size;
  await drawText(sheetOf(flow), line, { x, y, size, color });
}

/** Writes one column over the whole width, or from `x` on. */
export async function addText(
  flow: Flow,
  words: string,
  style: ColumnStyle,
  { x = left, width = 0 } = {},
): Promise<void> {
  await writeRow(flow, [{ ...style, writeText: words, x, width: width || left + contentWidth(flow) - x }]);
}
