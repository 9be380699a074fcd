// The field of a tag is where the tag stood: as large as its type needs, as the tag, or as the tag says.
import { expect, test } from 'vitest';
import { boxOfTag } from '../../../src/placement/tags/read-tag.ts';

const PAGE = { width: 600, height: 800 };
const box = (x: number, y: number, width: number, height = 14) => ({ x, y, width, height });

test('a short tag: the usual size of the type', () => {
  expect(boxOfTag({ type: 'signature' }, [box(100, 200, 90)], PAGE)).toEqual(box(100, 200, 180, 48));
});

test('a long and high tag: its own size', () => {
  expect(boxOfTag({ type: 'date' }, [box(100, 200, 300, 30)], PAGE)).toEqual(box(100, 200, 300, 30));
});

test('a checkbox: never wider', () => {
  expect(boxOfTag({ type: 'checkbox' }, [box(100, 200, 300, 30)], PAGE)).toEqual(box(100, 200, 14, 14));
});

test('a size of the tag counts', () => {
  expect(boxOfTag({ type: 'text', width: 50, height: 12 }, [box(100, 200, 300)], PAGE)).toEqual(
    box(100, 200, 50, 12),
  );
});

test('a tag on two lines: the larger part', () => {
  expect(boxOfTag({ type: 'date' }, [box(500, 200, 80), box(50, 214, 200)], PAGE)).toEqual(
    box(50, 214, 200, 20),
  );
});

test.each([
  ['right', box(550, 200, 40), box(420, 200, 180, 48)],
  ['lower', box(100, 790, 40), box(100, 752, 180, 48)],
])('at the %s edge of the page it moves', (_, tag, wanted) => {
  expect(boxOfTag({ type: 'signature' }, [tag], PAGE)).toEqual(wanted);
});

test('it is never larger than the page', () => {
  expect(boxOfTag({ type: 'text', width: 9000, height: 9000 }, [box(5, 5, 5)], PAGE)).toEqual(
    box(0, 0, 600, 800),
  );
});
