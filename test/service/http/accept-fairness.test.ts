// Requests wait for each other only while clients connect, and begin in the order in which they came.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAcceptFairness } from '../../../src/service/http/accept-fairness.ts';

function open() {
  const begun: number[] = [];
  const arrivals = createAcceptFairness();
  let count = 0;
  const arrive = () => {
    count += 1;
    const own = count;
    arrivals.arrived(() => begun.push(own));
  };
  return { ...arrivals, arrive, begun };
}

test('a request begins at once where no client connects', () => {
  const { arrive, begun } = open();
  arrive();
  arrive();
  expect(begun).toEqual([1, 2]);
});

test('while clients connect, one request begins in each turn, the first one first', async () => {
  const { connected, arrive, begun } = open();
  for (let count = 1; count <= 3; count += 1) {
    connected();
    arrive();
    arrive();
    expect(begun).toHaveLength(count - 1);
    await turn();
  }
  expect(begun).toEqual([1, 2, 3]);
});

test('when no client connects any more, all that waited begins', async () => {
  const { connected, arrive, begun } = open();
  connected();
  for (let count = 0; count < 4; count += 1) arrive();
  await turn();
  expect(begun).toEqual([1]);
  await turn();
  expect(begun).toEqual([1, 2, 3, 4]);
  arrive();
  expect(begun).toHaveLength(5);
});
