// Chooses the glyphs that show texts, by the places of the characters that PDFium reads there. What a glyph says is not decided here: a
// glyph at the place of a character of the text belongs to it, and to nothing else.
import type { Glyph } from '../../content/follow-text.ts';
import type { Point } from '../../geometry.ts';
import { REMOVAL_LIMITS } from '../../limits.ts';
import { type Pdfium, withMemory } from '../../read/pdfium.ts';
import { letterOf } from '../../text/characters.ts';
import type { NotRemovableReason } from './removal.ts';

/** A text reaches from its first character to the one behind its last. */
export type CharacterRange = { from: number; to: number };

type ChosenGlyphs =
  | { ok: true; removed: Set<Glyph> }
  | { ok: false; why: NotRemovableReason; range: CharacterRange };

/** A glyph may be this far from its place, in sizes of the text: PDFium rounds widths. The narrowest letters have twice as much. */
const TOLERANCE = 0.12;

export function chooseGlyphs(
  glyphs: readonly Glyph[],
  characters: readonly PageCharacter[],
  ranges: readonly CharacterRange[],
): ChosenGlyphs {
  const places = createNearPoints(glyphs);
  const around = (glyph: Glyph) => places.near(glyph, reachOf(glyph));
  const shown = new Map<Glyph, PageCharacter[]>();
  const nearestOf = new Map<PageCharacter, Glyph>();
  for (const character of characters) {
    const nearest = nearestGlyph(places.near(character, CELL), character);
    if (!nearest) continue;
    nearestOf.set(character, nearest);
    shown.set(nearest, [...(shown.get(nearest) ?? []), character]);
  }
  const isIn = ({ index }: PageCharacter) => ranges.some(({ from, to }) => index >= from && index < to);
  const removed = new Set<Glyph>();
  for (const range of ranges) {
    const rangeGlyphs = new Set<Glyph>();
    for (const character of characters) {
      if (character.index < range.from || character.index >= range.to) continue;
      const glyph = nearestOf.get(character);
      if (glyph) rangeGlyphs.add(glyph);
      else if (character.text.trim() !== '') return { ok: false, why: 'glyphs', range };
    }
    for (const glyph of [...rangeGlyphs]) {
      // What is read in the place of several glyphs stands at the first.
      for (const other of glyph.span?.glyphs ?? []) rangeGlyphs.add(other);
      // Bold letters are drawn twice by some programs.
      for (const other of around(glyph))
        if (other.key === glyph.key && !shown.has(other)) rangeGlyphs.add(other);
    }
    for (const glyph of rangeGlyphs) {
      if (glyph.isHidden) return { ok: false, why: 'hidden', range };
      if (glyph.isClip) return { ok: false, why: 'clip', range };
      if (shown.get(glyph)?.some((character) => !isIn(character))) return { ok: false, why: 'shared', range };
      removed.add(glyph);
    }
  }
  return { ok: true, removed };
}

const reachOf = ({ size }: Glyph): number => Math.min(size * TOLERANCE, CELL);

function nearestGlyph(glyphs: readonly Glyph[], { x, y }: PageCharacter): Glyph | undefined {
  let nearest: Glyph | undefined;
  let least = Infinity;
  for (const glyph of glyphs) {
    const distance = Math.hypot(glyph.x - x, glyph.y - y);
    if (distance > reachOf(glyph) || distance >= least) continue;
    nearest = glyph;
    least = distance;
  }
  return nearest;
}

/** The origin is in the coordinates of the page. `index` counts as PDFium does. */
export type PageCharacter = { index: number; text: string; x: number; y: number };

/** @param text the text page */
export function readCharacters(pdfium: Pdfium, text: number): PageCharacter[] {
  const count = Math.min(pdfium.FPDFText_CountChars(text), REMOVAL_LIMITS.characters);
  return withMemory(pdfium, 16, (pointer) => {
    const characters: PageCharacter[] = [];
    for (let index = 0; index < count; index += 1) {
      if (pdfium.FPDFText_IsGenerated(text, index) === 1) continue;
      if (!pdfium.FPDFText_GetCharOrigin(text, index, pointer, pointer + 8)) continue;
      const [x, y] = [
        pdfium.pdfium.getValue(pointer, 'double'),
        pdfium.pdfium.getValue(pointer + 8, 'double'),
      ];
      characters.push({ index, text: letterOf(pdfium, text, index), x, y });
    }
    return characters;
  });
}

type NearPoints<T> = {
  add(point: T): void;
  /** @param distance at most the side of a cell */
  near(place: Point, distance: number): T[];
};

const CELL = 8;

export function createNearPoints<T extends Point>(points: Iterable<T> = []): NearPoints<T> {
  const cells = new Map<string, T[]>();
  const cellOf = (x: number, y: number) => `${Math.floor(x / CELL)} ${Math.floor(y / CELL)}`;
  const add = (point: T) => {
    const key = cellOf(point.x, point.y);
    const cell = cells.get(key);
    if (cell) cell.push(point);
    else cells.set(key, [point]);
  };
  for (const point of points) add(point);
  return {
    add,
    near({ x, y }, distance) {
      const nearby: T[] = [];
      for (const dx of [-CELL, 0, CELL])
        for (const dy of [-CELL, 0, CELL])
          for (const point of cells.get(cellOf(x + dx, y + dy)) ?? [])
            if (Math.hypot(point.x - x, point.y - y) <= distance) nearby.push(point);
      return nearby;
    },
  };
}
