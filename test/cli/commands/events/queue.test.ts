// The queue of `events listen`: in order for one transaction, side by side for others, and never without end.
import { expect, test } from 'vitest';
import { createWorkQueue } from '../../../../src/cli/commands/events/listen/queue.ts';

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('one that hangs holds up its own line only', async () => {
  const queue = createWorkQueue();
  const done: string[] = [];
  const { passed, open } = gate();
  queue.add('a', () => passed);
  queue.add('a', async () => void done.push('a2'));
  queue.add('b', async () => void done.push('b1'));
  queue.add('b', async () => void done.push('b2'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual(['b1', 'b2']);
  open();
  await queue.idle();
  expect(done).toEqual(['b1', 'b2', 'a2']);
});

test('there is no room while too many wait, and no more than so many run', async () => {
  const queue = createWorkQueue(3, 2);
  const { passed, open } = gate();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await passed;
    running -= 1;
  };
  for (const key of ['a', 'b', 'c']) queue.add(key, work);
  let hasRoom = false;
  const room = queue.room().then(() => {
    hasRoom = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect({ hasRoom, running }).toEqual({ hasRoom: false, running: 2 });
  open();
  await room;
  await queue.idle();
  expect(most).toBe(2);
});

test('a failure rejects the waiting call, and nothing more is started', async () => {
  const queue = createWorkQueue();
  const failure = new Error('no');
  queue.add('a', async () => {
    throw failure;
  });
  let isBegun = false;
  await expect(queue.idle()).rejects.toBe(failure);
  queue.add('b', async () => {
    isBegun = true;
  });
  await expect(queue.room()).rejects.toBe(failure);
  expect({ isBegun, failed: queue.failure() }).toEqual({ isBegun: false, failed: true });
});
