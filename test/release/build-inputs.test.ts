// A build is skipped only where nothing that it is made from has changed.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Scripts have no types.
const { hashInputs } = (await import('../../scripts/build-inputs.js' as string)) as {
  hashInputs(root: string): Promise<string>;
};

let root: string;
beforeEach(async () => {
  root = `${await temporaryFolder()}/`;
  await mkdir(join(root, 'src', 'cli'), { recursive: true });
  await mkdir(join(root, 'scripts'));
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'src/a.ts',
    'src/cli/b.ts',
    'scripts/c.js',
  ])
    await writeFile(join(root, name), name);
});
afterEach(() => rm(root, { recursive: true }));

const CHANGES: [string, () => Promise<unknown>][] = [
  ['a source file', () => writeFile(join(root, 'src/cli/b.ts'), 'changed')],
  ['a script', () => writeFile(join(root, 'scripts/c.js'), 'changed')],
  ['the version of a package', () => writeFile(join(root, 'package-lock.json'), 'changed')],
  ['a new file', () => writeFile(join(root, 'src/new.ts'), '')],
  ['another name', () => rename(join(root, 'src/a.ts'), join(root, 'src/aa.ts'))],
  ['a file less', () => rm(join(root, 'scripts/c.js'))],
];
test.each(CHANGES)('%s makes another build', async (_, change) => {
  const before = await hashInputs(root);
  await change();
  expect(await hashInputs(root)).not.toBe(before);
});

test('a file that is written again with the same content makes no other build', async () => {
  const before = await hashInputs(root);
  await writeFile(join(root, 'src/a.ts'), 'src/a.ts');
  expect(await hashInputs(root)).toBe(before);
});
