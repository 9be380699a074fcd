import { describe, expect, test } from 'vitest';
import { type Retry, retryAfterMs, withRetry } from '../../src/api/retry.ts';
import { type Call, ConnectionError, type Reply, TIMEOUTS } from '../../src/api/transport.ts';

type Happening = number | ConnectionError | Partial<Reply>;

const lost = (delivery: 'not_sent' | 'unknown', isWorthAnotherTry = true) =>
  new ConnectionError('Gone.', { delivery, reason: 'ECONNRESET', isWorthAnotherTry });

type Given = Partial<Call> & { keys?: boolean; random?: number; slowMs?: number };

/** Each attempt meets the next happening; the last one stays. */
async function asking(
  happenings: Happening[],
  { keys = false, random = 1, slowMs = 0, ...call }: Given = {},
) {
  let now = 0;
  let attempts = 0;
  const retries: Retry[] = [];
  const waits: number[] = [];
  const tooLong: number[] = [];
  const transport = withRetry(
    async () => {
      const happening = happenings[Math.min(attempts, happenings.length - 1)] ?? 200;
      attempts += 1;
      now += slowMs;
      if (happening instanceof ConnectionError) throw happening;
      const reply = typeof happening === 'number' ? { status: happening } : happening;
      return { status: 200, headers: {}, body: '', ...reply };
    },
    {
      keysHonoured: keys,
      nowMs: () => now,
      epochMs: () => Date.parse('2026-03-01T10:00:00Z'),
      random: () => random,
      async wait(ms) {
        waits.push(ms);
        now += ms;
      },
      onRetry: (retry) => retries.push(retry),
      onTooLong: (ms) => tooLong.push(ms),
    },
  );
  const came = await transport({ method: 'GET', url: 'https://x.example/', headers: {}, ...call }).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { came, attempts, waits, retries, tooLong };
}

const KEY = { headers: { 'idempotency-key': 'K' } };

describe('what is asked again', () => {
  test.each<[string, Given, Happening, number]>([
    ['a GET after a lost answer', {}, lost('unknown'), 4],
    ['a GET after a refused connection', {}, lost('not_sent'), 4],
    ['a GET after what no other try helps', {}, lost('not_sent', false), 1],
    ['a PUT after a lost answer', { method: 'PUT' }, lost('unknown'), 4],
    ['a DELETE after a lost answer', { method: 'DELETE' }, lost('unknown'), 4],
    ['a start after a lost answer', { method: 'PUT', once: true }, lost('unknown'), 1],
    ['a start after a refused connection', { method: 'PUT', once: true }, lost('not_sent'), 4],
    ['a start after 503', { method: 'PUT', once: true }, 503, 1],
    [
      'a start under a key that is honoured',
      { method: 'PUT', once: true, keys: true, ...KEY },
      lost('unknown'),
      4,
    ],
    ['a POST after a lost answer', { method: 'POST' }, lost('unknown'), 1],
    ['a POST after a refused connection', { method: 'POST' }, lost('not_sent'), 4],
    ['a POST after 429', { method: 'POST' }, 429, 1],
    ['a POST under a key that nobody promised', { method: 'POST', ...KEY }, lost('unknown'), 1],
    ['a POST under a key that is honoured', { method: 'POST', keys: true, ...KEY }, lost('unknown'), 4],
    ['a POST without a key where keys are honoured', { method: 'POST', keys: true }, 503, 1],
    ['a stream, whatever happened', { method: 'PUT', body: (async function* () {})() }, lost('not_sent'), 1],
    ['bytes', { method: 'PUT', body: new Uint8Array(3) }, lost('unknown'), 4],
  ])('%s', async (_, given, happening, attempts) => {
    const { attempts: were, retries, came } = await asking([happening], given);
    expect(were).toBe(attempts);
    expect(retries).toHaveLength(attempts - 1);
    if (happening instanceof ConnectionError) expect(came).toBeInstanceOf(ConnectionError);
  });

  test.each([
    [408, 4],
    [429, 4],
    [500, 4],
    [502, 4],
    [503, 4],
    [504, 4],
    [501, 1],
    [400, 1],
    [401, 1],
    [404, 1],
    [409, 1],
    [302, 1],
    [200, 1],
  ])('a GET that was answered %i', async (status, attempts) => {
    expect(await asking([status])).toMatchObject({ came: status, attempts });
  });

  test('ends with the first answer that is one', async () => {
    expect(await asking([lost('unknown'), 503, 200])).toMatchObject({
      came: 200,
      attempts: 3,
      retries: [
        { why: 'the connection failed', attempt: 2, attempts: 4 },
        { why: 'the service answered with status 503', attempt: 3, attempts: 4 },
      ],
    });
  });

  test('an error that is none of the connection passes at once', async () => {
    const bug = new TypeError('bug');
    const transport = withRetry(() => Promise.reject(bug), { nowMs: () => 0 } as never);
    await expect(transport({ method: 'GET', url: 'https://x.example/', headers: {} })).rejects.toBe(bug);
  });

  test('what was not sent last may have been acted on before', async () => {
    const { came } = await asking([lost('unknown'), lost('not_sent')], { method: 'PUT' });
    expect(came).toMatchObject({ delivery: 'unknown' });
    expect((await asking([500, lost('not_sent')], { method: 'PUT' })).came).toMatchObject({
      delivery: 'unknown',
    });
    expect((await asking([lost('not_sent')], { method: 'PUT' })).came).toMatchObject({
      delivery: 'not_sent',
    });
  });
});

