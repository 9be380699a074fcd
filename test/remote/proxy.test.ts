// The whole program behind a proxy that wants a password, in front of a service with an unknown authority.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerAuthority, type ServerAuthority } from '../support/certificates/server-certificates.ts';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import {
  type ScriptedService,
  startScriptedService,
  startTunnelProxy,
  type TunnelProxy,
} from '../support/servers/scripted-service.ts';
import { needsCommand } from '../support/tools.ts';

const HOST = 'esign.example.test';
const PASSWORD = 'pass%word';
const ENCODED = Buffer.from(`ada:${PASSWORD}`).toString('base64');

const { skip, why } = needsCommand('openssl');

describe.skipIf(skip)(`behind a proxy${why}`, () => {
  let runs: BuiltProgram;
  let authority: ServerAuthority;
  let service: ScriptedService;
  let proxy: TunnelProxy;

  beforeAll(async () => {
    runs = await openBuiltProgram();
    authority = createServerAuthority();
    service = await startScriptedService(
      (response) => response.end('{"id":"T","status":"draft"}'),
      authority.certificateFor(HOST),
    );
    proxy = await startTunnelProxy(service.port, ({ authorization }) =>
      authorization === `Basic ${ENCODED}` ? undefined : '407 Proxy Authentication Required',
    );
  });

  afterAll(async () => {
    await runs?.close();
    await proxy?.close();
    await service?.close();
    authority?.close();
  });

  const show = (credentials: string, more: Record<string, string> = {}) =>
    runs.run(['tx', 'show', 'T', '--json', '--debug'], {
      ESIGN_BASE_URL: `https://${HOST}/api`,
      ESIGN_ACCESS_TOKEN: 'TOKEN',
      ESIGN_CA_CERT: authority.file,
      HTTPS_PROXY: `http://${credentials}127.0.0.1:${proxy.port}`,
      https_proxy: '',
      ...more,
    });

  test('a command reaches the service through the tunnel', async () => {
    const { code, out, err } = await show(`ada:${encodeURIComponent(PASSWORD)}@`);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'T' });
    expect(proxy.wishes.at(-1)?.target).toBe(`${HOST}:443`);
    expect(service.asked.at(-1)?.headers).toMatchObject({ host: HOST, authorization: 'Bearer TOKEN' });
  });

  test('a password that is wrong is said once, and never shown', async () => {
    const before = proxy.wishes.length;
    const { code, out, err } = await show('ada:WRONG@');
    expect({ code, out }).toEqual({ code: 7, out: '' });
    expect(proxy.wishes).toHaveLength(before + 1);
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: {
        code: 'proxy_failed',
        retryable: false,
        message: `The proxy http://127.0.0.1:${proxy.port} requires a user name and a password, or rejects the given ones (status 407).`,
      },
    });
    for (const secret of ['WRONG', Buffer.from('ada:WRONG').toString('base64'), 'TOKEN'])
      expect(err).not.toContain(secret);
  });

  test('an address that is no proxy is refused before anything is sent, and its password is not shown', async () => {
    const { code, err } = await show('', { https_proxy: 'socks5://ada:WRONG@127.0.0.1:1' });
    expect(code).toBe(2);
    expect(err).not.toContain('WRONG');
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error.code).toBe('variable_invalid');
  });

  test.each(['0', '-1', 'soon', '1e9', '99999'])('ESIGN_TIMEOUT=%s is refused', async (ESIGN_TIMEOUT) => {
    const { code, err } = await show('', { ESIGN_TIMEOUT });
    expect(code).toBe(2);
    expect(err).toContain('ESIGN_TIMEOUT');
  });
});
