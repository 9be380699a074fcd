// docs/embedding.md, carried out: its example as it stands there, with the built service.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { evidenceIn } from '../../src/pdf/write/certificate/evidence-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder where `@esign-cli/esign/service` is found, with the program in it. @returns what it printed */
async function run(folder: string, code: string): Promise<string> {
  await mkdir(join(folder, 'node_modules/@esign-cli'), { recursive: true });
  await symlink(ROOT, join(folder, 'node_modules/@esign-cli/esign'));
  await copyFile(join(ROOT, 'test/fixtures/contract.pdf'), join(folder, 'contract.pdf'));
  await writeFile(join(folder, 'program.mjs'), code);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', 'program.mjs'], {
    cwd: folder,
  });
  return stdout;
}

test('the example of docs/embedding.md seals a document', async () => {
  const page = await readFile(join(ROOT, 'docs/embedding.md'), 'utf8');
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const folder = await temporaryFolder();
  expect(await run(folder, code)).toBe('Sealed contract.sealed.pdf\n');
  const sealed = await readFile(join(folder, 'contract.sealed.pdf'));
  expect(JSON.parse(evidenceIn(sealed) ?? '')).toMatchObject({
    transaction: { name: 'Agreement' },
    fields: [{ type: 'signature', kind: 'typed', value: 'Ada Lovelace' }],
  });
});

test.skipIf(!SLOW)('a program can tell a closed service by the name of the error', async () => {
  const code = `import { createService } from '@esign-cli/esign/service';
const service = await createService({ dataDir: 'store' });
await service.close();
await service.close();
await service.fetch(new Request(service.origin + '/v1/template')).catch(({ name }) => console.log(name));
`;
  expect(await run(await temporaryFolder(), code)).toBe('ServiceClosed\n');
});
