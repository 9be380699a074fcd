// The shortened source maps of the bundles lead to the same files and lines as those that esbuild writes.
import { SourceMap } from 'node:module';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
// @ts-expect-error: scripts are JavaScript
import { withLinesOnly } from '../../scripts/source-maps.js';

const SOURCE = `
  export function total(prices: number[], tax: number): number {
    const sum = prices.reduce((before, price) => before + price, 0); const share = sum * tax;
    if (sum < 0) throw new Error('less than nothing');
    return sum +
      share;
  }
  export const twice = (value: number) => total([value, value], 0);
`;

test('each place of a bundle leads to the same line as before, with fewer segments', async () => {
  const { code, map } = await transform(SOURCE, {
    ...{ loader: 'ts', minifyWhitespace: true, sourcemap: 'external', sourcefile: 'total.ts' },
  } as const);
  const whole = JSON.parse(map);
  const short = withLinesOnly(whole);
  const [before, after] = [new SourceMap(whole), new SourceMap(short)];
  const placeOf = (from: SourceMap, line: number, column: number) => {
    const entry = from.findEntry(line, column);
    return 'originalLine' in entry ? [entry.originalSource, entry.originalLine] : [];
  };
  for (const [line, text] of code.split('\n').entries())
    for (const column of [...text].keys())
      expect([line, column, placeOf(after, line, column)]).toEqual([
        line,
        column,
        placeOf(before, line, column),
      ]);
  expect(short.mappings.length).toBeLessThan(whole.mappings.length / 2);
});
