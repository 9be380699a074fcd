// `events listen` as it is run: against the sandbox, a served store that is away for a while, and a service that lists no
// events; with receivers in good and in bad health. What is forwarded is verified by a package that is not ours.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signedHeaders } from '../../src/api/standard-webhooks.ts';
import { freePort, unusedOrigin } from '../support/servers/ports.ts';
import {
  type ReceivedRequest,
  type ScriptedService,
  startScriptedService,
} from '../support/servers/scripted-service.ts';
import {
  createStoryFixture,
  runCommand,
  type StartedCommand,
  type StoryFixture,
  startCommand,
} from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

let fixture: StoryFixture;
const opened: { close(): Promise<void> }[] = [];
const running: StartedCommand[] = [];

beforeEach(async () => {
  fixture = await createStoryFixture();
});

afterEach(async () => {
  for (const { process } of running.splice(0)) {
    if (process.exitCode !== null || process.signalCode !== null) continue;
    process.kill('SIGKILL');
    await once(process, 'close');
  }
  for (const one of opened.splice(0)) await one.close();
  await fixture.close();
});

async function receiverThat(
  answer: (asked: ReceivedRequest, count: number) => number,
): Promise<ScriptedService> {
  const receiver = await startScriptedService((response, asked, count) =>
    response.writeHead(answer(asked, count)).end(),
  );
  opened.push(receiver);
  return receiver;
}

const until = async (holds: () => boolean, what: string): Promise<void> => {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 1500) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** With `--json` nothing is said on stderr: such a one may not have begun yet. */
async function listening(words: string, more: Record<string, string> = {}): Promise<StartedCommand> {
  const isShell = words.includes('|');
  const command = `esign events listen ${words}`;
  const child = startCommand(
    { ...fixture, env: { ...fixture.env, ...more } },
    isShell ? command : `exec ${command}`,
  );
  running.push(child);
  if (!words.includes('--json'))
    await until(
      () => child.said().err.includes('Press Ctrl-C to stop') || child.process.exitCode !== null,
      'the beginning',
    );
  return child;
}

async function stopped(child: StartedCommand, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  const closed = once(child.process, 'close');
  child.process.kill(signal);
  const [code] = await closed;
  return code;
}

async function trigger(
  type: string,
  more = '',
): Promise<{ id: string; events: { id: string; type: string }[] }> {
  const { out, err } = await runCommand(fixture, `esign events trigger ${type} ${more} --json`);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
}

const rowsOf = (child: StartedCommand): string[][] =>
  child
    .said()
    .out.split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

const idsOf = (child: StartedCommand): (string | undefined)[] => rowsOf(child).map((row) => row[3]);

test('the sandbox: verified by the public package, the same bytes as a delivery, and Ctrl-C', async () => {
  const receiver = await receiverThat(() => 204);
  const { out } = await runCommand(fixture, 'esign events listen --print-secret');
  const child = await listening(`--forward-to ${receiver.origin}/listen`);
  const { id, events } = await trigger('transaction_started', `--notify ${receiver.origin}/notify`);
  await until(() => idsOf(child).length === events.length, 'all lines');
  expect(rowsOf(child).map((row) => row.slice(1, 5))).toEqual(
    events.map((event) => [event.type, id, event.id, '204']),
  );
  const forwarded = receiver.asked.filter(({ path }) => path === '/listen');
  const hook = new Webhook(out.trim());
  for (const [index, { body, headers }] of forwarded.entries())
    expect(hook.verify(body, headers as Record<string, string>)).toMatchObject(events[index] ?? {});
  await until(() => receiver.asked.length === 2 * events.length, 'the deliveries');
  const bodies = (path: string) =>
    receiver.asked
      .filter((asked) => asked.path === path)
      .map(({ headers, body }) => [headers['webhook-id'], headers['content-type'], body.toString()]);
  expect(bodies('/listen')).toEqual(bodies('/notify'));
  expect(await stopped(child)).toBe(130);
  expect(child.said().err).not.toContain('error');
  expect(child.said().err).not.toContain('whsec_');
  // The list knows how the receiver answered, beside what the service delivered itself.
  await runCommand(fixture, 'esign events trigger transaction_created');
  const listed = (await runCommand(fixture, 'esign events list')).out.trim().split('\n');
  expect(listed.map((line) => line.split('\t')[4])).toEqual([
    '–',
    ...events.map(() => '1 delivered, forwarded: 204'),
  ]);
});

