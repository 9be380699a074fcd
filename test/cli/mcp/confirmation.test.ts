// `esign mcp --profile`: for a service with real recipients, a person confirms in the client what is sent, and nothing secret is said.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type McpConnection, startMcp } from '../../support/mcp-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const ADA = 'Ada <ada@example.com>';

let folder: string;
let mcp: McpConnection | undefined;
let harness: Harness | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  await copyFile(CONTRACT, join(folder, 'contract.pdf'));
});
afterEach(async () => {
  await mcp?.close();
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
  [mcp, harness] = [undefined, undefined];
});

describe('for a service with real recipients', () => {
  const open = async (words: string[], answer?: (message: string) => object) => {
    harness = await openHarness('over HTTP');
    const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
    await mkdir(join(folder, '.esign', 'config'), { recursive: true, mode: 0o700 });
    await writeFile(
      join(folder, '.esign', 'config', 'config.json'),
      JSON.stringify({ profiles: { work: { base_url: harness.baseUrl } } }),
      { mode: 0o600 },
    );
    const env = { ESIGN_ACCESS_TOKEN: access_token };
    mcp = await startMcp(['mcp', '--profile', 'work', ...words], { folder, env, answer });
    return access_token;
  };
  const draft = { files: ['contract.pdf'], to: [ADA], draft: true };
  const send = { files: ['contract.pdf'], to: [ADA] };
  const inbox = async () => (await harness!.client['sandbox.mail']({ query: {} })).items;

  test('a client that shows no form sends nothing, and a draft needs none', async () => {
    await open([]);
    expect(await mcp!.refused('send_documents', send)).toMatchObject({
      code: 'confirmation_unavailable',
      hint: expect.stringContaining('--allow-send'),
    });
    expect(await inbox()).toEqual([]);
    expect(await mcp!.call('send_documents', draft)).toMatchObject({ outcome: 'draft' });
    expect(mcp!.tools.filter(({ name }) => name.startsWith('sandbox_'))).toEqual([]);
  });

  test('a person sees what is sent and to whom, and decides', async () => {
    const asked: string[] = [];
    const answers: object[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirmed: false } },
      { action: 'accept', content: { confirmed: true } },
    ];
    await open([], (message) => {
      asked.push(message);
      return answers[asked.length - 1]!;
    });
    for (const _ of [1, 2, 3])
      expect(await mcp!.refused('send_documents', send)).toMatchObject({ code: 'not_confirmed' });
    expect(await inbox()).toEqual([]);
    const { id, url } = await mcp!.call('send_documents', send);
    expect(asked).toHaveLength(4);
    expect(asked[3]).toContain('contract.pdf, 3 pages');
    expect(asked[3]).toContain('1. Ada <ada@example.com>');
    expect(asked[3]).toContain(`work (${harness!.baseUrl})`);
    expect(await inbox()).toHaveLength(1);
    // The signing page is for the recipient alone.
    expect(url).toBeUndefined();
    expect(await mcp!.call('show_transaction', { id })).not.toHaveProperty('url');
    answers.push({ action: 'decline' }, { action: 'accept', content: { confirmed: true } });
    expect(await mcp!.refused('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      code: 'not_confirmed',
    });
    expect(asked[4]).toContain('Cancel');
    expect(await mcp!.call('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      outcome: 'cancelled',
    });
  });

  test.skipIf(!SLOW)('what changed after the question was asked is not sent', async () => {
    await open([], () => ({ action: 'accept', content: { confirmed: true } }));
    const other = await readFile(CONTRACT);
    await mcp!.close();
    await open([], async () => {
      await writeFile(join(folder, 'contract.pdf'), Buffer.concat([other, Buffer.from('\n')]));
      return { action: 'accept', content: { confirmed: true } };
    });
    expect(await mcp!.refused('send_documents', send)).toMatchObject({ code: 'confirmation_outdated' });
    expect(await inbox()).toEqual([]);
  });

  test.skipIf(!SLOW)('--allow-send sends without a question', async () => {
    await open(['--allow-send']);
    expect(await mcp!.call('send_documents', send)).toMatchObject({ outcome: 'started' });
    expect(await inbox()).toHaveLength(1);
  });

  test('no secret of the store is in anything that was said', async () => {
    const token = await open(['--allow-send']);
    const { id } = await mcp!.call('send_documents', send);
    await mcp!.call('show_transaction', { id });
    await mcp!.call('search_documents', { refresh: true });
    await mcp!.call('wait_for_transaction', { id, timeout_seconds: 1 });
    await mcp!.call('remind_recipient', { id }).catch(() => undefined);
    await mcp!.refused('load_template', { id: 'unknown' });
    const said = mcp!.transcript.join('\n');
    const [mail] = await inbox();
    const signing = /token=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? '';
    expect(signing).not.toBe('');
    for (const secret of [token, signing, harness!.service.controlSecret]) expect(said).not.toContain(secret);
    expect(said).not.toMatch(/token=|whsec_/);
  });
});
