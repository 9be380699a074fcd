// A check that gets no answer is given up; one that is slow because this process computes is not.
import { expect, test } from 'vitest';
import { passed, runCheck } from '../../../src/cli/checks/check.ts';
import { SLOW } from '../../support/tier.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function compute(ms: number): void {
  const before = process.cpuUsage();
  for (let used = 0; used < ms; ) {
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1000;
  }
}

test('gives up a check that gets no answer', async () => {
  expect(await runCheck('disk', 20, () => new Promise(() => undefined))).toEqual({
    name: 'disk',
    state: 'warn',
    says: 'No result within 0.02 s.',
    hint: undefined,
  });
});

test.skipIf(!SLOW)(
  'waits for a check while this process computes, however long that takes by the clock',
  async () => {
    const slow = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        compute(120);
        await pause(0);
      }
      return passed('Computed.');
    };
    expect(await runCheck('seal', 200, slow)).toMatchObject({ state: 'ok', says: 'Computed.' });
  },
);

test.skipIf(!SLOW)('a machine that stands still makes no check late', async () => {
  const late = async () => {
    // The event loop gets no time, and neither does anything that could answer.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    await pause(50);
    return passed('Answered.');
  };
  expect(await runCheck('disk', 400, late)).toMatchObject({ state: 'ok' });
});
