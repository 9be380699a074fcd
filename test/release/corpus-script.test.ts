// `npm run test:corpus -- DIR` fails when the folder is missing or empty.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const run = (...folders: string[]) =>
  spawnSync(process.execPath, ['scripts/corpus.js', ...folders], { encoding: 'utf8' });

test('a folder has to be named', () => {
  expect(run()).toMatchObject({ status: 2, stderr: 'Name a folder: npm run test:corpus -- DIR\n' });
});

test.skipIf(!SLOW)('a folder that is missing or empty is a failure', { timeout: 120_000 }, async () => {
  const empty = await temporaryFolder();
  expect(run(empty).status).toBe(1);
  expect(run(join(empty, 'missing')).status).toBe(1);
});
