import { describe, expect, test } from 'vitest';
import { beginsAtRight, inReadingOrder } from '../../../src/pdf/fonts/runs.ts';

/** @param displayed the line from left to right. Its letters are returned in another order, as PDFium may */
const glyphsOf = (displayed: string) => {
  const glyphs = [...displayed].map((text, index) => ({ text, from: index, to: index + 1 }));
  return [...glyphs.filter((_, index) => index % 2 === 1), ...glyphs.filter((_, index) => index % 2 === 0)];
};
const read = (displayed: string) => {
  const glyphs = glyphsOf(displayed);
  return inReadingOrder(glyphs, beginsAtRight(glyphs))
    .map(({ text }) => text)
    .join('');
};

describe('a line is read in its own direction, whatever the order of its pieces', () => {
  test.each([
    ['from right to left', 'אבג דהו', 'והד גבא'],
    ['with a number', 'סך 1,250.75 שח', 'חש 1,250.75 ךס'],
    ['with words that run from left to right', 'אב Word 11 Pro גד', 'דג Word 11 Pro בא'],
    ['from left to right with words that do not', 'The אבג means דהו here', 'The גבא means והד here'],
    ['with a number among such words', 'The אבג 123 דהו means', 'The והד 123 גבא means'],
    ['from left to right', 'Pay 100 now', 'Pay 100 now'],
    ['with Arabic digits', 'اب ١٢ جد', 'دج ١٢ با'],
    ['of digits alone', '31/12/2026', '31/12/2026'],
  ])('%s', (_, text, displayed) => {
    expect(read(displayed)).toBe(text);
  });
});
