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
let mcp: McpConnection;
let id: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  sandbox = await startMcpSandbox(folder);
  token = await sandbox.token();
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

/** Waits for the recipient, with a request that can be given up. */
function wait(version: string, signal: AbortSignal): Promise<Response> {
  const isModern = version > '2026';
  return fetch(`${sandbox.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': 'wait_for_transaction' }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'wait_for_transaction',
        arguments: { id, timeout_seconds: 60 },
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
});
