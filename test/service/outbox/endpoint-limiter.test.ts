import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../../../src/service/outbox/attempt.ts';
import { EndpointLimiter } from '../../../src/service/outbox/endpoint-limiter.ts';
import type { Prepared } from '../../../src/service/outbox/message.ts';

/** A limiter whose attempts end when a test says so. */
function limiterByHand() {
  const underWay: { endpoint: string; end(result: Partial<AttemptResult>): Promise<void> }[] = [];
  const limiter = new EndpointLimiter(
    ({ delivery }) =>
      new Promise((resolve) => {
        underWay.push({
          endpoint: delivery.endpoint,
          async end(result) {
            resolve({ ok: true, status: 204, why: null, answer: '', durationMs: 1, ...result });
            await new Promise(setImmediate);
          },
        });
      }),
  );
  let count = 0;
  const claim = (endpoint: string) => {
    for (let room = limiter.roomAt(endpoint); room > 0; room -= 1) {
      count += 1;
      limiter.add({ delivery: { id: String(count), endpoint } } as Prepared);
    }
  };
  return { limiter, underWay, claim };
}

const OK = { ok: true };
const FAILED = { ok: false };

describe('what goes to one endpoint at the same time', () => {
  test('is 8 at first, up to 32 while it succeeds, and a supply when it answers at once', async () => {
    const { limiter, underWay, claim } = limiterByHand();
    claim('a');
    expect([underWay.length, limiter.roomAt('a')]).toEqual([8, 0]);
    for (let n = 0; n < 24; n += 1) {
      await underWay.shift()?.end(OK);
      claim('a');
    }
    expect(limiter.underWay).toBe(32);
    expect(limiter.isSupplied).toBe(true);
    expect(limiter.roomAt('a')).toBe(0);
  });

  test('has no supply where answers take their time', async () => {
    const { limiter, underWay, claim } = limiterByHand();
    claim('a');
    for (let n = 0; n < 40; n += 1) {
      await underWay.shift()?.end({ ok: true, durationMs: 200 });
      claim('a');
    }
    expect([limiter.underWay, limiter.isSupplied]).toEqual([32, false]);
  });

  test('is half as many after each failure, one at least; the supply is given back', async () => {
    const { limiter, underWay, claim } = limiterByHand();
    claim('a');
    for (let n = 0; n < 40; n += 1) {
      await underWay.shift()?.end(OK);
      claim('a');
    }
    await underWay.shift()?.end(FAILED);
    expect(limiter.takeGivenBack().length).toBeGreaterThan(100);
    expect(limiter.takeGivenBack()).toEqual([]);
    expect(limiter.isSupplied).toBe(false);
    while (underWay.length > 0) await underWay.shift()?.end(FAILED);
    expect(limiter.roomAt('a')).toBe(1);
  });
});

test('all endpoints together have 512 attempts under way, and those that wait go on when one ends', async () => {
  const { limiter, underWay, claim } = limiterByHand();
  for (let n = 0; n < 100; n += 1) claim(`endpoint ${n}`);
  expect(limiter.underWay).toBe(512);
  expect(limiter.roomAt('another')).toBe(0);
  const busy = underWay.length;
  await underWay.shift()?.end({ ok: true, durationMs: 200 });
  expect(limiter.underWay).toBeGreaterThanOrEqual(511);
  expect(underWay.length).toBeGreaterThanOrEqual(busy - 1);
});

test('no more is claimed for all of them than there are connections', () => {
  const { limiter, claim } = limiterByHand();
  expect(limiter.roomAt('a', 510)).toBe(2);
  expect(limiter.roomAt('a', 600)).toBe(0);
  for (let n = 0; n < 100; n += 1) claim(`endpoint ${n}`);
  expect([limiter.isSupplied, limiter.roomAt('a')]).toEqual([false, 0]);
});

test('endpoints are served in turn, after the one that was served last', () => {
  const { limiter, claim } = limiterByHand();
  expect(limiter.rotate(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  claim('a');
  expect(limiter.rotate(['a', 'b', 'c'])).toEqual(['b', 'c', 'a']);
});
