// `/mcp` as clients reach it over HTTP: at a sandbox that is served, and at a team server on PostgreSQL.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callsWithPathsAsIds, connectMcp, type McpConnection } from '../../support/mcp-client.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { addTeamToken } from '../../support/servers/team-access.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/esign.js', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const ADA = 'Ada <ada@example.com>';
const { skip, why } = needsPostgres();

let folder: string;
let mcp: McpConnection | undefined;
let file: { name: string; content: string };

beforeEach(async () => {
  folder = await temporaryFolder();
  file = { name: '../../contract.pdf', content: (await readFile(CONTRACT)).toString('base64') };
});
afterEach(async () => {
  await mcp?.close();
  mcp = undefined;
  await rm(folder, { recursive: true, force: true });
});

const connect = async (url: string, token: string, answer?: () => object) => {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  mcp = await connectMcp(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }), answer);
  return mcp;
};

describe('of a sandbox', () => {
  let server: ChildProcess;
  let url: string;
  const env = () => ({ PATH: process.env.PATH, HOME: folder, ESIGN_HOME: join(folder, '.esign') });
  const tokenWith = async (...words: string[]) => {
    const run = promisify(execFile)(process.execPath, [PROGRAM, 'sandbox', 'token', ...words], {
      env: env(),
    });
    return (await run).stdout.trim();
  };
  beforeEach(async () => {
    const words = ['sandbox', 'serve', '--port', '0', '--json', '--quiet'];
    server = spawn(process.execPath, [PROGRAM, ...words], {
      env: env(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface({ input: server.stdout! }), 'line');
    url = JSON.parse(String(line)).base_url;
  });
  afterEach(async () => {
    server.kill('SIGTERM');
    await once(server, 'close');
  });

  test('every tool does what it says for the bearer of a token, and nothing of the machine is said', async () => {
    const token = await tokenWith('--raw');
    const { call, content, refused, tools, transcript } = await connect(url, token);
    const { id } = await call('send_documents', { files: [file], to: [ADA] });
    const called = new Set(['send_documents', 'download_documents', 'load_template']);
    const and = (name: string, input: object) => {
      called.add(name);
      return call(name, input);
    };
    expect(await and('show_transaction', { id })).toMatchObject({
      outcome: 'started',
      documents: [{ name: 'contract.pdf' }],
    });
    expect(await and('remind_recipient', { id })).toMatchObject({ reminded: true });
    expect((await and('read_words', { file, page: '1' })).items).toContainEqual(
      expect.objectContaining({ text: 'Agreement' }),
    );
    expect(await and('preview_page', { file })).toMatchObject({ files: [{ document: 'contract.pdf' }] });
    expect(await and('sandbox_sign', { id })).toMatchObject({ status: 'completed' });
    expect(await and('wait_for_transaction', { id })).toMatchObject({ is_ended: true });
    const [, sealed] = await content('download_documents', { id });
    expect(sealed).toMatchObject({
      type: 'resource',
      resource: {
        uri: 'file:///contract.sealed.pdf',
        mimeType: 'application/pdf',
        blob: expect.stringMatching(/^JVBERi/),
      },
    });
    const other = await call('send_documents', { files: [file], to: [ADA] });
    await and('cancel_transaction', { id: other.id, reason: 'x' });
    expect(await and('search_templates', {})).toMatchObject({ items: [] });
    expect(await refused('load_template', { id: 'unknown' })).toMatchObject({ code: 'template_not_found' });
    expect(await refused('read_words', { file: { name: 'a.pdf', content: '!' } })).toMatchObject({
      code: 'value_invalid',
    });
    expect(await refused('read_words', { file: '/etc/passwd' })).toMatchObject({
      code: 'tool_input_invalid',
    });
    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
    const said = transcript.join('\n');
    for (const secret of [token, await tokenWith('--control', '--raw'), folder, '/tmp/esign-', 'whsec_'])
      expect(said).not.toContain(secret);
  }, 60_000);

  test('no file of the machine is an ID, and no user moves the clock of the others', async () => {
    const connection = await connect(url, await tokenWith('--raw'));
    const { client, tools } = connection;
    expect(await callsWithPathsAsIds(connection)).toEqual([]);
    expect(tools.map(({ name }) => name)).not.toContain('sandbox_advance_clock');
    const moving = client.callTool({ name: 'sandbox_advance_clock', arguments: { duration: '30d' } });
    await expect(moving).rejects.toThrow('not found');
  }, 60_000);

  test.skipIf(!SLOW)(
    'calls of a token, which may wait for long, keep nobody else from calling',
    async () => {
      const token = await tokenWith('--raw');
      const { call, refused, close } = await connect(url, token);
      const { id } = await call('send_documents', { files: [file], to: [ADA] });
      const waits = Array.from({ length: 4 }, () => call('wait_for_transaction', { id, timeout_seconds: 8 }));
      await expect
        .poll(() => refused('show_transaction', { id }).catch(() => undefined), {
          timeout: 7000,
          interval: 100,
        })
        .toMatchObject({ code: 'calls_too_many' });
      const other = await connect(url, await tokenWith('--raw', '--scope', 'template:read'));
      expect(await other.call('search_templates', {})).toMatchObject({ items: [] });
      await Promise.allSettled(waits);
      expect(await call('show_transaction', { id })).toMatchObject({ outcome: 'started' });
      await close();
    },
    60_000,
  );

  test('a subscription is refused at once, because nothing would ever come', async () => {
    const protocol = '2026-07-28';
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenWith('--raw')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': protocol,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': protocol,
            'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
      signal: AbortSignal.timeout(10_000),
    });
    expect(await answer.text()).toContain('Subscription limit reached');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.skipIf(!SLOW)(
    'a token may do what its scopes say, and signs nothing without that of changing',
    async () => {
      const { call, refused } = await connect(url, await tokenWith('--raw', '--scope', 'template:read'));
      expect(await call('search_templates', {})).toMatchObject({ items: [] });
      const id = '01a22fa5-0baf-7138-891f-16cd212f49a1';
      const calls = [
        ['send_documents', { files: [file], to: [ADA] }],
        ['show_transaction', { id }],
        ['wait_for_transaction', { id }],
        ['remind_recipient', { id }],
        ['cancel_transaction', { id, reason: 'x' }],
        ['download_documents', { id }],
        ['preview_page', { id }],
        ['sandbox_sign', { id }],
      ] as const;
      for (const [name, input] of calls)
        expect([name, (await refused(name, input)).code]).toEqual([name, 'insufficient_scope']);
    },
    60_000,
  );
});

describe.skipIf(skip || !SLOW)(`of a team server${why}`, () => {
  const open = async (...words: string[]): Promise<{ node: TeamNode; token: string }> => {
    const [url, key] = [await sharedPostgres().createDatabase(), randomBytes(32)];
    await writeFile(join(folder, 'key'), key.toString('hex'), { mode: 0o600 });
    const token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true });
    const env = {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
    };
    return { node: await startTeamNode(env, words), token };
  };

  test('recipients are real: nobody is asked for anything, and there is no control', async () => {
    const { node, token } = await open();
    try {
      let questions = 0;
      const { call, refused, tools } = await connect(node.url, token, () => {
        questions += 1;
        return { action: 'accept', content: { confirmed: true } };
      });
      expect(tools.filter(({ name }) => name.startsWith('sandbox_'))).toEqual([]);
      const input = { files: [file], to: [ADA] };
      expect(await refused('send_documents', input)).toMatchObject({
        code: 'confirmation_unavailable',
        hint: expect.stringContaining('--mcp-allow-send'),
      });
      expect(questions).toBe(0);
      const { id } = await call('send_documents', { ...input, draft: true });
      expect(await call('show_transaction', { id })).toMatchObject({ outcome: 'draft' });
    } finally {
      await node.stop();
    }
  }, 120_000);

  test('--mcp-allow-send sends, and says no signing link', async () => {
    const { node, token } = await open('--mcp-allow-send');
    try {
      const { call, transcript } = await connect(node.url, token);
      const sent = await call('send_documents', { files: [file], to: [ADA] });
      expect(sent).toMatchObject({ outcome: 'started' });
      await call('show_transaction', { id: sent.id });
      expect(transcript.join('\n')).not.toMatch(/token=/);
    } finally {
      await node.stop();
    }
  }, 120_000);
});
