// `tx list` for a person: who is waited for, by name, and when it last changed.
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import { listTransactions } from '../../../../src/cli/commands/tx/list.ts';
import { mergeEntries, type SeenItem } from '../../../../src/cli/recent/store.ts';

const seen = (more: Partial<SeenItem>): SeenItem => ({
  kind: 'transaction',
  id: 'one',
  service: 'sandbox',
  atMs: 0,
  outcome: 'started',
  people: ['sender@esign.test', 'ada@example.com', 'bob@example.com'],
  ...more,
});

/** What another service has said before, which is not asked. */
async function listed(one: SeenItem, isTerminal = true) {
  const notes: string[] = [];
  const context = {
    connections: { profile: async () => ({ remote: {} }) },
    history: {
      recentItems: async () => ({ profile: 'acme', service: 'https://api.acme.example', things: [one] }),
    },
    terminal: {
      streams: { out: { isTerminal } },
      progress: { note: (sentence: string) => void notes.push(sentence) },
    },
  } as unknown as CommandContext;
  const outcome = await listTransactions(context, { status: [], refresh: false, limit: '9' });
  if (outcome.kind !== 'list') throw new Error('It is no list.');
  return { outcome, notes };
}

async function rowOf(one: SeenItem) {
  const { outcome } = await listed(one);
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
  expect(mergeEntries(entries.map((one) => JSON.stringify(one)).join('\n'))).toMatchObject([
    { pending: null },
  ]);
});

test('says that the status is the one last seen, in a pipe on stderr, for a person below the table', async () => {
  const AS_SEEN = expect.stringContaining('status last seen on this machine');
  const person = await listed(seen({}));
  expect([person.outcome.notes, person.notes]).toEqual([[AS_SEEN], []]);
  const pipe = await listed(seen({}), false);
  expect([pipe.outcome.notes, pipe.notes]).toEqual([undefined, [AS_SEEN]]);
});

test('has the properties that other commands print of a transaction', async () => {
  const { outcome } = await listed(
    seen({ names, pending: 'bob@example.com', name: 'Lease', status: 'started' }),
  );
  expect((outcome.json as { items: unknown[] }).items[0]).toMatchObject({
    id: 'one',
    name: 'Lease',
    status: 'started',
    outcome: 'started',
    profile: 'acme',
    recipient: { name: 'Bob', email: 'bob@example.com' },
    recipients: [
      { name: 'Sender', email: 'sender@esign.test' },
      { name: 'Ada', email: 'ada@example.com' },
      { name: 'Bob', email: 'bob@example.com' },
    ],
  });
});
