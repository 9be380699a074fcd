// What is kept of texts is bounded by their number and by their characters, of all fonts together.
import { expect, test } from 'vitest';
import { createTextCache } from '../../../src/pdf/fonts/typesetting.ts';

test('long texts empty the cache as many short ones do', () => {
  const cache = createTextCache<string, number>({ texts: 3, characters: 100 });
  cache.keep('sans', 'a', 1);
  cache.keep('serif', 'a', 2);
  expect([cache.find('sans', 'a'), cache.find('serif', 'a'), cache.find('sans', 'b')]).toEqual([
    1,
    2,
    undefined,
  ]);
  cache.keep('sans', 'x'.repeat(99), 3);
  expect([cache.find('sans', 'a'), cache.find('sans', 'x'.repeat(99))]).toEqual([undefined, 3]);
  cache.keep('serif', 'y'.repeat(500), 4);
  expect(cache.find('sans', 'x'.repeat(99))).toBeUndefined();
  for (const text of ['b', 'c', 'd']) cache.keep('serif', text, 5);
  expect([cache.find('serif', 'y'.repeat(500)), cache.find('serif', 'b')]).toEqual([undefined, 5]);
  cache.keep('serif', 'e', 6);
  expect([cache.find('serif', 'd'), cache.find('serif', 'e')]).toEqual([undefined, 6]);
});