describe.skipIf(!SLOW)('with others', () => {
  test('a served store that is away: what was missed comes after it, in order, none twice', async () => {
    const receiver = await receiverThat(() => 200);
    const serve = async () => {
      const child = startCommand(fixture, 'exec esign sandbox serve --json');
      running.push(child);
      await until(() => child.said().out.includes('\n'), 'serve');
      return { child, url: JSON.parse(child.said().out).base_url as string };
    };
    const first = await serve();
    const { out: token } = await runCommand(fixture, 'esign sandbox token --raw');
    const env = { ESIGN_BASE_URL: first.url, ESIGN_ACCESS_TOKEN: token.trim(), ESIGN_TIMEOUT: '2' };
    const child = await listening(`--forward-to ${receiver.origin}`, env);
    const before = await trigger('transaction_started');
    await until(() => idsOf(child).length === 2, 'the first two');
    await stopped(first.child);
    const missed = await trigger('transaction_completed');
    await until(
      () => /the service (answers|responds) again/.test(child.said().err),
      'the service to be missed',
    );
    await serve();
    const after = await trigger('transaction_rejected');
    await until(() => idsOf(child).length >= 9, 'all of it');
    const wanted = [before, missed, after].flatMap(({ events }) => events.map(({ id }) => id));
    expect([...idsOf(child)].sort()).toEqual([...wanted].sort());
    for (const { events } of [before, missed, after]) {
      const ids = events.map(({ id }) => id);
      expect(idsOf(child).filter((id) => ids.includes(id ?? ''))).toEqual(ids);
    }
    expect(receiver.asked.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...wanted].sort());
    expect(child.said().err).toContain('The service responds again.');
    expect(await stopped(child, 'SIGTERM')).toBe(143);
  });

  test('a failing receiver: tried again, in order, while others do not wait for it', async () => {
    const sick = await trigger('transaction_created');
    const sound = await trigger('transaction_created');
    let failures = 0;
    const receiver = await receiverThat(({ body }) => {
      const { data, type } = JSON.parse(body.toString());
      if (data.id !== sick.id || type !== 'transaction_started' || failures === 2) return 200;
      failures += 1;
      return 500;
    });
    const child = await listening(`--forward-to ${receiver.origin} --retry`);
    await trigger('transaction_started', `--transaction ${sick.id}`);
    await trigger('transaction_cancelled', `--transaction ${sick.id}`);
    await trigger('transaction_started', `--transaction ${sound.id}`);
    await until(() => rowsOf(child).length === 3, 'all lines');
    const [first, ...others] = rowsOf(child).map(([, type, id, , status, , attempts]) => [
      type,
      id,
      status,
      attempts,
    ]);
    expect(first).toEqual(['transaction_started', sound.id, '200', '1']);
    expect(others).toEqual([
      ['transaction_started', sick.id, '200', '3'],
      ['transaction_cancelled', sick.id, '200', '1'],
    ]);
    await stopped(child);
  });

  test('a receiver by TLS, with a certificate of the sandbox and with none of it', async () => {
    await runCommand(fixture, 'esign sandbox ca issue localhost');
    const file = (name: string) => readFileSync(join(fixture.folder, name), 'utf8');
    const certificate = { cert: file('localhost.pem'), key: file('localhost-key.pem') };
    const receiver = await startScriptedService((response) => response.writeHead(204).end(), certificate);
    opened.push(receiver);
    const { events } = await trigger('transaction_created');
    const replay = `esign events replay ${events[0]?.id} --json --forward-to https://localhost:${receiver.port}`;
    expect(JSON.parse((await runCommand(fixture, replay)).out)).toMatchObject({
      arrived: 1,
      results: [{ status: 204 }],
    });
    // The certificate is for this name, and for no other.
    const { code, out } = await runCommand(fixture, replay.replace('localhost', '127.0.0.1'));
    expect(code).toBe(7);
    expect(JSON.parse(out).results[0].why).toMatch(/^its certificate is not trusted/);
  });

  test('no receiver: shown, and the next event is sent', async () => {
    const nowhere = await unusedOrigin();
    const { events } = await trigger('transaction_created');
    const child = await listening(`--forward-to ${nowhere} --json --after ${events[0]?.id}`);
    await trigger('transaction_started');
    await until(() => child.said().out.split('\n').length === 3, 'both lines');
    for (const line of child.said().out.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({
        data: { status: expect.any(String) },
        forwarded: { status: null, why: 'the connection was refused (ECONNREFUSED)', attempts: 1 },
      });
    await stopped(child);
  });

  test('a reader that went away ends it with the next event', async () => {
    const child = await listening('| head -1');
    const closed = once(child.process, 'close');
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    for (let count = 0; !isClosed && count < 20; count += 1) await trigger('transaction_created');
    expect(isClosed).toBe(true);
    expect(child.said().out.split('\n')).toHaveLength(2);
    expect(child.said().err).not.toContain('EPIPE');
  });
});

