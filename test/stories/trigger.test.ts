// `events trigger` of all seven types: what comes about is a history like any other, which the store and `verify` find
// nothing wrong with.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../src/api/contract/events.ts';
import { runInProcess } from '../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

const UNTIL_STARTED = ['transaction_created', 'transaction_started'];

const HISTORIES: Record<EventType, { events: string[]; status: string; outcome: string }> = {
  transaction_created: { events: ['transaction_created'], status: 'draft', outcome: 'draft' },
  transaction_started: { events: UNTIL_STARTED, status: 'started', outcome: 'started' },
  recipient_submitted: {
    events: [...UNTIL_STARTED, 'recipient_submitted'],
    status: 'started',
    outcome: 'started',
  },
  transaction_completed: {
    events: [...UNTIL_STARTED, 'recipient_submitted', 'transaction_completed'],
    status: 'completed',
    outcome: 'completed',
  },
  transaction_rejected: {
    events: [...UNTIL_STARTED, 'transaction_rejected'],
    status: 'rejected',
    outcome: 'rejected',
  },
  transaction_cancelled: {
    events: [...UNTIL_STARTED, 'transaction_cancelled'],
    status: 'expired',
    outcome: 'cancelled',
  },
  transaction_expired: {
    events: [...UNTIL_STARTED, 'transaction_expired'],
    status: 'expired',
    outcome: 'expired',
  },
};

let fixture: StoryFixture;
beforeAll(async () => {
  fixture = await createStoryFixture();
});
afterAll(() => fixture.close());

async function run(...words: string[]) {
  const { code, out, err } = await runInProcess(fixture, [...words, '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

test.skipIf(!SLOW).each(EVENT_TYPES)('%s, from nothing and from a draft', async (type) => {
  const { events, status, outcome } = HISTORIES[type];
  const made = await run('events', 'trigger', type, '--notify', 'http://localhost:64999/hook');
  expect(made).toMatchObject({ type, status, outcome });
  expect(made.events.map((event: { type: string }) => event.type)).toEqual(events);
  expect(await run('tx', 'show', made.id)).toMatchObject({ status });
  for (const event of made.events) {
    const shown = await run('events', 'show', event.id);
    expect(shown).toMatchObject({ type: event.type, data: { id: made.id } });
    expect(shown.deliveries).toHaveLength(1);
  }
  if (type === 'transaction_completed') {
    const folder = join(fixture.folder, 'sealed');
    await run('tx', 'download', made.id, '-o', folder);
    const verdict = await run('verify', join(folder, 'agreement.sealed.pdf'));
    expect(verdict.items[0]).toMatchObject({ verdict: 'valid', signatures: [{ level: 'LTA' }, {}] });
  }
  if (type === 'transaction_created') return;
  const draft = await run('tx', 'create', '--name', 'Mine');
  const went = await run('events', 'trigger', type, '--transaction', draft.id);
  expect(went).toMatchObject({ id: draft.id, status, outcome });
  expect(went.events.map((event: { type: string }) => event.type)).toEqual(events.slice(1));
  expect((await run('tx', 'show', draft.id)).template.name).toBe('Mine');
});

test.skipIf(!SLOW)('continues a transaction of several signers to its end', async () => {
  const people = ['--to', 'Ada <ada@example.com>', '--to', 'Bob <bob@example.com>'];
  const { id } = await run('tx', 'send', 'contract.pdf', ...people);
  const submitted = await run('events', 'trigger', 'recipient_submitted', '--transaction', id);
  expect(submitted).toMatchObject({ status: 'started', events: [{ type: 'recipient_submitted' }] });
  const { id: other } = await run('tx', 'send', 'contract.pdf', ...people);
  const completed = await run('events', 'trigger', 'transaction_completed', '--transaction', other);
  expect(completed.events.map(({ type }: { type: string }) => type)).toEqual([
    'recipient_submitted',
    'recipient_submitted',
    'transaction_completed',
  ]);
});
