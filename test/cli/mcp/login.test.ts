// The login at `/mcp` as the client of the SDK does it from the first refusal on, with a browser that consents.
import { rm } from 'node:fs/promises';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBrowserClient, registerUser } from '../../support/browser-client.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { type McpSandbox, startMcpSandbox } from '../../support/mcp-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const CALLBACK = 'http://127.0.0.1:8976/callback';
const STATE = 'a+b c&d=%2B✓';

let folder: string;
let sandbox: McpSandbox;

beforeEach(async () => {
  folder = await temporaryFolder();
  sandbox = await startMcpSandbox(folder);
}, 60_000);
afterEach(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

type Stored = OAuthClientProvider & { opened: URL[]; saved: { access_token: string }[] };

/** Keeps what a client has to keep, and the address that it would open in a browser. */
function createProvider(client: { client_id: string; client_secret?: string }): Stored {
  const opened: URL[] = [];
  const saved: { access_token: string; token_type: string }[] = [];
  let verifier = '';
  return {
    opened,
    saved,
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK] },
    state: () => STATE,
    clientInformation: () => client,
    tokens: () => saved.at(-1),
    saveTokens: (tokens) => void saved.push(tokens),
    redirectToAuthorization: (url) => void opened.push(url),
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
  };
}

describe.skipIf(!SLOW)('a client of the SDK', () => {
  test.each([
    ['without a secret', ['--public'], 'legacy'],
    ['with a secret', [], { pin: '2026-07-28' }],
  ] as const)(
    '%s logs in, calls tools, and gets another token when its own has expired',
    async (_, words, mode) => {
      const registered = await sandbox.run(
        ...['sandbox', 'apps', 'create', 'Editor', '--callback-url', CALLBACK, '--json', ...words],
      );
      const { client_id, client_secret } = JSON.parse(registered);
      const provider = createProvider({ client_id, ...(client_secret && { client_secret }) });
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(`${sandbox.url}/mcp`), { authProvider: provider });
      const first = transport();
      const unknown = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
      await expect(unknown.connect(first)).rejects.toThrow(UnauthorizedError);
      const [address] = provider.opened;
      expect(address?.searchParams.get('resource')).toBe(`${sandbox.url}/mcp`);

      const served = { baseUrl: sandbox.url, transport: (request: Request) => fetch(request) };
      const { location } = await openBrowserClient(served).get(`${address?.pathname}${address?.search}`);
      const ada = await registerUser(served, location ?? '');
      expect(ada.arrived.location).toBe(location);
      const back = await ada.send(await ada.get(location ?? ''), '/oauth/authorize', { answer: 'allow' });
      const answer = new URL(back.location ?? 'none:');
      expect([answer.origin + answer.pathname, answer.searchParams.get('state')]).toEqual([CALLBACK, STATE]);
      await first.finishAuth(answer.searchParams);

      const { call, tools, client, close } = await connectMcp(transport(), undefined, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : mode.pin);
      expect(tools.map(({ name }) => name)).toContain('send_documents');
      expect(await call('search_templates', {})).toMatchObject({ items: [] });
      expect(provider.saved).toHaveLength(1);
      expect(provider.saved[0]).toMatchObject({ scope: expect.stringContaining('transaction:create') });

      await sandbox.run('sandbox', 'clock', 'advance', '2h');
      expect(await call('search_templates', {})).toMatchObject({ items: [] });
      expect(provider.saved).toHaveLength(2);
      expect(provider.saved[1]?.access_token).not.toBe(provider.saved[0]?.access_token);
      expect(provider.opened).toHaveLength(1);
      await close();
    },
    60_000,
  );
});
