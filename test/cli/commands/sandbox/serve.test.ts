// What `sandbox serve` says at its start about who can reach it.
import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import type { Outcome } from '../../../../src/cli/command/outcome.ts';
import { command } from '../../../../src/cli/commands/sandbox/serve/serve.ts';

async function serveAt(url: string, isOpenToOthers: boolean) {
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
  await command.run(context, { args: {}, options: { host: undefined, port: undefined } });
  return { warnings, json: printed[0]?.json };
}

describe('sandbox serve', () => {
  test('warns that other machines can connect, and says what they can do and what they cannot', async () => {
    const { warnings, json } = await serveAt('http://0.0.0.0:4455', true);
    expect(json).toMatchObject({ base_url: 'http://0.0.0.0:4455', reachable_from: 'network' });
    expect(warnings).toEqual([
      [
        'reachable_from_network',
        expect.stringMatching(
          /^Other machines can connect to http:\/\/0\.0\.0\.0:4455: .*Only this machine /,
        ),
      ],
    ]);
  });

  test('warns of nothing on loopback', async () => {
    const { warnings, json } = await serveAt('http://127.0.0.1:4455', false);
    expect(warnings).toEqual([]);
    expect(json).toMatchObject({ reachable_from: 'this_machine' });
  });
});
