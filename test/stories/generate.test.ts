// Files that are made from the code: the check names what is not as the code says, and one command puts it right.
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = [
  'README.md',
  'docs',
  'package.json',
  'man',
  'completions',
  'skills',
  'llms.txt',
  '.claude-plugin',
  '.codex-plugin',
  '.cursor-plugin',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-generate-'));
  for (const name of GENERATED) await cp(join(root, name), join(folder, name), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function generate(...words: string[]): Promise<{ code: number; err: string }> {
  const { SOURCE_DATE_EPOCH: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts', 'generate.js'), '--in', folder, ...words],
      { env },
      (_error, _out, err) => resolve({ code: child.exitCode ?? -1, err }),
    );
  });
}

test.skipIf(!SLOW)('what differs, is missing or superfluous is named, and written anew', async () => {
  await appendFile(join(folder, 'man', 'esign-tx-send.1'), 'x');
  await rm(join(folder, 'man', 'esign.1'));
  await writeFile(join(folder, 'man', 'esign-tx-fax.1'), '');
  await rm(join(folder, 'llms.txt'));
  const plugin = join(folder, '.cursor-plugin/plugin.json');
  await writeFile(
    plugin,
    (await readFile(plugin, 'utf8')).replace(/"version": "[^"]*"/, '"version": "0.0.9"'),
  );
  await appendFile(join(folder, 'skills/esign/references/tx.md'), 'x');
  await rm(join(folder, 'completions'), { recursive: true });
  const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...described, man: [] }));
  const client = join(folder, 'docs', 'client.md');
  const page = await readFile(client, 'utf8');
  await writeFile(client, page.replace(/esign-cli-esign-.*\.tgz/, 'esign-cli-esign-0.0.9-rc.1.tgz'));
  const { code, err } = await generate('--check');
  expect(code).toBe(1);
  for (const name of [
    'man/esign-tx-send.1',
    'man/esign.1',
    'man/esign-tx-fax.1 (nothing makes it any more)',
    'completions/esign.bash',
    'package.json',
    'llms.txt',
    '.cursor-plugin/plugin.json',
    'skills/esign/references/tx.md',
    'docs/client.md',
    'npm run generate',
  ])
    expect(err).toContain(name);
  expect(err).not.toContain('openapi.json');
  expect(await generate()).toEqual({ code: 0, err: '' });
  expect(await generate('--check')).toEqual({ code: 0, err: '' });
  expect(await readFile(client, 'utf8')).toBe(page);
  expect(await readFile(join(folder, 'man', 'esign.1'), 'utf8')).toBe(
    await readFile(join(root, 'man', 'esign.1'), 'utf8'),
  );
});
