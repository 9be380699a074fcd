// Bodies that are being received are bounded: together, by client, and where no login is needed.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { BODIES, createBodyBudget, readBody } from '../../../src/service/http/body.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

describe('bodies under way', () => {
  /** Begins bodies by name, and tells which were refused. */
  function opened(limits = { together: 100, perClient: 60 }) {
    const budget = createBodyBudget(limits);
    const refused: string[] = [];
    const begin = (client: string, name: string) => budget.receive(client, () => refused.push(name));
    return { budget, refused, begin };
  }

  test('of one client are bounded: the oldest makes room for the next', () => {
    const { budget, refused, begin } = opened();
    const [first, second, other] = [begin('a', 'first'), begin('a', 'second'), begin('b', 'other')];
    first.add(40);
    other.add(10);
    second.add(20);
    expect(refused).toEqual([]);
    second.add(1);
    expect(refused).toEqual(['first']);
    expect(budget.bytes).toBe(31);
    first.add(1000);
    expect(budget.bytes).toBe(31);
    second.add(60);
    expect(refused).toEqual(['first', 'second']);
    expect(budget.bytes).toBe(10);
  });

  test('of all clients are bounded, at the cost of the one that holds most', () => {
    const { budget, refused, begin } = opened();
    const [a, b, c] = [begin('a', 'a'), begin('b', 'b'), begin('c', 'c')];
    begin('b', 'b without a byte');
    a.add(30);
    b.add(50);
    c.add(20);
    expect(refused).toEqual([]);
    c.add(1);
    expect(refused).toEqual(['b']);
    expect(budget.bytes).toBe(51);
  });

  test('count no longer when they have ended, once', () => {
    const { budget, begin } = opened();
    const body = begin('a', 'a');
    body.add(50);
    body.end();
    body.end();
    body.add(10);
    expect(budget.bytes).toBe(0);
  });
});

describe('a body', () => {
  const streamOf = (chunks: AsyncIterable<Uint8Array>) => ({
    method: 'POST',
    url: 'http://127.0.0.1/',
    headers: {},
    body: chunks,
    from: '192.0.2.7',
  });

  test('of many small chunks counts with what they take, and is given up as soon as it is refused', async () => {
    let sent = 0;
    const tiny = async function* () {
      for (;;) {
        sent += 1;
        yield new Uint8Array(1);
      }
    };
    expect(await readBody(streamOf(tiny()), LIMITS.jsonBytes)).toBe('refused');
    expect(sent).toBeLessThan(LIMITS.bodiesOfClientBytes / 200);
    expect(BODIES.bytes).toBe(0);
  });

  test('that ends, breaks off or is too large leaves nothing counted', async () => {
    const once = async function* (size: number) {
      yield new Uint8Array(size);
    };
    const broken = async function* () {
      yield* once(10);
      throw new Error('gone');
    };
    expect(await readBody(streamOf(once(5)), 5)).toEqual({ text: '\0'.repeat(5) });
    expect(await readBody(streamOf(once(6)), 5)).toBe('too_large');
    expect(await readBody(streamOf(broken()), 50)).toBe('cut_off');
    expect(BODIES.bytes).toBe(0);
  });
});

describe('requests whose bodies never end', () => {
  let harness: Harness;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await harness.close();
    expect(harness.errors).toEqual([]);
  });

  /** Sends head and a part of a body, and keeps the connection. */
  async function begin(
    path: string,
    part: number,
    declared: number,
    headers = '',
  ): Promise<{ text: () => string }> {
    const { host, port } = new URL(harness.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${declared}\r\n${headers}\r\n`,
    );
    socket.write(Buffer.alloc(part, ' '));
    return { text: () => text };
  }

  const MB = 1024 * 1024;

  test('are refused before they are read where no login is needed', async () => {
    harness = await openHarness('over HTTP');
    for (const path of [
      '/v1/oauth/exchange/code',
      '/v1/oauth/refresh/token',
      '/sign/submit?token=unknown-unknown-unknown',
      '/sign/reject?token=unknown-unknown-unknown',
    ]) {
      const sent = await begin(path, 1000, LIMITS.openBodyBytes + 1);
      await expect.poll(sent.text).toContain('body_too_large');
      expect(sent.text()).toContain(` ${LIMITS.openBodyBytes} bytes`);
    }
    expect(BODIES.bytes).toBe(0);
  });

  test('hold no more than they may, leave others to be answered, and give everything back', async () => {
    harness = await openHarness('over HTTP');
    const token = `Authorization: Bearer ${harness.service.ownToken}\r\n`;
    const count = Math.ceil(LIMITS.bodiesOfClientBytes / (3 * MB)) + 3;
    const all: { text: () => string }[] = [];
    for (let index = 0; index < count; index += 1)
      all.push(await begin('/v1/transaction', 3 * MB, 4_000_000, token));
    const refused = () => all.filter(({ text }) => text().includes('receiving_busy')).length;
    await expect.poll(refused, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    expect(all[0]?.text()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 2\r/is);
    expect(BODIES.bytes).toBeLessThanOrEqual(LIMITS.bodiesOfClientBytes);
    const { id } = await harness.client['transaction.create']({ body: { name: 'Another' } });
    expect(id).toEqual(expect.any(String));
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => BODIES.bytes, { timeout: 20_000 }).toBe(0);
  });
});
