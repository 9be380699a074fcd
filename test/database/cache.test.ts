// What is kept in memory is never older than the last commit that changed it.
import { expect, test } from 'vitest';
import { createReadCache } from '../../src/database/cache.ts';

function cacheOver() {
  const state = { others: 1, reads: [] as string[], rows: new Map<string, string>() };
  const cache = createReadCache<unknown>(
    async () => state.others,
    (fn) => fn(undefined as never),
  );
  const ask = async (about: string, during?: () => void) => {
    const { cached } = await cache.open();
    return cached(about, 'row', async () => {
      state.reads.push(about);
      const value = state.rows.get(about);
      during?.();
      return value;
    });
  };
  return { state, ask, committed: cache.onCommit };
}

test('a read is made once', async () => {
  const { state, ask } = cacheOver();
  state.rows.set('a', '1');
  expect([await ask('a'), await ask('a')]).toEqual(['1', '1']);
  expect(state.reads).toEqual(['a']);
});

test('a commit forgets what it names, and keeps the rest', async () => {
  const { state, ask, committed } = cacheOver();
  state.rows.set('a', '1').set('b', '1');
  await ask('a');
  await ask('b');
  state.rows.set('a', '2');
  committed(['a']);
  expect([await ask('a'), await ask('b')]).toEqual(['2', '1']);
  expect(state.reads).toEqual(['a', 'b', 'a']);
});

test.each([
  ['one that does not say what it changes', undefined, ['a', 'a']],
  ['one that changes nothing that is read', [], ['a']],
])('a commit: %s', async (_, changes, reads) => {
  const { state, ask, committed } = cacheOver();
  state.rows.set('a', '1');
  await ask('a');
  committed(changes);
  await ask('a');
  expect(state.reads).toEqual(reads);
});

test('a commit of another process forgets everything', async () => {
  const { state, ask } = cacheOver();
  state.rows.set('a', '1');
  await ask('a');
  state.rows.set('a', '2');
  state.others = 2;
  expect(await ask('a')).toBe('2');
});

test('a read during a commit is returned and not cached', async () => {
  const { state, ask, committed } = cacheOver();
  state.rows.set('a', '1');
  expect(await ask('a', () => committed(['a']))).toBe('1');
  state.rows.set('a', '2');
  expect(await ask('a')).toBe('2');
});

test('nothing is kept of what was not found', async () => {
  const { state, ask } = cacheOver();
  await ask('a');
  state.rows.set('a', '1');
  expect(await ask('a')).toBe('1');
});

test('past the limit the oldest are forgotten', async () => {
  const { state, ask } = cacheOver();
  for (let count = 0; count <= 4000; count += 1) state.rows.set(String(count), 'x');
  for (const about of state.rows.keys()) await ask(about);
  state.reads.length = 0;
  await ask('4000');
  await ask('0');
  expect(state.reads).toEqual(['0']);
});
