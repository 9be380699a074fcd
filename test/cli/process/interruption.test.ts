// A signal in the middle of requests, and what many requests leave behind.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Call, Reply } from '../../../src/api/transport.ts';
import { createInterruption } from '../../../src/cli/process/interruption.ts';

const CALL = {} as Call;
const REPLY = {} as Reply;

test('a signal ends the wait for an answer, and no request is begun afterwards', async () => {
  const interruption = createInterruption();
  let begun = 0;
  const transport = interruption.interruptible(() => {
    begun += 1;
    return new Promise<Reply>(() => undefined);
  });
  const waiting = transport(CALL);
  interruption.stop('SIGTERM');
  await expect(waiting).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGTERM' });
  await expect((async () => transport(CALL))()).rejects.toMatchObject({ name: 'Interrupted' });
  expect(begun).toBe(1);
});

test('nothing stays behind of a request, however it ended', async () => {
  const interruption = createInterruption();
  const answering = interruption.interruptible(async () => REPLY);
  const failing = interruption.interruptible(async () => Promise.reject(new Error('no')));
  for (let count = 0; count < 50; count += 1) {
    expect(await answering(CALL)).toBe(REPLY);
    await expect(failing(CALL)).rejects.toThrow('no');
  }
  expect(getEventListeners(interruption.abort, 'abort')).toHaveLength(0);
});

test('signals are asked for when there is something to be put in order, and once', async () => {
  let count = 0;
  const interruption = createInterruption(() => {
    count += 1;
  });
  const transport = interruption.interruptible(async () => REPLY);
  interruption.checkpoint();
  expect(count).toBe(0);
  await transport(CALL);
  await transport(CALL);
  interruption.listen();
  expect(count).toBe(1);
});

test('a command that waits for a signal has more time to end than others', async () => {
  let count = 0;
  const interruption = createInterruption(() => {
    count += 1;
  });
  const usualMs = interruption.endingMs();
  const { stopped } = interruption;
  expect(count).toBe(1);
  expect(interruption.endingMs()).toBeGreaterThan(usualMs);
  interruption.stop('SIGTERM');
  expect(await stopped).toBe('SIGTERM');
});
