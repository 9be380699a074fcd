// `esign doctor` where everything is well, and where one thing after another is not.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServerAuthority } from '../support/certificates/server-certificates.ts';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { unusedOrigin } from '../support/servers/ports.ts';
import {
  type ScriptedService,
  startScriptedService,
  startSocketServer,
} from '../support/servers/scripted-service.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

type Checks = Record<string, { state: string; message: string; hint: string | null }>;

let runs: BuiltProgram;
let service: ScriptedService;
let answer: Parameters<typeof startScriptedService>[0];
let home: string;

const healthy: typeof answer = (response, { path }) =>
  path.includes('esign-doctor')
    ? response.writeHead(404).end('{"code":"x_not_found"}')
    : response.end('{"items":[],"meta":{"is_last_page":true}}');

beforeAll(async () => {
  runs = await openBuiltProgram();
  service = await startScriptedService((response, asked, count) => answer(response, asked, count));
});

beforeEach(() => {
  answer = healthy;
  service.asked.length = 0;
  home = join(runs.folder, 'doctor');
});

afterEach(() => rm(home, { recursive: true, force: true }));

afterAll(async () => {
  await runs.close();
  await service.close();
});

async function examined(
  env: Record<string, string>,
): Promise<{ code: number; checks: Checks; isOk: boolean }> {
  const { code, out, err } = await runs.run(['doctor', '--json'], {
    ESIGN_HOME: home,
    DBUS_SESSION_BUS_ADDRESS: '',
    ...env,
  });
  expect(err).toBe('');
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: ({ name: string } & Checks[string])[] };
  return { code, isOk: ok, checks: Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest])) };
}

const remote = (more: Record<string, string> = {}) => ({
  ESIGN_BASE_URL: service.origin,
  ESIGN_ACCESS_TOKEN: 'TOKEN',
  ...more,
});

const states = (checks: Checks) =>
  Object.fromEntries(Object.entries(checks).map(([name, { state }]) => [name, state]));

describe('with nothing configured', () => {
  test('all is well, and nothing is made', async () => {
    const { code, isOk, checks } = await examined({});
    expect({ code, isOk }).toEqual({ code: 0, isOk: true });
    expect(states(checks)).toMatchObject({
      node: 'ok',
      folders: 'ok',
      profile: 'ok',
      keyring: 'skip',
      sandbox: 'skip',
    });
    await expect(mkdir(home)).resolves.toBeUndefined();
  });

  test.skipIf(!SLOW)('the sandbox is opened when there is one', async () => {
    await runs.run(['tx', 'create'], { ESIGN_HOME: home });
    const { checks } = await examined({});
    expect(checks.sandbox).toMatchObject({ state: 'ok' });
    expect(checks.sandbox?.message).toContain('transactions: 1');
  });

  test('finds a sandbox that is damaged', async () => {
    await mkdir(join(home, 'data', 'sandbox'), { recursive: true });
    await writeFile(join(home, 'data', 'sandbox', 'store.db'), 'no database');
    expect(await examined({})).toMatchObject({ code: 1, checks: { sandbox: { state: 'fail' } } });
  });

  test('folders that others may look into are named', async () => {
    await mkdir(join(home, 'config'), { recursive: true });
    await chmod(join(home, 'config'), 0o755);
    const { code, checks } = await examined({});
    expect(code).toBe(0);
    expect(checks.folders).toMatchObject({
      state: 'warn',
      message: expect.stringContaining(join(home, 'config')),
    });
  });

  test('a home that is a file, and a configuration that is no JSON', async () => {
    await writeFile(home, '');
    expect(await examined({})).toMatchObject({ code: 2, checks: { folders: { state: 'fail' } } });
    await rm(home);
    await mkdir(join(home, 'config'), { recursive: true });
    await writeFile(join(home, 'config', 'config.json'), '{');
    expect(await examined({})).toMatchObject({ code: 2, checks: { profile: { state: 'fail' } } });
  });

  test('finds a token without a service', async () => {
    expect(await examined({ ESIGN_ACCESS_TOKEN: 'x' })).toMatchObject({
      code: 2,
      checks: { profile: { state: 'fail' } },
    });
  });

  test('finds a callback port that is taken', async () => {
    const server = createServer();
    const isMine = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(8976, '127.0.0.1', () => resolve(true));
    });
    try {
      expect((await examined({})).checks.callback?.state).toBe('warn');
    } finally {
      if (isMine) server.close();
    }
  });
});

