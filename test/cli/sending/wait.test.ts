import { describe, expect, test } from 'vitest';
import type { ReceivedTransaction } from '../../../src/api/contract/transactions.ts';
import { ConnectionError } from '../../../src/api/transport.ts';
import { Interrupted } from '../../../src/cli/command/errors.ts';
import { parseDuration } from '../../../src/cli/input/parse-input.ts';
import { verdictOn, type WaitTarget, waitUntil } from '../../../src/cli/sending/wait.ts';

const at = (status: string, more: object = {}) =>
  ({ id: 't', status, ...more }) as unknown as ReceivedTransaction;

const lost = () => new ConnectionError('no answer', { delivery: 'unknown', reason: 'ECONNRESET' });

/** A clock that jumps at each wait, and a service that answers one thing after another. */
function waitContext(answers: readonly (ReceivedTransaction | Error)[]) {
  let nowMs = 0;
  const pauses: number[] = [];
  let asked = 0;
  return {
    pauses,
    asked: () => asked,
    app: {
      monotonicMs: () => nowMs,
      pause: async (ms: number) => {
        pauses.push(ms);
        nowMs += ms;
      },
    },
    read: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer instanceof Error || !answer) throw answer;
      return answer;
    },
  };
}

const wish = (target: WaitTarget, timeoutMs?: number) => ({ target, timeoutMs });

describe('waiting', () => {
  test.each([
    ['draft', 'pending', 'pending', 'pending'],
    ['started', 'pending', 'reached', 'pending'],
    ['completed', 'reached', 'reached', 'reached'],
    ['rejected', 'ended_badly', 'ended_badly', 'reached'],
    ['expired', 'ended_badly', 'ended_badly', 'reached'],
  ])('%s: completed %s, started %s, any %s', (status, ...verdicts) => {
    expect((['completed', 'started', 'any'] as const).map((target) => verdictOn(at(status), target))).toEqual(
      verdicts,
    );
  });

  test('distinguishes cancelled from expired', () => {
    expect(verdictOn(at('expired', { cancelled_at: '2026-11-20T10:00:00.000Z' }), 'completed')).toBe(
      'ended_badly',
    );
  });

  test('asks after a second, then less and less often, never more than 15 seconds apart', async () => {
    const { app, read, pauses } = waitContext([...Array(12).fill(at('started')), at('completed')]);
    expect(await waitUntil(app, read, wish('completed'))).toMatchObject({ verdict: 'reached' });
    expect(pauses[0]).toBe(1000);
    for (const [index, pause] of pauses.entries())
      expect(pause).toBeGreaterThanOrEqual(pauses[index - 1] ?? 0);
    expect(pauses.at(-1)).toBe(15_000);
  });

  test('ends when the time is up, after a last request at the very end', async () => {
    const { app, read, pauses } = waitContext([at('started')]);
    expect(await waitUntil(app, read, wish('completed', 20_000))).toMatchObject({ verdict: 'pending' });
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBe(20_000);
  });

  test('no time at all asks once', async () => {
    const { app, read, asked } = waitContext([at('started')]);
    expect(await waitUntil(app, read, wish('completed', 0))).toMatchObject({ verdict: 'pending' });
    expect(asked()).toBe(1);
  });

  test('a lost answer is asked again; five in a row are thrown', async () => {
    const some = waitContext([
      lost(),
      lost(),
      at('started'),
      lost(),
      lost(),
      lost(),
      lost(),
      at('completed'),
    ]);
    expect(await waitUntil(some.app, some.read, wish('completed'))).toMatchObject({ verdict: 'reached' });
    const many = waitContext([at('started'), ...Array(5).fill(lost())]);
    await expect(waitUntil(many.app, many.read, wish('completed'))).rejects.toThrow('no answer');
    expect(many.asked()).toBe(6);
  });

  test('what asking again does not help is thrown at once', async () => {
    const { app, read, asked } = waitContext([new Error('a bug')]);
    await expect(waitUntil(app, read, wish('completed'))).rejects.toThrow('a bug');
    expect(asked()).toBe(1);
  });

  test('a signal ends it', async () => {
    const { app, read } = waitContext([at('started')]);
    const pause = () => Promise.reject(new Interrupted('SIGTERM'));
    await expect(waitUntil({ ...app, pause }, read, wish('completed'))).rejects.toMatchObject({
      signal: 'SIGTERM',
    });
  });
});

describe('a duration', () => {
  test.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1.5h', 5_400_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration('--timeout', text)).toBe(ms);
  });

  test.each(['', '10', 's', '-1s', '1w', '1h30m', '999999d', 'soon', '1e3s'])('"%s" is none', (text) => {
    expect(() => parseDuration('--timeout', text)).toThrow(/--timeout/);
  });
});
