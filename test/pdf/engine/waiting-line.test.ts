// Turns at one worker, without a process: the order, the limit on waiting, and the end.
import { describe, expect, test } from 'vitest';
import { createWaitingLine } from '../../../src/pdf/engine/waiting-line.ts';

/** A line whose work ends when the test says so. */
function lineOf(waitMs = 10_000, atOnce = 1) {
  const begun: string[] = [];
  const ends = new Map<string, { resolve(done: string): void; reject(error: unknown): void }>();
  let emptied = 0;
  const line = createWaitingLine<string, string>({
    run: (work) =>
      new Promise((resolve, reject) => {
        begun.push(work);
        ends.set(work, { resolve, reject });
      }),
    onEmpty: () => {
      emptied += 1;
    },
    busy: 'busy',
    waitMs,
    atOnce,
  });
  return { ...line, begun, end: (work: string) => ends.get(work), emptied: () => emptied };
}

test('one at a time, and of several owners each gets a turn', async () => {
  const { wait, begun, end, emptied } = lineOf();
  const all = [wait('a1', 'a'), wait('a2', 'a'), wait('a3', 'a'), wait('b1', 'b')];
  const order = ['a1', 'a2', 'b1', 'a3'];
  for (const [index, work] of order.entries()) {
    await expect.poll(() => begun, { interval: 1 }).toEqual(order.slice(0, index + 1));
    expect(emptied()).toBe(0);
    end(work)?.resolve(`${work} is done`);
  }
  expect(await Promise.all(all)).toEqual(['a1 is done', 'a2 is done', 'a3 is done', 'b1 is done']);
  expect(emptied()).toBe(1);
});

test('as many at a time as it is told to, and of several owners each gets a turn', async () => {
  const { wait, begun, end, emptied } = lineOf(10_000, 2);
  const names = ['a1', 'a2', 'a3', 'a4', 'b1'];
  const all = names.map((name) => wait(name, name.charAt(0)));
  const order = ['a1', 'a2', 'a3', 'b1', 'a4'];
  for (let count = 2; count <= order.length; count += 1) {
    await expect.poll(() => begun, { interval: 1 }).toEqual(order.slice(0, count));
    end(order[count - 1] ?? '')?.resolve('done');
  }
  await Promise.all(all.slice(1));
  expect(emptied()).toBe(0);
  end('a1')?.resolve('done');
  await Promise.all(all);
  await expect.poll(emptied, { interval: 1 }).toBe(1);
});

test('a failure is of its own work, and the next one gets a turn', async () => {
  const { wait, end } = lineOf();
  const [first, second] = [wait('first', 'a'), wait('second', 'a')];
  end('first')?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  end('second')?.resolve('done');
  expect(await second).toBe('done');
});

test('a job that waits too long is answered with busy and never started; a running job may take longer', async () => {
  const { wait, begun, end } = lineOf(20);
  const [first, second] = [wait('first', 'a'), wait('second', 'a')];
  expect(await second).toBe('busy');
  end('first')?.resolve('done');
  expect(await first).toBe('done');
  void wait('third', 'a');
  await expect.poll(() => begun, { interval: 1 }).toEqual(['first', 'third']);
});

describe('closing it', () => {
  test('answers all jobs, also those that are added later', async () => {
    const { wait, close, begun, end } = lineOf();
    const both = [wait('first', 'a'), wait('second', 'a')];
    close();
    expect(await Promise.all(both)).toEqual(['busy', 'busy']);
    end('first')?.resolve('too late');
    expect(await wait('third', 'a')).toBe('busy');
    expect(begun).toEqual(['first']);
  });

  test('with a reason: every job rejects with it', async () => {
    const { wait, close } = lineOf();
    const both = [wait('first', 'a'), wait('second', 'a')];
    const reason = new Error('a signal');
    close(reason);
    expect(await Promise.allSettled(both)).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });
});
