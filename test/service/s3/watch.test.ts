// Whether the bucket can be reached, as health checks get it: one question at a time, now and then, and no long wait.
import { describe, expect, test } from 'vitest';
import { watchBucket } from '../../../src/service/s3/bucket.ts';

/** A bucket whose answers a test gives. */
function createFixture({ waitMs = 600_000 } = {}) {
  const asked: { answer(error?: Error): void }[] = [];
  const changes: unknown[] = [];
  const clock = { now: 0 };
  const watch = watchBucket({
    ask: () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: (error) => (error ? reject(error) : resolve()) });
      }),
    onChange: (error) => changes.push(error),
    monotonicMs: () => clock.now,
    waitMs,
  });
  return { asked, changes, clock, watch };
}

const BROKEN = new Error('The connection was refused.');

describe('the state of a bucket', () => {
  test('is asked for once, however many want it', async () => {
    const { asked, watch } = createFixture();
    const states = Promise.all([watch.state(), watch.state(), watch.state()]);
    asked[0]?.answer();
    expect(await states).toEqual(['ok', 'ok', 'ok']);
    expect(asked).toHaveLength(1);
  });

  test('is asked for again after some seconds, and each change is reported once', async () => {
    const { asked, changes, clock, watch } = createFixture();
    const ask = async (error?: Error) => {
      const count = asked.length;
      const state = watch.state();
      asked[count]?.answer(error);
      return [await state, asked.length - count];
    };
    expect(await ask()).toEqual(['ok', 1]);
    clock.now += 4999;
    expect(await ask(BROKEN)).toEqual(['ok', 0]);
    clock.now += 1;
    expect(await ask(BROKEN)).toEqual(['unavailable', 1]);
    expect(await ask()).toEqual(['unavailable', 0]);
    clock.now += 5000;
    expect(await ask(BROKEN)).toEqual(['unavailable', 1]);
    expect(changes).toEqual([BROKEN]);
    clock.now += 5000;
    expect(await ask()).toEqual(['ok', 1]);
    expect(changes).toEqual([BROKEN, undefined]);
  });

  test('is the last one that is known while the bucket does not answer', async () => {
    const { asked, watch } = createFixture({ waitMs: 1 });
    expect(await watch.state()).toBe('ok');
    asked[0]?.answer(BROKEN);
    await expect.poll(() => watch.state()).toBe('unavailable');
    expect(asked).toHaveLength(1);
  });
});
