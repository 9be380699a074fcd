// A field at words is where its anchor says: which of several places, and where beside the words.
import { describe, expect, test } from 'vitest';
import { type Anchor, boxAtWords, chooseMatches, queryOf } from '../../src/placement/anchors.ts';
import { FIELD_SIZES, sizeOfType } from '../../src/placement/sizes.ts';

const PAGE = { width: 600, height: 800 };
const anchorWith = (more: Partial<Anchor> = {}): Anchor => ({
  text: 'Customer',
  at: 'over',
  offset: { x: { points: 0 }, y: { points: 0 } },
  ...more,
});

const WORDS = { x: 100, y: 200, width: 60, height: 12 };
const SECOND_LINE = { x: 50, y: 215, width: 30, height: 12 };

const boxOf = (more: Partial<Anchor>, boxes = [WORDS], type = 'signature', page = PAGE) =>
  boxAtWords(anchorWith(more), type, { page: 0, boxes, excerpt: '' }, page);

const SIZE = { width: { points: 80 }, height: { points: 20 } };

describe('a field beside words', () => {
  test.each([
    ['over', { x: 100, y: 200 }],
    ['above', { x: 100, y: 180 }],
    ['below', { x: 100, y: 212 }],
    ['left', { x: 20, y: 192 }],
    ['right', { x: 160, y: 192 }],
  ] as const)('%s', (at, corner) => {
    expect(boxOf({ at, size: SIZE })).toEqual({ ...corner, width: 80, height: 20 });
  });

  test.each([
    ['over', { x: 100, y: 200 }],
    ['above', { x: 100, y: 180 }],
    ['below', { x: 50, y: 227 }],
    ['left', { x: 20, y: 192 }],
    ['right', { x: 80, y: 207 }],
  ] as const)('%s words on two lines: before the first, or after the last', (at, corner) => {
    expect(boxOf({ at, size: SIZE }, [WORDS, SECOND_LINE])).toMatchObject(corner);
  });

  test('is moved to the right and down', () => {
    const offset = { x: { points: 7 }, y: { points: -9 } };
    expect(boxOf({ at: 'below', offset, size: SIZE })).toEqual({ x: 107, y: 203, width: 80, height: 20 });
  });

  test('has lengths in percent of the page: of its width across, of its height down', () => {
    const offset = { x: { percent: 10 }, y: { percent: -5 } };
    const size = { width: { percent: 20 }, height: { percent: 10 } };
    expect(boxOf({ offset, size })).toEqual({ x: 160, y: 160, width: 120, height: 80 });
    expect(boxOf({ at: 'above', size })).toEqual({ x: 100, y: 120, width: 120, height: 80 });
  });

  test('has the usual size of its type, where none is given', () => {
    for (const [type, size] of Object.entries(FIELD_SIZES))
      expect(boxOf({ at: 'below' }, [WORDS], type)).toEqual({ x: 100, y: 212, ...size });
    expect(sizeOfType('hologram')).toEqual(FIELD_SIZES.text);
    expect(sizeOfType('constructor')).toEqual(FIELD_SIZES.text);
  });
});

describe('a field at the edge of the page', () => {
  const NEAR_RIGHT = { x: 480, y: 200, width: 20, height: 12 };
  const NEAR_LEFT = { x: 120, y: 200, width: 20, height: 12 };

  test('becomes narrower, and stays at the words', () => {
    expect(boxOf({ at: 'right' }, [NEAR_RIGHT])).toEqual({ x: 500, y: 164, width: 100, height: 48 });
    expect(boxOf({ at: 'over' }, [NEAR_RIGHT])).toEqual({ x: 480, y: 200, width: 120, height: 48 });
    expect(boxOf({ at: 'left' }, [NEAR_LEFT])).toEqual({ x: 0, y: 164, width: 120, height: 48 });
  });

  test('does not become narrower than half of its size', () => {
    const edge = [{ ...NEAR_RIGHT, x: 520 }];
    expect(boxOf({ at: 'right' }, edge)).toEqual({ x: 540, y: 164, width: 180, height: 48 });
  });

  test('keeps a size that is given', () => {
    expect(boxOf({ at: 'right', size: SIZE }, [{ ...NEAR_RIGHT, x: 540 }])).toMatchObject({
      x: 560,
      width: 80,
    });
  });
});

describe('which of several places', () => {
  const matches = [0, 0, 2].map((page, index) => ({ page, boxes: [WORDS], excerpt: `«${index}»` }));
  const choose = (match: Anchor['match'], result = matches, isCut = false) => {
    const chosen = chooseMatches(anchorWith({ match }), { matches: result, isCut });
    return { reason: chosen.ok ? 'ok' : chosen.reason, words: 'matches' in chosen ? chosen.matches : [] };
  };

  test('is a question where none is asked for and there is more than one', () => {
    expect(choose(undefined)).toEqual({ reason: 'many', words: matches });
    expect(choose(undefined, matches.slice(0, 1))).toEqual({ reason: 'ok', words: [matches[0]] });
  });

  test('is chosen by number, from 1, or by last or all', () => {
    expect(choose(2)).toEqual({ reason: 'ok', words: [matches[1]] });
    expect(choose('last')).toEqual({ reason: 'ok', words: [matches[2]] });
    expect(choose('all')).toEqual({ reason: 'ok', words: matches });
    expect(choose(4)).toEqual({ reason: 'fewer', words: matches });
  });

  test.each([undefined, 1, 'last', 'all'] as const)('is none where there is no place: match=%s', (match) => {
    expect(choose(match, [])).toEqual({ reason: 'none', words: [] });
  });

  test('is not known to be the last, or one of all, where there are more places than are found', () => {
    expect(choose('last', matches, true).reason).toBe('many');
    expect(choose('all', matches, true).reason).toBe('many');
    expect(choose(undefined, matches.slice(0, 1), true).reason).toBe('many');
    expect(choose(3, matches, true)).toEqual({ reason: 'ok', words: [matches[2]] });
    expect(choose(4, matches, true).reason).toBe('fewer');
  });

  test('are those on a page, where one is named', () => {
    expect(queryOf(anchorWith({ page: 1 }), 3)).toMatchObject({ text: 'Customer', page: 1 });
    expect(queryOf(anchorWith({ page: 'last' }), 3)).toMatchObject({ page: 2 });
    expect(queryOf(anchorWith(), 3).page).toBeUndefined();
  });
});
