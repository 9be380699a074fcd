// The built client as programs get it: no module of Node, small, with exactly the names that docs/public-api.txt has, and types that
// strict programs compile with. Against a served sandbox: test/stories/client-docs.test.ts.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const GZIP_MAX = 30_000;

/** The names of values that an entry declares in docs/public-api.txt. */
async function declaredValues(entry: string): Promise<string[]> {
  const text = await readFile(join(root, 'docs/public-api.txt'), 'utf8');
  const part = text.split(/^==== (.+) ====$/m);
  const own = part[part.indexOf(entry) + 1] ?? '';
  return [...own.matchAll(/^export declare (?:const|function|class) (\w+)/gm)]
    .map(([, name = '']) => name)
    .sort();
}

describe('the built client', () => {
  test('imports nothing, so that it runs wherever there is a fetch', async () => {
    const text = await readFile(join(root, 'dist/index.js'), 'utf8');
    const { metafile } = await build({
      stdin: { contents: text },
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      format: 'esm',
    });
    expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(text).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  });

  test('shows an error that nobody catches below a short line of its source', () => {
    const program = `import { createClient } from '${join(root, 'dist/index.js')}'; createClient({ baseUrl: 'ftp://x', token: 't' });`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const message = stderr.indexOf('is not a valid URL of a service');
    expect(message).toBeGreaterThan(0);
    expect(message).toBeLessThan(1000);
  });

  test('costs a page at most 30 kB', async () => {
    const contents = "export { createClient } from './dist/index.js';";
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(GZIP_MAX);
  });

  test.each(SLOW ? ['@esign-cli/esign', '@esign-cli/esign/service'] : ['@esign-cli/esign'])(
    'exports the values that docs/public-api.txt declares: %s',
    async (entry) => {
      const file = entry === '@esign-cli/esign' ? 'index.js' : 'service.js';
      const names = Object.keys(await import(join(root, 'dist', file)));
      expect(names.sort()).toEqual(await declaredValues(entry));
    },
  );

  test.skipIf(!SLOW).each(['nodenext', 'bundler'])(
    'has types that strict programs compile with, resolved by %s',
    async (resolution) => {
      const folder = await temporaryFolder();
      await mkdir(join(folder, 'node_modules/@esign-cli'), { recursive: true });
      await symlink(root, join(folder, 'node_modules/@esign-cli/esign'));
      await writeFile(join(folder, 'package.json'), '{"type": "module"}');
      await writeFile(join(folder, 'use.ts'), USE);
      const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
      const options = `--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false --target es2022 --lib es2022,dom,dom.iterable --module ${module} --moduleResolution ${resolution}`;
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const ran = spawnSync(process.execPath, [tsc, ...options.split(' '), 'use.ts'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect([ran.stdout, ran.status]).toEqual(['', 0]);
    },
  );
});

/** A program with statements that the types allow, and some that they do not. */
const USE = `import { createClient, EsignError, verifyWebhook, type Client, type Transaction, type WebhookEvent } from '@esign-cli/esign';
const client: Client = createClient({ baseUrl: 'https://sign.example.com', token: async (refused) => refused ?? 'T' });
const { id } = await client.transactions.create({ name: 'A' }, { signal: AbortSignal.timeout(1) });
const other: Client<'other'> = createClient<'other'>({ baseUrl: 'https://api.example.com' });
const transaction: Transaction<'other'> = await other.transactions.get(id);
export const open: boolean = transaction.status === 'started' || transaction.status === 'a new one';
// @ts-expect-error Another service may leave the content out.
transaction.template.name;
export const name: string = (await client.transactions.get(id)).template.name;
// @ts-expect-error There is no such value.
await client.transactions.create({ title: 'A' });
// @ts-expect-error An ID is needed.
await client.transactions.start();
await client.files.upload(new Blob([]), { name: 'a.pdf' });
const page = await client.webhooks.list();
for await (const webhook of client.webhooks.list({ limit: 10 })) page.items.push(webhook);
const file: Response = await client.files.download('F');
export const reader = file.body?.getReader();
const event: WebhookEvent = await verifyWebhook('', new Headers(), 'whsec_', { tolerance: 60 });
if (event.type === 'transaction_rejected') event.data.rejected_by?.email?.toLowerCase();
// @ts-expect-error Not every event is about a rejection.
event.data.rejected_by;
try {
  await client.users.me();
} catch (error) {
  if (error instanceof EsignError && error.code === 'token_expired') error.fields.map(({ path, message }) => path + message);
}
`;
