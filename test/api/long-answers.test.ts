// How long a client waits for a service that works on documents before it answers.
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { answerMsFor, type Call, TIMEOUTS } from '../../src/api/transport.ts';

/** What the transport is given. */
async function callsOf(use: (client: ReturnType<typeof createClient>) => Promise<unknown>): Promise<Call[]> {
  const calls: Call[] = [];
  const client = createClient({
    baseUrl: 'https://example.com',
    async transport(call) {
      calls.push(call);
      return { status: 500, headers: {}, body: '' };
    },
  });
  await use(client).catch(() => undefined);
  return calls;
}

const params = { transactionId: 'id' };

test('a start, which waits for the check of every page, is waited for longer than the service works on it', async () => {
  const [start] = await callsOf((client) => client['transaction.start']({ params }));
  expect(answerMsFor(start!, undefined)).toBe(TIMEOUTS.longAnswerMs);
  expect(TIMEOUTS.longAnswerMs).toBeGreaterThan(LIMITS.drawBeforeStartClockMs);
});

test('so is an upload, which converts', async () => {
  const file = { name: 'a.docx', content: new Uint8Array(1) };
  const [upload] = await callsOf((client) => client['file.upload']({ form: {}, file }));
  expect(answerMsFor(upload!, undefined)).toBe(TIMEOUTS.longAnswerMs);
});

test('every other operation is given up sooner, and each after the time that the user wants', async () => {
  const [detail] = await callsOf((client) => client['transaction.detail']({ params }));
  expect(answerMsFor(detail!, undefined)).toBe(TIMEOUTS.answerMs);
  const [start] = await callsOf((client) => client['transaction.start']({ params }));
  expect(answerMsFor(start!, 5000)).toBe(5000);
});