describe('with a service', () => {
  test('finds nothing wrong with a service that is well', async () => {
    const { code, checks } = await examined(remote());
    expect(code).toBe(0);
    expect(states(checks)).toMatchObject({
      proxy: 'ok',
      service: 'ok',
      certificate: 'skip',
      clock: 'ok',
      access: 'ok',
      routes: 'ok',
    });
    expect(new Set(service.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    // The service is identified before the token is sent.
    expect(service.asked[0]?.headers.authorization).toBeUndefined();
  });

  test('reports a service that does not answer', async () => {
    const { code, checks } = await examined(remote({ ESIGN_BASE_URL: await unusedOrigin() }));
    expect(code).toBe(7);
    expect(checks.service).toMatchObject({ state: 'fail', message: expect.stringContaining('ECONNREFUSED') });
    expect(checks.access).toBeUndefined();
  });

  test.skipIf(!SLOW)('that says nothing is given up in time', async () => {
    const { origin, close } = await startSocketServer(() => undefined);
    const startedMs = performance.now();
    // Without it the limit is four seconds.
    const { code, checks } = await examined(
      remote({ ESIGN_BASE_URL: origin, ...(!SLOW && { ESIGN_TIMEOUT: '0.3' }) }),
    );
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(code).toBe(7);
    expect(checks.service?.message).toMatch(/did not (respond|answer)/);
    await close();
  });

  test('without a token, and with one that is refused', async () => {
    const { ESIGN_ACCESS_TOKEN: _, ...none } = remote();
    expect(await examined(none)).toMatchObject({
      code: 4,
      checks: { access: { state: 'fail' }, service: { state: 'ok' } },
    });
    answer = (response) => response.writeHead(401).end('{"message":"Who are you?"}');
    expect(await examined(remote())).toMatchObject({
      code: 4,
      checks: { access: { state: 'fail', message: 'Who are you?' }, routes: { state: 'skip' } },
    });
  });

  test('finds a service whose addresses are others', async () => {
    answer = (response, asked, count) =>
      asked.path.startsWith('/v1/webhook')
        ? response.writeHead(405).end()
        : asked.path.startsWith('/v1/transaction')
          ? response.writeHead(404).end('{"code":"route_not_found"}')
          : healthy(response, asked, count);
    const { code, checks } = await examined(remote());
    expect(code).toBe(0);
    expect(checks.routes).toMatchObject({
      state: 'warn',
      message: 'This service uses other paths for: webhook.list (A5, 405), transaction.detail (A1, 404).',
    });
  });

  test('whose clock is wrong, that is in trouble, or sends on', async () => {
    answer = (response) =>
      response.writeHead(503, { date: 'Sun, 01 Mar 2026 09:00:00 GMT', 'retry-after': '99' }).end();
    expect((await examined(remote())).checks).toMatchObject({
      clock: { state: 'warn' },
      service: { state: 'warn' },
    });
    answer = (response) => response.writeHead(302, { location: 'https://x.example' }).end();
    expect((await examined(remote())).checks).toMatchObject({ service: { state: 'warn' } });
  });

  test('behind a proxy, whose password is not shown', async () => {
    const proxy = (await unusedOrigin()).replace('//', '//ada:secret@');
    const { code, checks } = await examined(
      remote({ ESIGN_BASE_URL: 'https://sign.example', https_proxy: proxy, no_proxy: '' }),
    );
    expect(code).toBe(7);
    expect(checks.proxy?.message).toContain('with a user name and password');
    expect(checks.service?.message).toContain('The proxy');
    expect(JSON.stringify(checks)).not.toContain('secret');
  });

  test('finds certificate authorities that cannot be read', async () => {
    expect(await examined(remote({ ESIGN_CA_CERT: '/nothing/here.pem' }))).toMatchObject({
      code: 2,
      checks: { authorities: { state: 'fail' } },
    });
  });
});

const { skip, why } = needsCommand('openssl');

test.skipIf(skip)(
  `a certificate that expires soon, of an authority that ESIGN_CA_CERT names${why}`,
  async () => {
    const authority = createServerAuthority();
    const tls = await startScriptedService(healthy, authority.certificateFor('127.0.0.1', 5));
    try {
      const env = remote({ ESIGN_BASE_URL: tls.origin, ESIGN_CA_CERT: authority.file });
      const { code, checks } = await examined(env);
      expect(code).toBe(0);
      expect(checks.certificate).toMatchObject({
        state: 'warn',
        message: expect.stringMatching(/expires in [45] days/),
      });
      expect(checks.service?.state).toBe('ok');
      const unknown = await examined(remote({ ESIGN_BASE_URL: tls.origin }));
      expect(unknown.code).toBe(7);
      expect(unknown.checks.service).toMatchObject({
        state: 'fail',
        hint: expect.stringContaining('ESIGN_CA_CERT'),
      });
      // The same for a command, before anything is sent.
      await writeFile(join(authority.folder, 'none.pem'), 'nothing');
      for (const [file, errorCode] of [
        ['none.pem', 'ca_cert_invalid'],
        ['missing.pem', 'ca_cert_unreadable'],
      ]) {
        const asked = tls.asked.length;
        const run = await runs.run(['tx', 'create', '--json'], {
          ...env,
          ESIGN_CA_CERT: join(authority.folder, file ?? ''),
        });
        expect(run.code).toBe(2);
        expect(JSON.parse(run.err).error.code).toBe(errorCode);
        expect(tls.asked).toHaveLength(asked);
      }
      const refused = await runs.run(['tx', 'create', '--json'], remote({ ESIGN_BASE_URL: tls.origin }));
      expect(JSON.parse(refused.err)).toMatchObject({
        error: { code: 'certificate_refused', exit: 7, retryable: false },
      });
    } finally {
      await tls.close();
      authority.close();
    }
  },
);