describe('the pause', () => {
  test('is anything up to a bound that doubles', async () => {
    const bounds = [TIMEOUTS.pauseMs, TIMEOUTS.pauseMs * 2, TIMEOUTS.pauseMs * 4];
    expect((await asking([503])).waits).toEqual(bounds);
    expect((await asking([503], { random: 0.5 })).waits).toEqual(bounds.map((ms) => ms / 2));
    expect((await asking([503], { random: 0 })).waits).toEqual([0, 0, 0]);
  });

  test('is as long as the service asks for, in seconds or until a date', async () => {
    const wished = (value: string, date = 'Sun, 01 Mar 2026 09:00:00 GMT') => ({
      status: 429,
      headers: { 'retry-after': value, date },
    });
    expect((await asking([wished('7'), 200])).waits).toEqual([7000]);
    expect((await asking([wished('0'), 200])).waits).toEqual([0]);
    expect((await asking([wished('60'), 200])).waits).toEqual([60_000]);
    // By the clock of the service, which may be another.
    expect((await asking([wished('Sun, 01 Mar 2026 09:00:30 GMT'), 200])).waits).toEqual([30_000]);
    expect((await asking([wished('Sun, 01 Mar 2026 10:00:30 GMT', ''), 200])).waits).toEqual([30_000]);
    expect((await asking([wished('Sun, 01 Mar 2026 08:00:00 GMT'), 200])).waits).toEqual([0]);
    expect((await asking([wished('soon'), 200])).waits).toEqual([TIMEOUTS.pauseMs]);
  });

  test('that is too long ends it at once, and is said', async () => {
    const reply = { status: 503, headers: { 'retry-after': '61' } };
    expect(await asking([reply])).toMatchObject({ came: 503, attempts: 1, waits: [], tooLong: [61_000] });
  });

  test('never makes the whole longer than its bound', async () => {
    const { attempts } = await asking([503], { slowMs: TIMEOUTS.attemptsMs / 2 });
    expect(attempts).toBe(2);
  });

  test('that is cut short ends the call', async () => {
    const transport = withRetry(async () => ({ status: 503, headers: {}, body: '' }), {
      keysHonoured: false,
      nowMs: () => 0,
      epochMs: () => 0,
      random: () => 0,
      wait: () => Promise.reject(new Error('stopped')),
      onRetry: () => undefined,
      onTooLong: () => undefined,
    });
    await expect(transport({ method: 'GET', url: 'https://x.example/', headers: {} })).rejects.toThrow(
      'stopped',
    );
  });
});

test.each(['', '-1', '1.5', 'Sunday', '1e3', '99999999999', '2026-03-01'])(
  'no pause is read from %j',
  (value) => {
    expect(retryAfterMs({ 'retry-after': value }, () => 0)).toBeUndefined();
  },
);
