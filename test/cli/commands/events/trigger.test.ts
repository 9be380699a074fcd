// The way to each event from wherever a transaction stands, and values of the user's on it.
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../../../src/api/contract/events.ts';
import {
  overridesIn,
  refuseUnused,
  type TransactionState,
  triggerSteps,
  valuesWith,
} from '../../../../src/cli/commands/events/trigger/steps.ts';
import { onePagePdf } from '../../../../src/cli/commands/events/trigger.ts';
import { eventTypeIn } from '../../../../src/cli/events/view.ts';

const ENDS = {
  transaction_created: undefined,
  transaction_started: '',
  recipient_submitted: ' sign',
  transaction_completed: ' sign_all',
  transaction_rejected: ' reject',
  transaction_cancelled: ' cancel',
  transaction_expired: ' expire',
} satisfies Record<EventType, string | undefined>;

const standing = (outcome: TransactionState['outcome'], isBare = false): TransactionState => ({
  id: 'T',
  outcome,
  isBare,
});

describe.each(EVENT_TYPES)('%s', (type) => {
  const end = ENDS[type];
  const way = (from: TransactionState | undefined) => {
    try {
      return triggerSteps(type, from).join(' ');
    } catch (error) {
      return (error as { facts: { code: string; exit: number } }).facts;
    }
  };
  const UNREACHABLE = expect.objectContaining({ code: 'event_unreachable', exit: 6 });

  test('from nothing, from a draft, from a started one, from an end', () => {
    expect(way(undefined)).toBe(end === undefined ? 'create' : `create fill start${end}`);
    expect(way(standing('draft', true))).toEqual(end === undefined ? UNREACHABLE : `fill start${end}`);
    expect(way(standing('draft'))).toEqual(end === undefined ? UNREACHABLE : `start${end}`);
    expect(way(standing('started'))).toEqual(end ? end.trim() : UNREACHABLE);
    for (const outcome of ['completed', 'rejected', 'expired', 'cancelled'] as const)
      expect(way(standing(outcome))).toEqual(UNREACHABLE);
  });
});

test('a refusal says where the transaction stands', () => {
  expect(() => triggerSteps('transaction_rejected', standing('completed'))).toThrow(
    'Transaction T is completed, so the event transaction_rejected cannot occur any more.',
  );
  expect(() => triggerSteps('transaction_started', standing('started'))).toThrow('is started, so ');
});

test('what is no type or no path is refused with the nearest one', () => {
  expect(() => eventTypeIn('TYPE', 'transaction_complete')).toThrow(
    expect.objectContaining({
      facts: expect.objectContaining({
        hint: expect.stringMatching(/^Did you mean transaction_completed\?/),
      }),
    }),
  );
  expect(() => overridesIn(['recipient.mail=x'])).toThrow(
    expect.objectContaining({
      facts: expect.objectContaining({ hint: expect.stringMatching(/^Did you mean recipient\.email\?/) }),
    }),
  );
  expect(() => overridesIn(['reason'])).toThrow('has no value');
});

test('an override is a value, and one without effect is refused', () => {
  const overrides = overridesIn(['reason=a=b', 'recipient.email=grace@example.com']);
  expect(valuesWith(overrides)).toMatchObject({
    reason: 'a=b',
    'recipient.email': 'grace@example.com',
    'recipient.name': 'Ada Lovelace',
  });
  refuseUnused(overrides, 'transaction_rejected', triggerSteps('transaction_rejected', undefined));
  const unused = (path: string, type: EventType, from?: TransactionState) => () =>
    refuseUnused(overridesIn([`${path}=x`]), type, triggerSteps(type, from));
  expect(unused('reason', 'transaction_completed')).toThrow('--override reason has no effect');
  expect(unused('recipient.name', 'transaction_rejected', standing('started'))).toThrow(
    'for this transaction',
  );
  expect(unused('next_recipient.name', 'transaction_completed')).toThrow('has no effect');
  expect(unused('next_recipient.name', 'recipient_submitted')).not.toThrow();
});

test('the document is a sound PDF of one page', async () => {
  const text = new TextDecoder('latin1').decode(onePagePdf());
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(start, start + 4)).toBe('xref');
  const places = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places.map((place) => /^\d+ 0 obj/.exec(text.slice(place))?.[0])).toEqual(
    [1, 2, 3, 4, 5].map((number) => `${number} 0 obj`),
  );
});
