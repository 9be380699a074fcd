// The script and the style of the signing pages stay small, compressed as they are sent: a phone loads them before a recipient can sign.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { signStyle } from '../../src/service/web/sign/static-files.ts';

const MOST_BYTES = 60_000;

test('script and style of the signing pages have at most 60 kB', async () => {
  const script = await readFile(new URL('../../dist/sign-page.js', import.meta.url));
  const bytes = gzipSync(script).length + gzipSync(signStyle(new Map([['handwriting', '/face-1']]))).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
