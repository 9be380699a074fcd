// The launcher reports an error when the program itself is missing.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a clone that was not built says how to build it', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'esign-unbuilt-'));
  onTestFinished(() => rm(clone, { recursive: true }));
  await cp(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
  await cp(join(root, 'package.json'), join(clone, 'package.json'));
  for (const words of [['tx', 'list'], ['--help']]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(clone, 'bin', 'esign.js'), ...words],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'esign has not been built. Run `npm ci` in its directory.\n',
    });
  }
});
