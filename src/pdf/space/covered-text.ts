// Reads the words of a page that lie under boxes.
import type { Box } from '../geometry.ts';
import { SPACE_LIMITS } from '../limits.ts';
import { withPage } from '../render/open-page.ts';
import { withDocument } from '../render/pdfium.ts';
import { userUnitsOf } from '../render/user-unit.ts';
import type { TooComplex } from '../too-complex.ts';
import { shortWord, type Word, wordsOfPage } from './words-of-page.ts';

/** `except`: words in these places are meant to be under the box. */
export type CoveringBox = Box & { except?: readonly Box[] | undefined };

/** Of each box the words under it, in reading order; at most as many as are named. */
export type CoveredText = { ok: true; words: string[][] } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findCoveredText(
  bytes: Uint8Array,
  pageIndex: number,
  boxes: readonly CoveringBox[],
): Promise<CoveredText> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => wordsOfPage(pdfium, page));
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, words: boxes.map((box) => wordsUnder(box, opened.value)) };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

/** Boxes that only touch letters, or reach into the space above a line, cover nothing. */
const TOUCHING = 1;

/** Whether the two lie on one another. */
export const isCovered = (box: Box, other: Box): boolean =>
  box.x + TOUCHING < other.x + other.width &&
  other.x + TOUCHING < box.x + box.width &&
  box.y + TOUCHING < other.y + other.height &&
  other.y + TOUCHING < box.y + box.height;

function wordsUnder({ except = [], ...box }: CoveringBox, words: readonly Word[]): string[] {
  const isMeant = (letter: Box) => except.some((one) => isCovered(one, letter));
  return words
    .filter(({ boxes }) => boxes.some((one) => isCovered(box, one) && !isMeant(one)))
    .slice(0, SPACE_LIMITS.words)
    .map(shortWord);
}
