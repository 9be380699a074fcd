// docs/testing.md, carried out: its tests as they stand there, with the built package.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test.skipIf(!SLOW)('the tests of docs/testing.md pass, and fail where they should', async () => {
  const page = await readFile(join(ROOT, 'docs/testing.md'), 'utf8');
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules', 'esign'));
  await copyFile(join(ROOT, 'test/fixtures/contract.pdf'), join(folder, 'contract.pdf'));
  const run = async (text: string) => {
    await writeFile(join(folder, 'lease.test.mjs'), text);
    const words = ['--no-warnings', '--test', '--test-reporter=tap', 'lease.test.mjs'];
    // The runner of this test tells child processes to report to it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return promisify(execFile)(process.execPath, words, { cwd: folder, env }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  expect(await run(code)).toMatch(/^# pass 6\n# fail 0$/m);
  expect(await run(code.replace("advance('15d')", "advance('13d')"))).toMatch(/^# pass 5\n# fail 1$/m);
});
