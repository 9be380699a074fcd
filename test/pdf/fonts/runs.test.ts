// A line of text in pieces that can be drawn from left to right.
import { expect, test } from 'vitest';
import { directionOf, missingCharacters, runsOf } from '../../../src/pdf/fonts/runs.ts';

const shown = (line: string, direction?: 'ltr' | 'rtl') =>
  runsOf(line, { family: 'sans' }, direction).map(
    ({ face, direction, text }) => `${direction} ${face?.name}: ${text}`,
  );

test('a line in one script is one run', () => {
  expect(shown('Łukasz Živković, Ελένη, Жук, Nguyễn')).toEqual([
    'ltr sans-regular: Łukasz Živković, Ελένη, Жук, Nguyễn',
  ]);
});

test('an Arabic name in a Latin sentence keeps its place, and its letters the order they are read in', () => {
  expect(shown('Ada علي (x)')).toEqual([
    'ltr sans-regular: Ada ',
    'rtl arabic-regular: علي',
    'ltr arabic-regular:  ',
    'ltr sans-regular: (x)',
  ]);
});

test('in a paragraph from right to left the first word is the last run, and brackets are mirrored', () => {
  expect(shown('שלום (12).')).toEqual([
    'ltr sans-regular: .(',
    'ltr sans-regular: 12',
    'ltr sans-regular: )',
    'rtl hebrew-regular: שלום ',
  ]);
});

test('a paragraph may say its direction', () => {
  expect(shown('1.', 'rtl')).toEqual(['ltr sans-regular: .', 'ltr sans-regular: 1']);
  expect(directionOf('12 שלום')).toBe('rtl');
  expect(directionOf('')).toBe('ltr');
});

test('marks and joiners stay with their letter', () => {
  expect(shown('e\u0301 हिन्दी')).toEqual(['ltr sans-regular: e\u0301 ', 'ltr devanagari-regular: हिन्दी']);
  expect(shown('a\u200db')).toEqual(['ltr sans-regular: a\u200db']);
});

test('a line break is a space, and nothing is no run', () => {
  expect(shown('a\nb\u0000')).toEqual(['ltr sans-regular: a b ']);
  expect(shown('')).toEqual([]);
});

test('typed signatures in both hands have Latin with its accents and Cyrillic', () => {
  for (const family of ['handwriting', 'script'] as const) {
    const runs = runsOf('Łucja Ñandú Žižek Ада Лавлейс', { family });
    expect(runs).toHaveLength(1);
    expect(runs[0]!.face?.name).toBe(
      { handwriting: 'caveat-regular', script: 'great-vibes-regular' }[family],
    );
  }
});

test('bold and italic are faces of their own, in every script that has them', () => {
  const names = (text: string, isItalic = false) =>
    runsOf(text, { family: 'serif', isBold: true, isItalic }).map(({ face }) => face?.name);
  expect(names('a')).toEqual(['serif-bold']);
  expect(names('a', true)).toEqual(['serif-bold-italic']);
  expect(names('ع')).toEqual(['arabic-bold']);
  expect(names('ह')).toEqual(['devanagari-bold']);
});

test('characters that no font has are reported', () => {
  expect(missingCharacters('a\u{10FFFD}b\u{10FFFD}', { family: 'sans' })).toEqual(['\u{10FFFD}']);
  expect(missingCharacters('☐ ☒ ✓ → ≤ ½ €', { family: 'serif' })).toEqual([]);
});
