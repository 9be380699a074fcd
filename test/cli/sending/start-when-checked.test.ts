// What is printed for a person at the terminal while a start waits for the check of all pages.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import { startWhenChecked } from '../../../src/cli/sending/start.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A service that starts a transaction after so long. */
const startingAfter = (ms: number) => ({
  client: {
    'transaction.start': async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { url: 'https://example.com/sign' };
    },
  } as unknown as Client,
});

test('a start that takes long says what it waits for, once', async () => {
  const notes: string[] = [];
  const started = startWhenChecked(startingAfter(60_000), 'id', { note: (said) => notes.push(said) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await started).toHaveProperty('url');
  expect(notes).toEqual([
    'Before it starts the transaction, the service checks that every page can be displayed. This can take a few minutes.',
  ]);
});

test('a start that is answered soon says nothing, also later', async () => {
  const notes: string[] = [];
  const started = startWhenChecked(startingAfter(500), 'id', { note: (said) => notes.push(said) });
  await vi.advanceTimersByTimeAsync(500);
  await started;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notes).toEqual([]);
});
