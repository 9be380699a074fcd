// `tx list` for a person: who is asked stands before the others, with the mark of `tx show`.
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../../src/cli/command/context.ts';
import { listTransactions } from '../../../../../src/cli/commands/tx/list/list-transactions.ts';
import { foldSeen, type Seen } from '../../../../../src/cli/recent/store.ts';

const seen = (more: Partial<Seen>): Seen => ({
  kind: 'transaction',
  id: 'one',
  service: 'sandbox',
  atMs: 0,
  outcome: 'started',
  people: ['sender@esign.test', 'ada@example.com', 'bob@example.com'],
  ...more,
});

async function recipientsOf(things: Seen[]) {
  const context = {
    history: { seen: async () => ({ profile: 'sandbox', service: 'sandbox', things }) },
    terminal: { streams: { out: { isTerminal: true } } },
  } as unknown as CommandContext;
  const outcome = await listTransactions(context, { status: [], refresh: false, limit: '9' });
  if (outcome.kind !== 'list') throw new Error('It is no list.');
  return outcome.pageTable?.rows.map((row) => row[3]);
}

test.each([
  ['the one who is asked', { pending: 'bob@example.com' }, '› bob@example.com +1'],
  ['the first, where nobody is asked', { pending: null }, 'ada@example.com +1'],
  ['the first, where an earlier version did not write it down', {}, 'ada@example.com +1'],
  ['a sender who signs', { pending: 'sender@esign.test' }, '› sender@esign.test +2'],
  ['the sender, who is alone', { people: ['sender@esign.test'] }, 'sender@esign.test'],
  ['nobody', { people: [] }, ''],
])('%s', async (_, more, shown) => {
  expect(await recipientsOf([seen(more)])).toEqual([shown]);
});

test('who was asked is not asked any more once it has ended', () => {
  const entries = [seen({ pending: 'bob@example.com' }), seen({ outcome: 'completed', pending: null })];
  expect(foldSeen(entries.map((one) => JSON.stringify(one)).join('\n'))).toMatchObject([{ pending: null }]);
});
