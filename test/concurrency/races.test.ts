// Two requests that cannot both succeed, at the same time, in many orders: one succeeds, the other is refused for the state that it finds, and
// the events tell one story.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/assert-consistent.ts';
import {
  ADA,
  BOB,
  createDraft,
  eventTypesOf,
  fieldFor,
  readDetail,
  startTransaction,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness, WAYS } from '../support/harness.ts';
import { FULL, SLOW, sampleOf } from '../support/tier.ts';

/** How many orders are tried for each pair: ESIGN_SCHEDULES=500 takes minutes. */
const SCHEDULES = Number(process.env.ESIGN_SCHEDULES ?? (FULL ? 10 : SLOW ? 4 : 2));

/** A request waits for up to as many turns of the event loop before it is sent: schedules take these by turns, since some requests take longer. */
const MOST_TURNS = [10, 1000, 20_000];

const ENDINGS = new Set([
  'transaction_completed',
  'transaction_rejected',
  'transaction_expired',
  'transaction_cancelled',
]);

type Contender = { name: string; send(harness: Harness): Promise<unknown> };

/** Refusals of a submit that comes too late. */
const REFUSALS = ['submission_under_way', 'signing_link_invalid'];

type Race = {
  /** Makes a transaction for one schedule. @returns its ID and the two requests */
  begin(harness: Harness): Promise<{ id: string; contenders: [Contender, Contender] }>;
  /** Codes that the one that comes too late may be refused with. */
  refusals: readonly string[];
  /** The first one leaves the second something to do, so that both may succeed. */
  mayBothSucceed?: true;
};

const RACES: Record<string, Race> = {
  'submit × submit': {
    refusals: REFUSALS,
    async begin(harness) {
      const { id, submit } = await askAda(harness, [ADA, BOB]);
      return { id, contenders: [submit, submit] };
    },
  },
  'the last submit × the last submit': {
    refusals: REFUSALS,
    async begin(harness) {
      const { id, submit } = await askAda(harness);
      return { id, contenders: [submit, submit] };
    },
  },
  'submit × cancel': {
    refusals: [...REFUSALS, 'transaction_not_started'],
    async begin(harness) {
      const { id, submit } = await askAda(harness);
      const params = { transactionId: id };
      const body = { cancelled_reason: 'No longer needed' };
      const cancel = {
        name: 'cancel',
        send: ({ client }: Harness) => client['transaction.cancel']({ params, body }),
      };
      return { id, contenders: [submit, cancel] };
    },
  },
  'expire × submit': {
    refusals: [...REFUSALS, 'transaction_not_started'],
    async begin(harness) {
      const { id, submit } = await askAda(harness);
      const params = { transactionId: id };
      const expire = {
        name: 'expire',
        send: ({ client }: Harness) => client['sandbox.expire']({ params, body: {} }),
      };
      return { id, contenders: [expire, submit] };
    },
  },
  'reject × submit': {
    refusals: REFUSALS,
    async begin(harness) {
      const { id, submit, token } = await askAda(harness);
      const reject = {
        name: 'reject',
        send: ({ client }: Harness) =>
          client['signing.reject']({ query: { token }, body: { reason: 'Not agreed' } }),
      };
      return { id, contenders: [reject, submit] };
    },
  },
  'update × start': {
    refusals: ['transaction_not_draft'],
    mayBothSucceed: true,
    async begin(harness) {
      const draft = await createDraft(harness);
      const params = { transactionId: draft.id };
      await harness.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
      const body = updateBodyOf(await readDetail(harness, draft.id), { name: 'Renamed' });
      return {
        id: draft.id,
        contenders: [
          { name: 'update', send: ({ client }) => client['transaction.update']({ params, body }) },
          { name: 'start', send: ({ client }) => client['transaction.start']({ params }) },
        ],
      };
    },
  },
};

/** Asks Ada first. @returns her submit of all her fields */
async function askAda(
  harness: Harness,
  people = [ADA],
): Promise<{ id: string; token: string; submit: Contender }> {
  const { id, token } = await startTransaction(harness, people);
  const { fields } = await harness.client['signing.view']({ query: { token } });
  const values = fields.map((field) => ({ field_id: field.id, value: ADA.name }));
  const submit = {
    name: 'submit',
    send: ({ client }: Harness) => client['signing.submit']({ query: { token }, body: { values } }),
  };
  return { id, token, submit };
}

/** Returns the same numbers from 0 to `most` for the same seed (a linear congruential generator). */
function createNumbers(seed: number): (most: number) => number {
  let state = seed + 1;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (most + 1));
  };
}

/** The events that end a transaction, by its status. A cancelled one has the status "expired" (spec §4). */
function endingsOf(
  status: string,
  outcomes: readonly { name: string; code: string | undefined }[],
): string[] {
  if (status === 'started') return [];
  const isCancelled = outcomes.some(({ name, code }) => name === 'cancel' && code === undefined);
  return [`transaction_${isCancelled && status === 'expired' ? 'cancelled' : status}`];
}

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(SLOW ? WAYS : WAYS.slice(0, 1))('%s', (way) => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(way);
  });
  afterAll(() => harness.close());

  test.each(sampleOf(Object.entries(RACES), 3))(
    '%s: one succeeds',
    async (_, { begin, refusals, mayBothSucceed }) => {
      for (let seed = 0; seed < SCHEDULES; seed += 1) {
        const { id, contenders } = await begin(harness);
        const number = createNumbers(seed);
        const outcomes = await Promise.all(
          contenders.map(async ({ name, send }) => {
            await waitTurns(number(MOST_TURNS[seed % MOST_TURNS.length] ?? 0));
            return send(harness).then(
              () => ({ name, code: undefined }),
              (error: { code: string }) => ({ name, code: error.code }),
            );
          }),
        );
        const refused = outcomes.filter(({ code }) => code !== undefined);
        const shown = JSON.stringify({ seed, outcomes });
        expect(refused.length, shown).toBeLessThanOrEqual(1);
        if (!mayBothSucceed) expect(refused.length, shown).toBe(1);
        for (const { code } of refused) expect(refusals, shown).toContain(code);
        const { status } = await readDetail(harness, id);
        const events = await eventTypesOf(harness, id);
        const endings = events.filter((type) => ENDINGS.has(type));
        expect(endings, shown).toEqual(endingsOf(status, outcomes));
        expect(new Set(events).size, `${shown} ${events}`).toBe(events.length);
      }
      expect(await findInconsistencies(harness.store)).toEqual([]);
      expect(harness.errors).toEqual([]);
    },
  );
});
