// What a phone loads before somebody can sign: the script of the signing pages and their style, as they are sent packed.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { signStyle } from '../../src/service/web/sign/style.ts';

const MOST_BYTES = 60_000;

test('script and style of the signing pages have at most 60 kB', async () => {
  const script = await readFile(new URL('../../dist/sign-page.js', import.meta.url));
  const bytes = gzipSync(script).length + gzipSync(signStyle(new Map([['handwriting', '/face-1']]))).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
