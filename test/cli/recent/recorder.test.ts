// What this machine stores of lists: their rows in their order, and no event that a command only followed.

import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRecorder } from '../../../src/cli/recent/recorder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let seenDir: string;
beforeEach(async () => {
  seenDir = await temporaryFolder();
});
afterEach(() => rm(seenDir, { recursive: true, force: true }));

const listOf = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({ id: `E${index}`, type: 'transaction_started' })),
});

async function seenAfter(input: object, output: object): Promise<string[]> {
  const recorder = createRecorder({ seenDir });
  recorder.recordAnswers('sandbox', 'sandbox')('event.list', input, output);
  await recorder.save();
  return (await recorder.seen('sandbox', 'sandbox')).map(({ kind, id, name }) => `${kind} ${id} ${name}`);
}

test('a list leaves its newest events, last first', async () => {
  const seen = await seenAfter({ query: { limit: '100' } }, listOf(100));
  expect(seen).toHaveLength(30);
  expect(seen[0]).toBe('event E0 transaction_started');
});

test.each(['webhook', 'template', 'event'] as const)(
  'the first row of a list of %ss is the one seen last, also of several pages',
  async (kind) => {
    const recorder = createRecorder({ seenDir });
    const page = (ids: string[]) => ({ items: ids.map((id) => ({ id, name: id, type: id })) });
    recorder.recordAnswers('sandbox', 'sandbox')(`${kind}.list`, {}, page(['A', 'B']));
    recorder.recordAnswers('sandbox', 'sandbox')(`${kind}.list`, {}, page(['C', 'D']));
    await recorder.save();
    const seen = await recorder.seen('sandbox', 'sandbox');
    expect(seen.map(({ id }) => id)).toEqual(['A', 'B', 'C', 'D']);
  },
);

test('a list of emails shows that the service has the transaction they are about, unless it is empty', async () => {
  const seenIds: string[][] = [];
  for (const items of [[], [{ id: 'M' }]]) {
    const recorder = createRecorder({ seenDir });
    recorder.recordAnswers('sandbox', 'sandbox')(
      'sandbox.mail',
      { query: { transaction_id: 'T' } },
      { items },
    );
    await recorder.save();
    seenIds.push((await recorder.seen('sandbox', 'sandbox')).map(({ id }) => id));
  }
  expect(seenIds).toEqual([[], ['T']]);
});

test('what is followed leaves nothing', async () => {
  expect(await seenAfter({ query: { after: 'E' } }, listOf(3))).toEqual([]);
  expect(await seenAfter({}, listOf(0))).toEqual([]);
  const recorder = createRecorder({ seenDir });
  const notice = recorder.recordAnswers('sandbox', 'sandbox');
  for (const count of [0, 3]) notice('event.list', {}, listOf(count));
  await recorder.save();
  expect(await recorder.seen('sandbox', 'sandbox')).toEqual([]);
});

test('what is saved while a command runs is not saved again at its end', async () => {
  const waiting = createRecorder({ seenDir });
  const beside = createRecorder({ seenDir });
  waiting.recordAnswers('sandbox', 'sandbox')(
    'transaction.create',
    { body: { name: 'First' } },
    { id: 'T1' },
  );
  await Promise.all([waiting.save(), waiting.save()]);
  beside.recordAnswers('sandbox', 'sandbox')(
    'transaction.create',
    { body: { name: 'Second' } },
    { id: 'T2' },
  );
  await beside.save();
  await waiting.save();
  expect((await waiting.seen('sandbox', 'sandbox')).map(({ id }) => id)).toEqual(['T2', 'T1']);
});
