// The tools at `/mcp` with what belongs to another company: it is unknown, and nothing happens to it.
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp, type McpConnection } from '../../support/mcp-client.ts';
import { type McpSandbox, startMcpSandbox } from '../../support/mcp-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));

describe.skipIf(!SLOW)('what belongs to another company', () => {
  let folder: string;
  let sandbox: McpSandbox;
  let owner: McpConnection;
  let stranger: McpConnection;
  let ids: { started: string; completed: string; template: string };
  let before: unknown[];

  const connect = async (...words: string[]) => {
    const requestInit = { headers: { authorization: `Bearer ${await sandbox.token(...words)}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${sandbox.url}/mcp`), { requestInit });
    return connectMcp(transport, undefined);
  };
  const shown = () =>
    Promise.all([ids.started, ids.completed].map((id) => owner.call('show_transaction', { id })));

  beforeAll(async () => {
    folder = await temporaryFolder();
    sandbox = await startMcpSandbox(folder);
    await sandbox.run('sandbox', 'users', 'add', 'Grace <grace@example.com>', '--company', 'Navy');
    owner = await connect();
    stranger = await connect('--user', 'grace@example.com');
    const file = { name: 'merger.pdf', content: (await readFile(CONTRACT)).toString('base64') };
    const send = async () =>
      String((await owner.call('send_documents', { files: [file], to: ['Zelda <zelda@example.com>'] })).id);
    const [started, completed] = [await send(), await send()];
    await owner.call('sandbox_sign', { id: completed });
    const saved = await sandbox.run('sandbox', 'template', 'save', started, '--json');
    ids = { started, completed, template: JSON.parse(saved).id };
    before = await shown();
  }, 120_000);
  afterAll(async () => {
    await Promise.all([owner?.close(), stranger?.close()]);
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const CALLS: readonly (readonly [string, (ids: { id: string; template: string }) => object, string])[] = [
    ['show_transaction', ({ id }) => ({ id }), 'transaction_not_found'],
    ['wait_for_transaction', ({ id }) => ({ id, timeout_seconds: 1 }), 'transaction_not_found'],
    ['remind_recipient', ({ id }) => ({ id }), 'transaction_not_found'],
    ['cancel_transaction', ({ id }) => ({ id, reason: 'x' }), 'transaction_not_found'],
    ['download_documents', ({ id }) => ({ id }), 'transaction_not_found'],
    ['preview_page', ({ id }) => ({ id }), 'transaction_not_found'],
    ['sandbox_sign', ({ id }) => ({ id }), 'transaction_not_found'],
    ['load_template', ({ template }) => ({ id: template }), 'template_not_found'],
    ['send_documents', ({ template }) => ({ template, to: ['Bob <bob@example.com>'] }), 'template_not_found'],
  ];

  test.each(CALLS)(
    'is unknown to %s, and stays as it was',
    async (name, input, code) => {
      for (const id of [ids.started, ids.completed])
        expect((await stranger.refused(name, input({ id, template: ids.template }))).code).toBe(code);
      expect(await shown()).toEqual(before);
    },
    60_000,
  );

  test('is in no list, and each tool that takes an ID was tried', async () => {
    expect(await owner.call('search_templates', {})).toMatchObject({ items: [{ id: ids.template }] });
    expect(await stranger.call('search_templates', {})).toMatchObject({ items: [] });
    const taking = stranger.tools.filter(({ inputSchema: { properties = {} } }) =>
      ['id', 'template'].some((property) => property in properties),
    );
    expect(taking.map(({ name }) => name).sort()).toEqual(CALLS.map(([name]) => name).sort());
    expect(stranger.transcript.join('\n')).not.toMatch(/zelda|merger/i);
  });

  test('is signed by nobody who may not change transactions', async () => {
    const reader = await connect('--scope', 'transaction:read');
    expect(await reader.refused('sandbox_sign', { id: ids.started })).toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await shown()).toEqual(before);
    await reader.close();
  }, 60_000);
});
