// A URL is parsed as often as it is asked for, with the same answer.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseUrl } from '../../src/common/parse-url.ts';

test('a host with letters beyond ASCII is one after thousands of calls', () => {
  for (let count = 0; count < 20_000; count += 1)
    if (parseUrl('https://bücher.example.com/')?.hostname !== 'xn--bcher-kva.example.com')
      throw new Error(`call ${count}`);
});

test('what is no URL is undefined, and a base completes one', () => {
  expect(parseUrl('https://')).toBeUndefined();
  expect(parseUrl('/path')).toBeUndefined();
  expect(parseUrl('/path', 'https://example.com')?.href).toBe('https://example.com/path');
});

test('no other code asks whether a text is a URL', async () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const asking = await Promise.all(
    files.map(async (name) => ((await readFile(root + name, 'utf8')).includes('canParse(') ? [name] : [])),
  );
  expect(asking.flat()).toEqual([]);
});
