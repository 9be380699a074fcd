// Text is cut into words and into characters as people see them, however long it is.
import { describe, expect, test } from 'vitest';
import { segmentsOf } from '../../src/common/text.ts';

const atOnce = (text: string, granularity: 'word' | 'grapheme') =>
  Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment);

describe.each(['word', 'grapheme'] as const)('a text is cut by each %s', (granularity) => {
  test.each([
    ['nothing', ''],
    ['words', 'The lessee pays 1,250.75 euros. '.repeat(60)],
    ['letters with marks', 'e\u0301\u0323 '.repeat(700)],
    ['families', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(200)],
    ['flags', '\u{1f1e9}\u{1f1ea}'.repeat(400)],
    ['Thai', 'สวัสดีครับ'.repeat(150)],
  ])('%s', (_, text) => {
    expect([...segmentsOf(text, granularity)]).toEqual(atOnce(text, granularity));
  });

  test('a hundred thousand letters, of which nothing is lost', () => {
    for (const text of ['\u0e01'.repeat(100_000), `a${'\u0301'.repeat(100_000)}`])
      expect([...segmentsOf(text, granularity)].join('')).toBe(text);
  });
});
