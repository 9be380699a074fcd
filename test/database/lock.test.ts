import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whileLocked } from '../../src/database/lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder();
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('times out, and leaves the lock with its holder', async () => {
  const file = join(root, 'a', 'lock');
  const seen = await whileLocked({ file, withinMs: 1000 }, async () => {
    const other = whileLocked({ file, withinMs: 60 }, async () => 'inside');
    await expect(other).rejects.toMatchObject({ name: 'LockTimeoutError' });
    await expect(whileLocked({ file: `${file}2`, withinMs: 60 }, async () => 'another')).resolves.toBe(
      'another',
    );
    return 'held';
  });
  expect(seen).toBe('held');
  expect(await whileLocked({ file, withinMs: 60 }, async () => 'free again')).toBe('free again');
});
