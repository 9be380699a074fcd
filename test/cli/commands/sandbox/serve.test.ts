// What `sandbox serve` says at its start about who can reach it.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import type { Outcome } from '../../../../src/cli/command/outcome.ts';
import { command } from '../../../../src/cli/commands/sandbox/serve.ts';

async function serveAt(url: string, isOpenToOthers: boolean, options: { origin?: string } = {}) {
  const warnings: [code: string, sentence: string][] = [];
  const printed: Outcome[] = [];
  const context = {
    connections: {
      sandbox: async () => ({ client: { 'sandbox.list_clients': async () => ({ items: [] }) } }),
      serveSandbox: async () => ({ url, isOpenToOthers, close: async () => undefined }),
    },
    process: { stopped: Promise.resolve('SIGINT') },
    terminal: {
      print: async (outcome: Outcome) => void printed.push(outcome),
      warnAlways: (code: string, sentence: string) => void warnings.push([code, sentence]),
    },
  } as unknown as CommandContext;
  await command.run(context, { args: {}, options });
  return { warnings, json: printed[0]?.json };
}

describe('sandbox serve', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test('warns that other machines can connect, and says what they can do and what they cannot', async () => {
    const { warnings, json } = await serveAt('http://192.0.2.7:4455', true);
    expect(json).toMatchObject({ base_url: 'http://192.0.2.7:4455', reachable_from: 'network' });
    expect(warnings).toEqual([
      [
        'reachable_from_network',
        expect.stringMatching(/^Other machines can connect to http:\/\/192\.0\.2\.7:4455: .*no events\.$/),
      ],
    ]);
  });

  test.each(['http://0.0.0.0:4455', 'http://[::]:4455'])(
    'names an address that other machines can use when it listens on all, as with %s',
    async (url) => {
      vi.spyOn(os, 'networkInterfaces').mockReturnValue({
        lo: [{ family: 'IPv4', internal: true, address: '127.0.0.1' }],
        eth0: [{ family: 'IPv4', internal: false, address: '192.0.2.7' }],
      } as unknown as ReturnType<typeof os.networkInterfaces>);
      syncBuiltinESMExports();
      const { warnings } = await serveAt(url, true);
      expect(warnings[0]?.[1]).toMatch(/^Other machines can connect to http:\/\/192\.0\.2\.7:4455: /);
      expect(warnings[0]?.[1]).toContain(`Signing URLs begin with ${url},`);
      expect(warnings[0]?.[1]).toMatch(/use --host 192\.0\.2\.7, or --origin URL\.$/);
    },
  );

  test('has the addresses of --origin, and does not advise another one', async () => {
    const origin = 'http://localhost:8080';
    const { warnings, json } = await serveAt('http://0.0.0.0:4455', true, { origin });
    expect(json).toMatchObject({ base_url: origin, app_url: origin, reachable_from: 'network' });
    expect(warnings[0]?.[1]).not.toContain('Signing URLs begin with');
  });

  test('warns of the address of a proxy, although it listens on loopback', async () => {
    const { warnings } = await serveAt('http://127.0.0.1:4455', true, { origin: 'https://sign.example.com' });
    expect(warnings[0]?.[1]).toMatch(/^Other machines can connect to https:\/\/sign\.example\.com: /);
  });

  test.each([
    'localhost:8080',
    'ftp://localhost',
    'http://localhost/x',
    'http://u:p@localhost',
    'http://a/?b',
  ])('refuses %s as --origin', async (origin) => {
    await expect(serveAt('http://0.0.0.0:4455', true, { origin })).rejects.toMatchObject({
      facts: { code: 'value_invalid', exit: 2 },
    });
  });

  test('warns of nothing on loopback', async () => {
    const { warnings, json } = await serveAt('http://127.0.0.1:4455', false);
    expect(warnings).toEqual([]);
    expect(json).toMatchObject({ reachable_from: 'this_machine' });
  });
});
