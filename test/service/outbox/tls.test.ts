// Certificates for servers on this machine, who accepts them, and what a delivery trusts.
import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AttemptResult, NotDelivered } from '../../../src/service/outbox/attempt.ts';
import { createDeadline } from '../../../src/service/outbox/connection.ts';
import { createTrust, openSocket } from '../../../src/service/outbox/open-connection.ts';
import { createPoster, type PosterOptions } from '../../../src/service/outbox/post.ts';
import { generateKey, importKey, issue, issuerOf } from '../../../src/service/sealing/authority.ts';
import { loopbackRoot } from '../../../src/service/sealing/loopback.ts';
import { findStoredAuthority, LOOPBACK_AUTHORITY } from '../../../src/service/store/documents/sealing.ts';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../support/certificates/server-certificates.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { unusedOrigin } from '../../support/servers/ports.ts';
import {
  type ScriptedReceiver,
  startRawReceiver,
  startTlsReceiver,
} from '../../support/servers/scripted-receivers.ts';
import { startTunnelProxy, type TunnelProxy } from '../../support/servers/scripted-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

let harness: Harness;
let folder: string;
let issued: { certificate: string; key: string; root: string; valid_to: string };
let receiver: ScriptedReceiver;
const asked: (string | false)[] = [];

beforeAll(async () => {
  harness = await openHarness('in process');
  folder = await temporaryFolder();
  expect(await loopbackRoot(harness)).toBeUndefined();
  issued = await issueFor('localhost', '127.0.0.1', '::1');
  await writeFile(join(folder, 'localhost.pem'), issued.certificate);
  await writeFile(join(folder, 'root.pem'), issued.root);
  receiver = await startTlsReceiver({ cert: issued.certificate, key: issued.key }, (request, response) => {
    asked.push((request.socket as unknown as { servername: string | false }).servername);
    response.end('ok');
  });
});

