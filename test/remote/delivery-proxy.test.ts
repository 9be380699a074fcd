// Events go by a proxy where that is configured, and not because requests of the command line do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { startTunnelProxy, type TunnelProxy } from '../support/servers/scripted-service.ts';
import { SLOW } from '../support/tier.ts';

describe.runIf(SLOW)('a proxy for events', () => {
  let runs: BuiltProgram;
  let proxy: TunnelProxy;
  let webhook: string;

  beforeAll(async () => {
    runs = await openBuiltProgram();
    proxy = await startTunnelProxy(1, () => '403 Forbidden');
    const endpoint = ['--endpoint', 'https://93.184.216.34/hook', '--event', 'transaction_created'];
    const made = await runs.run(['webhooks', 'create', '--name', 'W', ...endpoint, '--json'], {});
    webhook = JSON.parse(made.out).id;
  });

  afterAll(async () => {
    await runs?.close();
    await proxy?.close();
  });

  test('receives the address, and its refusal is the reason shown', async () => {
    const address = `http://127.0.0.1:${proxy.port}`;
    const { code, out } = await runs.run(['webhooks', 'ping', webhook, '--json'], {
      ESIGN_DELIVERY_PROXY: address,
    });
    expect(code).toBe(7);
    expect(JSON.parse(out).why).toContain('the proxy responded with HTTP status 403');
    expect(proxy.wishes.map(({ target }) => target)).toEqual(['93.184.216.34:443']);
  });

  test('has to be one', async () => {
    const { code, err } = await runs.run(['webhooks', 'ping', webhook], {
      ESIGN_DELIVERY_PROXY: 'socks://x',
    });
    expect(code).toBe(2);
    expect(err).toContain('ESIGN_DELIVERY_PROXY is not a valid proxy URL.');
  });
});
