// `tx list` for a person: who is waited for, by name, and when it last changed.
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import { listTransactions } from '../../../../src/cli/commands/tx/list/list-transactions.ts';
import { foldSeen, type Seen } from '../../../../src/cli/recent/store.ts';

const seen = (more: Partial<Seen>): Seen => ({
  kind: 'transaction',
  id: 'one',
  service: 'sandbox',
  atMs: 0,
  outcome: 'started',
  people: ['sender@esign.test', 'ada@example.com', 'bob@example.com'],
  ...more,
});

async function rowOf(one: Seen) {
  const context = {
    history: { seen: async () => ({ profile: 'sandbox', service: 'sandbox', things: [one] }) },
    terminal: { streams: { out: { isTerminal: true } } },
  } as unknown as CommandContext;
  const outcome = await listTransactions(context, { status: [], refresh: false, limit: '9' });
  if (outcome.kind !== 'list') throw new Error('It is no list.');
  const [, name, waitingFor, recipients, updated] = outcome.pageTable?.rows[0] ?? [];
  return { name, waitingFor, recipients, updated };
}

const names = ['Sender', 'Ada', 'Bob'];

test.each([
  ['who is asked, by name', { names, pending: 'bob@example.com' }, 'Bob', 'Ada, Bob'],
  ['where nobody is asked', { names, pending: null }, null, 'Ada, Bob'],
  [
    'where an earlier version wrote no names',
    { pending: 'bob@example.com' },
    'bob@example.com',
    'ada@example.com, bob@example.com',
  ],
  ['a sender who signs', { names, pending: 'sender@esign.test' }, 'Sender', 'Ada, Bob'],
  ['the sender, who is alone', { people: ['sender@esign.test'], names: ['Sender'] }, null, 'Sender'],
  ['nobody', { people: [] }, null, ''],
])('%s', async (_, more, waitingFor, recipients) => {
  expect(await rowOf(seen(more))).toMatchObject({ waitingFor, recipients });
});

test('when the service changed it, or else when it was seen', async () => {
  const updated = '2026-11-20T09:00:00.000Z';
  expect(await rowOf(seen({ updated }))).toMatchObject({ updated: { instant: updated, ago: true } });
  expect(await rowOf(seen({}))).toMatchObject({ updated: { instant: '1970-01-01T00:00:00.000Z' } });
});

test('who was asked is not asked any more once it has ended', () => {
  const entries = [seen({ pending: 'bob@example.com' }), seen({ outcome: 'completed', pending: null })];
  expect(foldSeen(entries.map((one) => JSON.stringify(one)).join('\n'))).toMatchObject([{ pending: null }]);
});
