// A bucket behind TLS, as most are: its name in the path of the URLs or in the name of the host, and a certificate that has to be trusted.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../support/certificates/server-certificates.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { type ReverseProxy, startNginx } from '../../support/servers/reverse-proxies.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { needsSwift, type SwiftServer, startSwiftServer } from '../../support/servers/swift-server.ts';
import { createStoryFixture, type StoryFixture, startCommand } from '../../support/stories/story.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsSwift(), needsCommand('nginx'), needsCommand('openssl'));

/** Resolves every name below `localhost` to this machine, as systemd-resolved does and other systems do not (RFC 6761, 6.3). */
const RESOLVER = `
import dns from 'node:dns';
const { lookup } = dns;
dns.lookup = (host, ...rest) => lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest);
`;

type Finding = { name: string; state: string; message: string; hint: string | null };

describe.skipIf(skip)(`a bucket behind TLS${why}`, () => {
  let swift: SwiftServer;
  let fixture: StoryFixture;
  let authority: ServerAuthority;
  let url: string;
  const proxies: ReverseProxy[] = [];

  /** @returns the port of a server with a certificate for this name */
  async function startTls(name: string): Promise<number> {
    const port = await freePort();
    const servers = `server {
      listen 127.0.0.1:${port} ssl;
      server_name ${name};
      ssl_certificate cert.pem;
      ssl_certificate_key key.pem;
      location / {
        proxy_pass ${swift.url};
        proxy_set_header Host $http_host;
      }
    }`;
    proxies.push(await startNginx(servers, authority.certificateFor(name)));
    await vi.waitFor(
      async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.destroy();
      },
      { timeout: 60_000, interval: 50 },
    );
    return port;
  }

  beforeAll(async () => {
    [swift, fixture, url] = await Promise.all([
      startSwiftServer(),
      createStoryFixture(),
      sharedPostgres().createDatabase(),
    ]);
    authority = createServerAuthority();
    await swift.send('PUT', '/documents');
    await writeFile(join(fixture.folder, 'resolver.mjs'), RESOLVER);
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close();
    authority?.close();
    await sharedPostgres().dropDatabase(url);
    await swift?.close();
    await fixture?.close();
  });

  /** Checks the bucket in a process of its own, which reads certificates when it starts. */
  async function check(port: number, env: Record<string, string>): Promise<Finding> {
    const all = {
      ...fixture.env,
      ...swift.env('s3://documents/team'),
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY: 'ab'.repeat(32),
      ESIGN_SERVE_S3_ENDPOINT: `https://localhost:${port}`,
      NODE_OPTIONS: `--import=${join(fixture.folder, 'resolver.mjs')}`,
      ...env,
    };
    const { process: child, said } = startCommand({ ...fixture, env: all }, 'esign serve --check --json');
    await once(child, 'close');
    const { checks = [] } = JSON.parse(said().out || '{}') as { checks?: Finding[] };
    const found = checks.find(({ name, state }) => name === 'blobs' || state === 'fail');
    return found ?? { name: '', state: '', message: said().err, hint: null };
  }

  test.each([
    ['in the path of its URLs', 'localhost', '1'],
    ['in the name of its host', 'documents.localhost', '0'],
  ])('is used with its name %s', async (_, host, pathStyle) => {
    const port = await startTls(host);
    const settings = { ESIGN_SERVE_S3_PATH_STYLE: pathStyle };
    expect(await check(port, { ...settings, ESIGN_CA_CERT: authority.file })).toMatchObject({
      state: 'ok',
      message: `An object was written to s3://documents/team at https://localhost:${port}, read and removed.`,
    });
    expect(await swift.list('documents')).toEqual(['team/installation']);
    // The certificate is for one of both names, so the other way does not reach the bucket.
    const other = { ESIGN_SERVE_S3_PATH_STYLE: pathStyle === '0' ? '1' : '0' };
    expect(await check(port, { ...other, ESIGN_CA_CERT: authority.file })).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  test('is refused by name where its certificate is not trusted', async () => {
    const port = await startTls('localhost');
    expect(await check(port, {})).toMatchObject({
      state: 'fail',
      message: expect.stringContaining(`The certificate of https://localhost:${port} cannot be verified`),
      hint: expect.stringContaining('ESIGN_CA_CERT'),
    });
    expect(await check(port, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({ state: 'fail' });
  });
});