afterAll(async () => {
  await receiver?.close();
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

const issueFor = (...names: string[]) => harness.client['sandbox.issue_certificate']({ body: { names } });

const at = (host: string, path = '/hook') => `https://${host}:${receiver.port}${path}`;

async function deliver(url: string, options: Partial<PosterOptions> = {}): Promise<AttemptResult> {
  const poster = createPoster({ allowLoopback: () => true, timeoutMs: 60_000, ...options });
  onTestFinished(() => poster.close());
  return poster.post({ url, headers: {}, body: Buffer.from('{}') });
}

const loopbackRoots = () => loopbackRoot(harness);

describe('a certificate for a server on this machine', () => {
  test('is trusted by deliveries, for each of its names', async () => {
    for (const host of ['localhost', '127.0.0.1'])
      expect(await deliver(at(host), { loopbackRoots })).toMatchObject({ ok: true, answer: 'ok' });
    expect(asked.splice(0)).toEqual(['localhost', false]);
  });

  test('is trusted by the service that issued it', async () => {
    const body = { name: 'Local', endpoint: at('localhost'), events: ['transaction_completed' as const] };
    const { id } = await harness.client['webhook.create']({ body });
    const answer = await harness.client['webhook.ping']({ params: { webhookId: id }, body: {} });
    expect(answer).toMatchObject({ status: 200, why: null });
    expect(asked.splice(0)).toEqual(['localhost']);
  });

  test('is not trusted for another name, nor where its root is not known', async () => {
    expect(await deliver(at('orders.localhost'), { loopbackRoots })).toMatchObject({
      ok: false,
      why: 'its certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect((await deliver(at('localhost'))).why).toBe(
      'its certificate was issued by a certificate authority that is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
    );
    const none = async () => undefined;
    expect(await deliver(at('localhost'), { loopbackRoots: none })).toMatchObject({ ok: false });
    expect(asked.splice(0)).toEqual([]);
  });

  test('lives for 397 days, of which 30 have passed, and has a key of its own', async () => {
    const days = (Date.parse(issued.valid_to) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(366);
    expect(days).toBeLessThan(368);
    const { validFrom } = new X509Certificate(issued.certificate);
    expect((Date.parse(issued.valid_to) - Date.parse(validFrom)) / 86_400_000).toBe(397);
    const other = await issueFor('localhost');
    expect(other.root).toBe(issued.root);
    expect(other.key).not.toBe(issued.key);
    expect(await loopbackRoot(harness)).toBe(issued.root);
  });

  test('has an authority that stays at a reset, and is not the one of documents', async () => {
    const other = await openHarness('in process');
    onTestFinished(() => other.close());
    const issueThere = () => other.client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
    const before = await issueThere();
    await other.client['sandbox.reset']({ body: {} });
    expect((await issueThere()).root).toBe(before.root);
    expect((await other.client['sandbox.authority']()).pem).not.toBe(before.root);
    expect(before.root).not.toBe(issued.root);
  });

  test.each([
    'example.com',
    '10.0.0.1',
    '*.localhost',
    '',
    'localhost.example.com',
    '::ffff:127.0.0.1',
    'a\u0000.localhost',
  ])('is not issued for %j', async (name) => {
    await expect(issueFor('localhost', name)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('is not a name of this machine'),
    });
  });
});

const { skip, why } = needsCommand('openssl');

describe.skipIf(skip)(`other programs${why}`, () => {
  const openssl = (...words: string[]) => {
    const { stdout, stderr } = spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  };
  const verified = (file: string, ...words: string[]) =>
    openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'root.pem', ...words, file);

  test('openssl accepts the certificate for its names only', () => {
    expect(verified('localhost.pem', '-verify_hostname', 'localhost')).toContain('localhost.pem: OK');
    expect(verified('localhost.pem', '-verify_ip', '127.0.0.1')).toContain('localhost.pem: OK');
    expect(verified('localhost.pem', '-verify_ip', '::1')).toContain('localhost.pem: OK');
    expect(verified('localhost.pem', '-verify_hostname', 'example.com')).toContain('hostname mismatch');
  });

  test.each([
    ['example.com', { dns: 'example.com' }],
    ['10.0.0.1', { ip: Uint8Array.of(10, 0, 0, 1) }],
    ['localhost.example.com', { dns: 'localhost.example.com' }],
  ])(
    'openssl and Node.js refuse one for %s, even from an attacker with the key of the root',
    async (name, stolen) => {
      const { database, keys } = harness.store;
      const kept = await database.read((db) => findStoredAuthority(db, keys, LOOPBACK_AUTHORITY));
      const root = importKey(JSON.parse(kept!.content));
      const key = await generateKey();
      const der = await issue(
        {
          key,
          subject: { common: 'evil one' },
          purpose: { kind: 'server', names: [stolen] },
          issuer: issuerOf({ organization: 'esign sandbox', common: 'esign sandbox loopback root' }, root),
          validMs: 86_400_000,
        },
        { now: new Date().toISOString(), random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) },
      );
      const cert = `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
      await writeFile(join(folder, 'evil.pem'), cert);
      expect(verified('evil.pem')).toContain('permitted subtree violation');
      const evil = await startTlsReceiver(
        { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() },
        (_, response) => response.end(),
      );
      onTestFinished(() => evil.close());
      const trusting = {
        ca: issued.root,
        host: '127.0.0.1',
        port: evil.port,
        servername: name.replace(/^10.*/, ''),
      };
      const failure = await new Promise((done) => get(trusting, done).on('error', done));
      expect(failure).toMatchObject({ message: 'permitted subtree violation' });
    },
  );
});

const curl = needsCommand('curl');

test.skipIf(curl.skip)(`curl accepts it${curl.why}`, async () => {
  const words = ['--silent', '--show-error', '--cacert', 'localhost.pem', at('localhost')];
  const { stdout } = await promisify(execFile)('curl', words, { cwd: folder });
  expect(stdout).toBe('ok');
});

describe('where a connection goes', () => {
  test('is nowhere but a judged address', async () => {
    const other = await startRawReceiver(() => undefined);
    onTestFinished(() => other.close());
    const deadline = createDeadline(2000, undefined);
    onTestFinished(() => deadline.end());
    const opened = openSocket({
      destination: { host: '127.0.0.1', port: other.port, isTls: false, isLoopback: true },
      addresses: ['127.0.0.2'],
      trust: () => createTrust(undefined)(true),
      proxy: undefined,
      deadline,
    });
    await expect(opened).rejects.toThrow(NotDelivered);
    await expect(opened).rejects.toThrow('an address that was not judged');
    expect(other.received()).toBe('');
  });

  test('uses a proxy only when one is configured, and never for this machine', async () => {
    const proxy = await startTunnelProxy(receiver.port);
    onTestFinished(() => proxy.close());
    const through = { proxy: proxy.origin, loopbackRoots };
    expect(await deliver(at('localhost'), through)).toMatchObject({ ok: true });
    expect(proxy.wishes).toEqual([]);
    const resolve = async () => ['2606:4700::1', '93.184.216.34'];
    const result = await deliver('https://hooks.example.com/', { ...through, resolve });
    expect(proxy.wishes).toEqual([{ target: '93.184.216.34:443', authorization: undefined }]);
    // The roots for this machine are not trusted for others.
    expect(result.why).toBe(
      'its certificate was issued by a certificate authority that is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
    );
  });

  test('is not through a proxy that refuses, or that is not there', async () => {
    const proxy = await startTunnelProxy(receiver.port, () => '407 Proxy Authentication Required');
    onTestFinished(() => proxy.close());
    const resolve = async () => ['93.184.216.34'];
    const through = { proxy: proxy.origin.replace('//', '//ada:pass%40word@'), resolve };
    expect((await deliver('https://hooks.example.com/', through)).why).toBe(
      'the proxy responded with HTTP status 407',
    );
    expect(proxy.wishes[0]?.authorization).toBe(`Basic ${Buffer.from('ada:pass@word').toString('base64')}`);
    const away = { proxy: await unusedOrigin(), resolve };
    expect((await deliver('https://hooks.example.com/', away)).why).toBe(
      'the proxy cannot be reached (ECONNREFUSED)',
    );
  });
});

describe.skipIf(skip || !SLOW)(`a process of its own${why}`, () => {
  const HOST = 'hooks.example.com';
  let authority: ServerAuthority;
  let proxy: TunnelProxy;
  let named: ScriptedReceiver;
  const names: unknown[] = [];

  beforeAll(async () => {
    authority = createServerAuthority();
    named = await startTlsReceiver(authority.certificateFor(HOST), (request, response) => {
      names.push((request.socket as unknown as { servername: unknown }).servername, request.headers.host);
      response.end('ok');
    });
    proxy = await startTunnelProxy(named.port);
    const { build } = await import('esbuild');
    await build({
      entryPoints: [fileURLToPath(new URL('../../../src/service/outbox/post.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'post.mjs'),
    });
    await writeFile(
      join(folder, 'child.mjs'),
      `import { createPoster } from './post.mjs';
       const { url, roots, ...options } = JSON.parse(process.argv[2]);
       const poster = createPoster({ allowLoopback: () => true, timeoutMs: 60_000, ...options,
         resolve: async () => ['93.184.216.34'], loopbackRoots: async () => roots });
       console.log(JSON.stringify(await poster.post({ url, headers: {}, body: Buffer.from('{}') })));
       poster.close();`,
    );
  });

  afterAll(async () => {
    await proxy?.close();
    await named?.close();
    authority?.close();
  });

  async function inChild(wish: object, env: Record<string, string>): Promise<AttemptResult> {
    const run = promisify(execFile)(process.execPath, ['child.mjs', JSON.stringify(wish)], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse((await run).stdout);
  }

  test('asks for the name and compares the certificate with it, whatever the address is', async () => {
    const trusted = { NODE_EXTRA_CA_CERTS: authority.file };
    const wish = { url: `https://${HOST}/`, proxy: proxy.origin };
    expect(await inChild(wish, trusted)).toMatchObject({ ok: true, answer: 'ok' });
    expect(names).toEqual([HOST, HOST]);
    const another = { ...wish, url: 'https://other.example.com/' };
    expect((await inChild(another, trusted)).why).toContain('is for another host name');
  });

  test('trusts what the machine trusts for this machine too, beside the root of the sandbox', async () => {
    const trusted = { NODE_EXTRA_CA_CERTS: authority.file };
    const own = await startTlsReceiver(authority.certificateFor('localhost'), (_, response) =>
      response.end('own'),
    );
    onTestFinished(() => own.close());
    const url = `https://localhost:${own.port}/`;
    expect(await inChild({ url, roots: issued.root }, trusted)).toMatchObject({
      ok: true,
      answer: 'own',
      why: null,
    });
    expect(await inChild({ url: at('localhost'), roots: issued.root }, trusted)).toMatchObject({ ok: true });
  });

  test('takes neither proxies nor trust from the environment', async () => {
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = {
      HTTPS_PROXY: address,
      https_proxy: address,
      ALL_PROXY: address,
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    };
    const before = proxy.wishes.length;
    expect(await inChild({ url: `https://${HOST}/`, timeoutMs: 300 }, env)).toMatchObject({ ok: false });
    expect(proxy.wishes.length).toBe(before);
    expect(await inChild({ url: at('localhost') }, env)).toMatchObject({
      ok: false,
      why: expect.stringContaining('its certificate'),
    });
  });

  test('Node.js accepts a certificate of the sandbox by NODE_EXTRA_CA_CERTS', async () => {
    const script = `const r = await fetch(${JSON.stringify(at('localhost'))}); console.log(await r.text())`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: 'localhost.pem' },
    });
    expect(stdout.trim()).toBe('ok');
  });
});
