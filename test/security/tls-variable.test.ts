// NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off in Node.js. No connection of ours that carries a login, a token,
// an email or an event obeys it.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openRemote } from '../../src/api/remote.ts';
import { createPost } from '../../src/cli/events/forward.ts';
import { createMailer } from '../../src/service/mail/smtp.ts';
import { createPoster } from '../../src/service/outbox/post.ts';
import { sendWebRequest } from '../../src/service/sealing/web-timestamps.ts';
import { openHarness } from '../support/harness.ts';

/** By a root that nothing here trusts. */
let certificate: { key: string; cert: string };
let port: number;
/** Requests that a server with that certificate was sent. */
let requests = 0;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const harness = await openHarness('in process');
  const issued = await harness.client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
  await harness.close();
  certificate = { key: issued.key, cert: issued.certificate };
  const server = createServer(certificate, (_, response) => {
    requests += 1;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  closing.push(() => server.close());
});

afterAll(() => {
  vi.unstubAllEnvs();
  for (const close of closing) close();
});

beforeEach(() => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  vi.stubEnv('NODE_NO_WARNINGS', '1');
});

const signal = new AbortController().signal;

test('Node.js itself obeys it, so that these tests can fail', async () => {
  const { request } = await import('node:https');
  const sent = request({ host: 'localhost', port, agent: false }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(200);
  requests = 0;
});

test('a service is sent no request, and so no token', async () => {
  const remote = openRemote();
  const call = { method: 'GET', url: `https://localhost:${port}/`, headers: { authorization: 'Bearer x' } };
  await expect(remote.transport(call)).rejects.toMatchObject({ kind: 'certificate', delivery: 'not_sent' });
  await remote.close();
  expect(requests).toBe(0);
});

test('a receiver of forwarded events is sent nothing', async () => {
  const post = await createPost({
    url: new URL(`https://localhost:${port}/`),
    authorities: undefined,
    signal,
    clock: () => 0,
  });
  expect(await post({}, Buffer.from('{}'))).toMatchObject({ status: null, why: expect.any(String) });
  expect(requests).toBe(0);
});

test('a receiver of deliveries is sent nothing', async () => {
  const poster = createPoster({ allowLoopback: () => true });
  const result = await poster.post({
    url: `https://localhost:${port}/`,
    headers: {},
    body: Buffer.from('{}'),
  });
  poster.close();
  expect(result).toMatchObject({ ok: false, why: expect.stringContaining('its certificate') });
  expect(requests).toBe(0);
});

test('a timestamp authority is not believed', async () => {
  const asked = { url: `https://localhost:${port}/`, maxBytes: 1000, timeoutMs: 10_000 };
  expect(await sendWebRequest(asked)).toMatchObject({
    ok: false,
    why: expect.stringContaining('cannot be reached'),
  });
  expect(requests).toBe(0);
});

test.each(['tls', 'starttls'] as const)(
  'a mail server is sent neither login nor mail, by %s',
  async (tls) => {
    const logins: unknown[] = [];
    const server = new SMTPServer({
      ...certificate,
      secure: tls === 'tls',
      logger: false,
      onAuth(auth, _, done) {
        logins.push(auth.username);
        done(null, { user: auth.username ?? '' });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const mailer = createMailer({
      host: 'localhost',
      port: (server.server.address() as AddressInfo).port,
      tls,
      user: 'esign',
      password: 'secret',
    });
    const result = await mailer.check();
    mailer.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    expect(result).toMatchObject({ ok: false });
    expect(logins).toEqual([]);
  },
);
