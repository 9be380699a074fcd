// docs/client.md and the part of the README about programs, carried out: each example as it stands there, with the built client,
// against a service on a port.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretOf, signedHeaders } from '../../src/api/standard-webhooks.ts';
import { createClient } from '../../src/client/create-client.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const examplesIn = async (page: string): Promise<string[]> =>
  [...(await readFile(join(ROOT, page), 'utf8')).matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes("from '@esign-cli/esign'"));

test('each program in the documentation imports what the package exports', async () => {
  const programs = [...(await examplesIn('docs/client.md')), ...(await examplesIn('README.md'))];
  expect(programs).toHaveLength(6);
  const exported = Object.keys(await import('../../src/client/published.ts'));
  for (const code of programs)
    for (const [, names = ''] of code.matchAll(/import \{ ([^}]+) \} from '@esign-cli\/esign'/g))
      expect(exported).toEqual(expect.arrayContaining(names.split(', ')));
});

describe.skipIf(!SLOW)('the examples of docs/client.md and the README', () => {
  let harness: Harness;
  let folder: string;
  let examples: string[];
  beforeAll(async () => {
    harness = await openHarness('over HTTP');
    folder = await temporaryFolder();
    examples = [...(await examplesIn('docs/client.md')), ...(await examplesIn('README.md'))];
    await mkdir(join(folder, 'node_modules/@esign-cli'), { recursive: true });
    await symlink(ROOT, join(folder, 'node_modules/@esign-cli/esign'));
    await copyFile(join(ROOT, 'test/fixtures/contract.pdf'), join(folder, 'contract.pdf'));
  });
  afterAll(async () => {
    expect([harness.errors, harness.contractViolations]).toEqual([[], []]);
    await harness.close();
  });

  const programWith = async (words: string): Promise<string> => {
    const name = `${words.replaceAll(/\W/g, '-')}.mjs`;
    const code = examples.find((example) => example.includes(words)) ?? '';
    // Without its types.
    const { transpile, ModuleKind, ScriptTarget } = (await import('typescript')).default;
    const options = { module: ModuleKind.ESNext, target: ScriptTarget.ES2023 };
    await writeFile(join(folder, name), transpile(code, options));
    return join(folder, name);
  };
  const run = async (words: string): Promise<string> => {
    const env = {
      PATH: process.env.PATH,
      ESIGN_BASE_URL: harness.baseUrl,
      ESIGN_ACCESS_TOKEN: harness.service.ownToken,
    };
    const file = await programWith(words);
    return (await promisify(execFile)(process.execPath, ['--no-warnings', file], { cwd: folder, env }))
      .stdout;
  };

  test('send a document, read the events, and download it', async () => {
    expect(await run('setFields')).toMatch(/^http:.*\/sign\?token=/);
    await run('data.rejected_by');
    await run('files.download');
    const [saved = ''] = (await readdir(folder)).filter((name) => /^[0-9a-f-]{36}\.pdf$/.test(name));
    expect((await readFile(join(folder, saved))).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('print every wrong value', async () => {
    const out = await run('error.fields');
    expect(out).toMatch(/^validation_failed 422 \S+\n/);
    expect(out).toMatch(/^events must not be empty$/m);
    expect(out).toMatch(/^endpoint /m);
  });

  test('list the events of a new draft', async () => {
    expect(await run('transaction_id: id')).toBe('transaction_created\n');
  });

  test('verify a webhook', async () => {
    const secret = secretOf(new Uint8Array(32).fill(3));
    process.env.WEBHOOK_SECRET = secret;
    const { handle } = await import(pathToFileURL(await programWith('verifyWebhook')).href);
    const body = JSON.stringify({
      id: 'E',
      type: 'ping',
      created: '2026-03-01T09:00:00.000Z',
      data: { id: 'W' },
    });
    const headers = signedHeaders([secret], { id: 'E', timestamp: Math.floor(Date.now() / 1000), body });
    const request = (text: string) =>
      new Request('https://hooks.example.com', { method: 'POST', headers, body: text });
    expect([(await handle(request(body))).status, (await handle(request(`${body} `))).status]).toEqual([
      204, 400,
    ]);
    delete process.env.WEBHOOK_SECRET;
  });

  test('have methods that sign in a sandbox, and lists over several pages', async () => {
    const client = createClient({
      baseUrl: harness.baseUrl,
      token: harness.service.ownToken,
      controlSecret: harness.service.controlSecret,
    });
    const [started] = (await client.events.list({ type: 'transaction_started' })).items;
    const signed = await client.sandbox.sign(String(started?.data.id), {});
    expect(signed.status).toBe('completed');
    const ids: string[] = [];
    for await (const { id } of client.events.list({ limit: 1 })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(2);
  });
});
