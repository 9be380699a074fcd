// Chooses the glyphs that show texts, by the places of the characters that PDFium reads there. What a glyph says is not decided here: a
// glyph at the place of a character of the text belongs to it, and to nothing else.

import type { PageCharacter } from './characters-of-page.ts';
import type { Glyph } from './follow-text.ts';
import { CELL, createNearPoints } from './near.ts';
import type { NotRemovableReason } from './removal.ts';

/** The first character of a text, and the one behind its last. */
export type CharacterRange = { from: number; to: number };

export type ChosenGlyphs =
  | { ok: true; removed: Set<Glyph> }
  | { ok: false; why: NotRemovableReason; range: CharacterRange };

/** How far from its place a glyph may be, in sizes of the text: PDFium rounds widths. The narrowest letters have twice as much. */
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
    const own = new Set<Glyph>();
    for (const character of characters) {
      if (character.index < range.from || character.index >= range.to) continue;
      const glyph = nearestOf.get(character);
      if (glyph) own.add(glyph);
      else if (character.text.trim() !== '') return { ok: false, why: 'glyphs', range };
    }
    for (const glyph of [...own]) {
      // What is read in the place of several glyphs stands at the first.
      for (const other of glyph.span?.glyphs ?? []) own.add(other);
      // Bold letters are drawn twice by some programs.
      for (const other of around(glyph)) if (other.key === glyph.key && !shown.has(other)) own.add(other);
    }
    for (const glyph of own) {
      if (glyph.isHidden) return { ok: false, why: 'hidden', range };
      if (glyph.isClip) return { ok: false, why: 'clip', range };
      if (shown.get(glyph)?.some((one) => !isIn(one))) return { ok: false, why: 'shared', range };
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
