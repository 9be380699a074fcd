import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../../../src/service/outbox/attempt.ts';
import { createEndpointLimiter } from '../../../src/service/outbox/endpoint-limiter.ts';
import type { Prepared } from '../../../src/service/outbox/prepare.ts';

/** Lanes whose attempts end when a test says so. */
function lanesByHand() {
  const underWay: { endpoint: string; end(result: Partial<AttemptResult>): Promise<void> }[] = [];
  const lanes = createEndpointLimiter(
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
    for (let room = lanes.roomAt(endpoint); room > 0; room -= 1) {
      count += 1;
      lanes.add({ delivery: { id: String(count), endpoint } } as Prepared);
    }
  };
  return { lanes, underWay, claim };
}

const OK = { ok: true };
const FAILED = { ok: false };

describe('what goes to one endpoint at the same time', () => {
  test('is 8 at first, up to 32 while it succeeds, and a supply when it answers at once', async () => {
    const { lanes, underWay, claim } = lanesByHand();
    claim('a');
    expect([underWay.length, lanes.roomAt('a')]).toEqual([8, 0]);
    for (let n = 0; n < 24; n += 1) {
      await underWay.shift()?.end(OK);
      claim('a');
    }
    expect(lanes.underWay()).toBe(32);
    expect(lanes.isSupplied()).toBe(true);
    expect(lanes.roomAt('a')).toBe(0);
  });

  test('has no supply where answers take their time', async () => {
    const { lanes, underWay, claim } = lanesByHand();
    claim('a');
    for (let n = 0; n < 40; n += 1) {
      await underWay.shift()?.end({ ok: true, durationMs: 200 });
      claim('a');
    }
    expect([lanes.underWay(), lanes.isSupplied()]).toEqual([32, false]);
  });

  test('is half as many after each failure, one at least; the supply is given back', async () => {
    const { lanes, underWay, claim } = lanesByHand();
    claim('a');
    for (let n = 0; n < 40; n += 1) {
      await underWay.shift()?.end(OK);
      claim('a');
    }
    await underWay.shift()?.end(FAILED);
    expect(lanes.takeGivenBack().length).toBeGreaterThan(100);
    expect(lanes.takeGivenBack()).toEqual([]);
    expect(lanes.isSupplied()).toBe(false);
    while (underWay.length > 0) await underWay.shift()?.end(FAILED);
    expect(lanes.roomAt('a')).toBe(1);
  });
});

test('all endpoints together have 512 attempts under way, and those that wait go on when one ends', async () => {
  const { lanes, underWay, claim } = lanesByHand();
  for (let n = 0; n < 100; n += 1) claim(`endpoint ${n}`);
  expect(lanes.underWay()).toBe(512);
  expect(lanes.hasRoom('another')).toBe(false);
  const busy = underWay.length;
  await underWay.shift()?.end({ ok: true, durationMs: 200 });
  expect(lanes.underWay()).toBeGreaterThanOrEqual(511);
  expect(underWay.length).toBeGreaterThanOrEqual(busy - 1);
});

test('no more is claimed for all of them than there are connections', () => {
  const { lanes, claim } = lanesByHand();
  expect(lanes.roomAt('a', 510)).toBe(2);
  expect(lanes.roomAt('a', 600)).toBe(0);
  for (let n = 0; n < 100; n += 1) claim(`endpoint ${n}`);
  expect([lanes.isSupplied(), lanes.roomAt('a')]).toEqual([false, 0]);
});

test('endpoints are served in turn, after the one that was served last', () => {
  const { lanes, claim } = lanesByHand();
  expect(lanes.rotate(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  claim('a');
  expect(lanes.rotate(['a', 'b', 'c'])).toEqual(['b', 'c', 'a']);
});