describe.skipIf(!SLOW)('a service that lists no events', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const EVENT =
    '{ "id": "E1", "created": "2026-03-01T09:00:00.000Z", "type": "transaction_started", "data": {"id": "T"} }';

  async function serviceThat(created: object): Promise<ScriptedService> {
    const service = await startScriptedService((response, { method, path }) => {
      const answer: [number, unknown] =
        method === 'POST' && path === '/v1/webhook'
          ? [201, created]
          : method === 'DELETE' && path === '/v1/webhook/W'
            ? [200, { removed: true }]
            : [404, { message: 'no such route' }];
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    });
    opened.push(service);
    return service;
  }

  const environmentOf = ({ origin }: ScriptedService) => ({
    ESIGN_BASE_URL: origin,
    ESIGN_ACCESS_TOKEN: 'T',
  });
  const callsTo = ({ asked }: ScriptedService) => asked.map(({ method, path }) => `${method} ${path}`);

  async function sendTo(port: number, body: string, headers: Record<string, string>): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${port}/x`, { method: 'POST', body, headers });
    return response.status;
  }

  test('without the address of a tunnel it says what is needed', async () => {
    const service = await serviceThat({ id: 'W', secret: SECRET });
    const child = await listening('--json', environmentOf(service));
    await until(() => child.process.exitCode !== null, 'the end');
    expect(child.process.exitCode).toBe(2);
    expect(JSON.parse(child.said().err)).toMatchObject({
      error: { code: 'events_not_listed', hint: expect.stringContaining('--public-url') },
    });
  });

  test('a temporary webhook: original headers and bytes go on, what is not signed does not, and it is removed', async () => {
    const service = await serviceThat({ id: 'W', secret: SECRET });
    const receiver = await receiverThat(() => 200);
    const port = await freePort();
    const child = await listening(
      `--public-url https://tunnel.example/x --port ${port} --forward-to ${receiver.origin}/hook --event transaction_started`,
      environmentOf(service),
    );
    expect(JSON.parse(service.asked.at(-1)?.body.toString() ?? '')).toMatchObject({
      endpoint: 'https://tunnel.example/x',
      events: ['transaction_started'],
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = signedHeaders([SECRET], { id: 'E1', timestamp, body: EVENT });
    const headers = { ...signed, 'x-service': 'kept', 'content-type': 'application/json; charset=utf-8' };
    expect(await sendTo(port, EVENT, { ...headers, 'webhook-signature': 'v1,AAAA' })).toBe(401);
    expect(await sendTo(port, `${EVENT} `, headers)).toBe(401);
    expect(await sendTo(port, EVENT, headers)).toBe(204);
    expect(await sendTo(port, EVENT, headers)).toBe(204);
    await until(() => rowsOf(child).length === 1, 'the line');
    expect(receiver.asked).toHaveLength(1);
    const [forwarded] = receiver.asked;
    expect(forwarded?.body.toString()).toBe(EVENT);
    expect(forwarded?.headers).toMatchObject(headers);
    expect(forwarded?.headers.host).toBe(new URL(receiver.origin).host);
    expect(await stopped(child)).toBe(130);
    expect(callsTo(service).at(-1)).toBe('DELETE /v1/webhook/W');
  });

  test('a receiver with a secret of its own: what comes through the tunnel is signed with that', async () => {
    const service = await serviceThat({ id: 'W', secret: SECRET });
    const receiver = await receiverThat(() => 200);
    const port = await freePort();
    const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const child = await listening(
      `--public-url https://tunnel.example/x --port ${port} --forward-to ${receiver.origin}/hook`,
      { ...environmentOf(service), ESIGN_WEBHOOK_SECRET: own },
    );
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signedHeaders([SECRET], { id: 'E1', timestamp, body: EVENT });
    expect(await sendTo(port, EVENT, { ...headers, 'content-type': 'application/json' })).toBe(204);
    await until(() => rowsOf(child).length === 1, 'the line');
    const [forwarded] = receiver.asked;
    expect(forwarded?.body.toString()).toBe(EVENT);
    const verified = new Webhook(own).verify(EVENT, forwarded?.headers as Record<string, string>);
    expect(verified).toMatchObject({ id: 'E1' });
    expect(await stopped(child)).toBe(130);
  });

  test('the webhook of the sandbox is removed by the first Ctrl-C too', async () => {
    const port = await freePort();
    const child = await listening(`--public-url https://tunnel.example/x --port ${port}`);
    const list = async () => JSON.parse((await runCommand(fixture, 'esign webhooks list --json')).out).items;
    expect(await list()).toMatchObject([{ endpoint: 'https://tunnel.example/x' }]);
    expect(await stopped(child)).toBe(130);
    expect(child.said().err).not.toContain('could not be removed');
    expect(await list()).toEqual([]);
  });

  test('a service without secrets: said so, and nothing is called verified', async () => {
    const service = await serviceThat({ id: 'W' });
    const port = await freePort();
    const child = await listening(
      `--public-url https://tunnel.example --port ${port} --json`,
      environmentOf(service),
    );
    // With --json nothing tells that it has begun but the webhook.
    await until(() => callsTo(service).includes('POST /v1/webhook'), 'the webhook');
    let status = 0;
    while (status !== 204) status = await sendTo(port, EVENT, { 'content-type': 'application/json' });
    await until(() => child.said().out.includes('\n'), 'the line');
    expect(JSON.parse(child.said().out)).toMatchObject({ id: 'E1', verified: null });
    expect(await stopped(child)).toBe(130);
    expect(callsTo(service).at(-1)).toBe('DELETE /v1/webhook/W');
  });

  test('a port that is in use: no webhook is made', async () => {
    const service = await serviceThat({ id: 'W', secret: SECRET });
    const { port } = await receiverThat(() => 200);
    const child = await listening(
      `--public-url https://tunnel.example --port ${port}`,
      environmentOf(service),
    );
    expect(child.process.exitCode).toBe(2);
    expect(child.said().err).toContain('(port_in_use)');
    expect(service.asked).toEqual([]);
  });
});
