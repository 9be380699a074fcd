import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runLocked } from '../../src/database/file-locks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder();
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('times out, and leaves the lock with its holder', async () => {
  const file = join(root, 'a', 'lock');
  const seen = await runLocked({ file, withinMs: 1000 }, async () => {
    const other = runLocked({ file, withinMs: 60 }, async () => 'inside');
    await expect(other).rejects.toMatchObject({ name: 'LockTimeoutError' });
    await expect(runLocked({ file: `${file}2`, withinMs: 60 }, async () => 'another')).resolves.toBe(
      'another',
    );
    return 'held';
  });
  expect(seen).toBe('held');
  expect(await runLocked({ file, withinMs: 60 }, async () => 'free again')).toBe('free again');
});
