// Files of `esign sandbox export`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportSandbox, importSandbox } from '../../../src/service/copies/sandbox-files.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([true, false])('secrets %s', async (secrets) => {
  const { folder } = await fillStore();
  const place = await temporaryFolder();
  const facts = { ...FACTS, signal: new AbortController().signal };
  const [a, b] = [join(place, 'a.zip'), join(place, 'b.zip')];
  await exportSandbox(folder, a, { ...facts, secrets });
  await importSandbox(a, join(place, 'other'), { ...facts, replaces: false });
  await exportSandbox(join(place, 'other'), b, { ...facts, secrets });
  expect((await readFile(a)).equals(await readFile(b))).toBe(true);
  expect(await readdir(join(place, 'other'))).toEqual(['blobs', 'key', 'store.db', 'store.db-count']);
});
