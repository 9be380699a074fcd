// Text that the rules of a font lay out: in the direction that it is read in, and once.
import { expect, test } from 'vitest';
import { faceFor } from '../../../src/pdf/fonts/faces.ts';
import { fontOf } from '../../../src/pdf/fonts/typesetting.ts';

const ARABIC = { family: 'sans' } as const;

function lettersOf(text: string): string {
  const face = faceFor(ARABIC, text.codePointAt(0)!);
  if (!face) throw new Error('No font has this text.');
  return fontOf(face)
    .layout(text)
    .glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
    .join('');
}

test.each(['١٢٣٤', '۱۲۳۴', '١٬٢٣٤٫٥٠'])('digits stand from left to right: %s', (digits) => {
  expect(lettersOf(digits)).toBe(digits);
});

test('letters stand from right to left', () => {
  expect(lettersOf('در')).toBe('رد');
});

test('a text is laid out once, however often its glyphs are asked for', () => {
  const font = fontOf(faceFor(ARABIC, 'ع'.codePointAt(0)!)!);
  expect(font.layout('عقد').glyphs).toBe(font.layout('عقد').glyphs);
});

test('a long text has the glyphs of its words, in their order', () => {
  const word = 'عقد ';
  expect(lettersOf(word.repeat(300))).toBe(lettersOf(word).repeat(300));
  const devanagari = 'नमस्ते ';
  expect(lettersOf(devanagari.repeat(300))).toBe(lettersOf(devanagari).repeat(300));
});
