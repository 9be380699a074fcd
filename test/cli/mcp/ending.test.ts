// Calls of tools over HTTP whose client goes away, and those that are under way when the server is stopped.
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectMcp, type McpConnection } from '../../support/mcp-client.ts';
import { type McpSandbox, startMcpSandbox } from '../../support/mcp-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const SOON = { timeout: 20_000, interval: 50 };
const ERAS = [['2025-11-25'], ['2026-07-28']] as const;

let folder: string;
let sandbox: McpSandbox;
let token: string;
let control: string;
let mcp: McpConnection;
let id: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  sandbox = await startMcpSandbox(folder);
  [token, control] = await Promise.all([sandbox.token(), sandbox.token('--control')]);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  mcp = await connectMcp(
    new StreamableHTTPClientTransport(new URL(`${sandbox.url}/mcp`), { requestInit }),
    undefined,
  );
  const file = { name: 'contract.pdf', content: (await readFile(CONTRACT)).toString('base64') };
  const sent = await mcp.call('send_documents', { files: [file], to: ['Ada <ada@example.com>'] });
  id = sent.id ?? '';
}, 60_000);
afterEach(async () => {
  await mcp.close();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a tool with a request that can be given up. */
function callTool(version: string, name: string, input: object, signal: AbortSignal): Promise<Response> {
  const isModern = version > '2026';
  return fetch(`${sandbox.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: input,
        ...(isModern && {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
      },
    }),
    signal,
  });
}

/** Waits for the recipient. */
const wait = (version: string, signal: AbortSignal) =>
  callTool(version, 'wait_for_transaction', { id, timeout_seconds: 60 }, signal);

describe.skipIf(!SLOW)('a call over HTTP', () => {
  test.each(ERAS)(
    'of %s ends when its client goes away, and leaves its place and nothing else',
    async (version) => {
      const client = new AbortController();
      const waits = Array.from({ length: 4 }, () =>
        wait(version, client.signal).catch((error) => error.name),
      );
      await expect.poll(() => sandbox.folders(), SOON).toHaveLength(4);
      expect(await mcp.refused('show_transaction', { id })).toMatchObject({ code: 'calls_too_many' });
      client.abort();
      expect(await Promise.all(waits)).toEqual(Array.from({ length: 4 }, () => 'AbortError'));
      await expect.poll(() => sandbox.folders(), SOON).toEqual([]);
      expect(await mcp.call('show_transaction', { id })).toMatchObject({ outcome: 'started' });
    },
    60_000,
  );

  test.each(ERAS)(
    'of %s that waits is answered when the server is stopped, which leaves nothing',
    async (version) => {
      const answer = wait(version, AbortSignal.timeout(50_000)).then((response) => response.text());
      await expect.poll(() => sandbox.folders(), SOON).toHaveLength(1);
      expect(await sandbox.stop()).toEqual({ code: 143, signal: null });
      expect(await answer).toContain('\\"code\\":\\"interrupted\\"');
      expect(await sandbox.folders()).toEqual([]);
    },
    60_000,
  );

  /** Sends a document. The service is late with what stands in the transaction, before the start. */
  async function sendSlowly(late: string, signal: AbortSignal): Promise<Response> {
    const fault = ['transaction.update', 'latency', '--latency', late, '--count', '1'];
    await sandbox.run('sandbox', 'faults', 'add', ...fault);
    const file = { name: 'contract.pdf', content: (await readFile(CONTRACT)).toString('base64') };
    const input = { files: [file], to: ['Bob <bob@example.com>'], name: 'Late' };
    return callTool('2026-07-28', 'send_documents', input, signal);
  }

  /** Lists the states of the transactions of this name. */
  async function statesOfLate(): Promise<string[]> {
    const headers = { 'x-esign-control': control };
    const answer = await fetch(`${sandbox.url}/_sandbox/transaction?name=Late`, { headers });
    return ((await answer.json()) as { items: { status: string }[] }).items.map(({ status }) => status);
  }

  test('that sends starts nothing when its client goes away in its middle, and leaves a draft', async () => {
    const client = new AbortController();
    const sending = sendSlowly('6s', client.signal).catch((error) => error.name);
    await expect.poll(statesOfLate, SOON).toEqual(['draft']);
    client.abort();
    expect(await sending).toBe('AbortError');
    await expect.poll(() => sandbox.folders(), SOON).toEqual([]);
    expect(await statesOfLate()).toEqual(['draft']);
    expect(await sandbox.run('sandbox', 'mailbox', 'list', '--json')).not.toContain('bob@example.com');
  }, 60_000);

  test('that sends names its draft when the server is stopped in its middle', async () => {
    const sending = sendSlowly('3s', AbortSignal.timeout(50_000)).then((answer) => answer.text());
    await expect.poll(statesOfLate, SOON).toEqual(['draft']);
    expect(await sandbox.stop()).toEqual({ code: 143, signal: null });
    expect(await sending).toMatch(/"code\\":\\"interrupted\\".*"partial\\":\{\\"id\\":\\"[\w-]{36}/);
    expect(await sandbox.folders()).toEqual([]);
  }, 60_000);
});
