// The check of the key of a team server: who can read its file.
import { chmod, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkKey } from '../../../../src/cli/commands/serve/checks.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(platform() === 'win32')('the file with the key', () => {
  test.each([
    [0o600, 'ok'],
    [0o640, 'ok'],
    [0o644, 'warn'],
    [0o604, 'warn'],
  ])('with the mode %o is %s', async (mode, state) => {
    const file = join(folder, 'esign.key');
    await writeFile(file, 'secret');
    await chmod(file, mode);
    const finding = await checkKey(file);
    expect(finding.state).toBe(state);
    if (state === 'warn') expect(finding.hint).toBe(`Run \`chmod 600 ${file}\`.`);
  });

  test('is not looked for where the key is in a variable', async () => {
    expect((await checkKey(undefined)).state).toBe('ok');
  });
});
