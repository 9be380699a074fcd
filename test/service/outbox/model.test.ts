// Deliveries against a model: whatever receivers answer, whatever happens to the clock, to webhooks and to those who deliver,
// nothing is lost, nothing is sent in another order, and nothing that was recorded as delivered is sent again.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNOBSERVED } from '../../../src/service/observer.ts';
import type { AttemptResult } from '../../../src/service/outbox/attempt.ts';
import { createOutbox, type Outbox } from '../../../src/service/outbox/outbox.ts';
import type { Poster } from '../../../src/service/outbox/post.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { roundsOf } from '../../support/random.ts';

const RUNS = roundsOf({ short: 6, landing: 60, full: 300 });
const STEPS = 30;
const HOUR = 60 * 60 * 1000;

const ANSWERS = {
  ok: { ok: true, status: 204, why: null },
  broken: { ok: false, status: 500, why: 'it responded with HTTP status 500' },
  silent: { ok: false, status: null, why: 'it did not respond within 15 s' },
  gone: { ok: false, status: 410, why: 'it responded with HTTP status 410', isFinal: true },
  busy: { ok: false, status: 429, why: 'it responded with HTTP status 429', retryAfterMs: 2 * HOUR },
  garbage: { ok: false, status: null, why: 'its answer is not HTTP' },
} as const satisfies Record<string, Omit<AttemptResult, 'answer' | 'durationMs'>>;

type Answer = keyof typeof ANSWERS;

type Step =
  | { do: 'create' }
  | { do: 'answer'; how: Answer; of: 'webhook' | 'notification' }
  | { do: 'deliver'; workers: 1 | 2 }
  | { do: 'crash' }
  | { do: 'clock'; hours: number }
  | { do: 'rotate' }
  | { do: 'delete' }
  | { do: 'enable' }
  | { do: 'replay' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'create' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      how: fc.constantFrom(...(Object.keys(ANSWERS) as Answer[])),
      of: fc.constantFrom('webhook' as const, 'notification' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      workers: fc.constantFrom(1 as const, 2 as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'crash' }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -5, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'rotate' }, { do: 'delete' }, { do: 'enable' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'replay' }) },
);

const NOTIFY = 'http://127.0.0.1:47998/notify';
const HOOK = 'https://127.0.0.1:47998/hook';

type Sent = { url: string; id: string; body: string; ok: boolean };

/** A receiver, and those who deliver to it. */
class Scenario {
  readonly sent: Sent[] = [];
  readonly answers: Record<string, Answer> = { [HOOK]: 'ok', [NOTIFY]: 'ok' };
  webhook: string | undefined;
  realMs = Date.now();
  isCrashing = false;
  readonly outboxes: Outbox[];
  readonly harness: Harness;

  constructor(harness: Harness) {
    this.harness = harness;
    this.outboxes = [this.#outbox(), this.#outbox()];
  }

  #outbox(): Outbox {
    const { store, clock } = this.harness;
    const poster: Poster = {
      post: async ({ url, headers, body }) => {
        const answer = ANSWERS[this.answers[url] ?? 'silent'];
        this.sent.push({
          url,
          id: headers['webhook-id'] ?? '',
          body: Buffer.from(body).toString(),
          ok: answer.ok,
        });
        await Promise.resolve();
        return { ...answer, answer: '', durationMs: 1 };
      },
      close: () => undefined,
    };
    // What was attempted is not written down: the process ends in between.
    const database = {
      ...store.database,
      write: ((fn) =>
        this.isCrashing && this.sent.length > 0
          ? Promise.reject(new Error('killed'))
          : store.database.write(fn)) as typeof store.database.write,
    };
    return createOutbox({
      store: { ...store, database },
      clock: () => clock.now,
      refreshClock: async () => undefined,
      realClock: () => this.realMs,
      ids: randomUUID,
      random: randomBytes,
      poster,
      onError: (error) => {
        throw error;
      },
      observer: UNOBSERVED,
    });
  }

  async deliver(workers: number): Promise<void> {
    await Promise.all(this.outboxes.slice(0, workers).map((outbox) => outbox.deliver()));
  }

  /** Claimed, sent and killed; the next process waits until the lease is over. */
  async crash(): Promise<void> {
    const before = this.sent.length;
    const doomed = this.#outbox();
    const claimed = doomed.deliver({ withinMs: 1000 }).catch(() => undefined);
    this.isCrashing = true;
    await claimed;
    this.isCrashing = false;
    this.realMs += 60_000;
    expect(this.sent.length).toBeGreaterThanOrEqual(before);
  }
}

async function take(scenario: Scenario, one: Step): Promise<void> {
  const { client, clock } = scenario.harness;
  switch (one.do) {
    case 'create':
      await client['transaction.create']({ body: { name: 'A', notification_endpoint: NOTIFY } });
      return;
    case 'answer':
      scenario.answers[one.of === 'webhook' ? HOOK : NOTIFY] = one.how;
      return;
    case 'deliver':
      return scenario.deliver(one.workers);
    case 'crash':
      return scenario.crash();
    case 'clock':
      clock.advance(one.hours * HOUR);
      return;
    case 'replay':
      await client['event.replay']({ body: { since: new Date(0).toISOString(), undelivered: true } });
      return;
    default:
      return toWebhook(scenario, one.do);
  }
}

async function toWebhook(scenario: Scenario, what: 'rotate' | 'delete' | 'enable'): Promise<void> {
  const { client } = scenario.harness;
  if (scenario.webhook === undefined) {
    const body = { name: 'W', endpoint: HOOK, events: ['transaction_created' as const] };
    scenario.webhook = (await client['webhook.create']({ body })).id;
    return;
  }
  const params = { webhookId: scenario.webhook };
  if (what === 'rotate') await client['webhook.rotate']({ params, body: {} });
  if (what === 'enable') await client['webhook.enable']({ params });
  if (what === 'delete') {
    await client['webhook.delete']({ params });
    scenario.webhook = undefined;
  }
}

const deliveriesIn = ({ harness }: Scenario) =>
  harness.store.database.read((db) => db.selectFrom('delivery').selectAll().orderBy('seq').execute());

async function expectSound(scenario: Scenario): Promise<void> {
  const bodies = new Map<string, string>();
  for (const { id, body } of scenario.sent) {
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
  for (const { kind, subject_id, state } of await deliveriesIn(scenario))
    if (state === 'delivered')
      expect(
        scenario.sent.some(
          ({ id, ok, url }) => ok && id === subject_id && url === (kind === 'webhook' ? HOOK : NOTIFY),
        ),
      ).toBe(true);
}

test('keeps its promises through any story', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS }), async (steps) => {
      const harness = await openHarness('in process');
      try {
        const scenario = new Scenario(harness);
        await toWebhook(scenario, 'enable');
        for (const one of steps) {
          await take(scenario, one);
          await expectSound(scenario);
        }
        await endWell(scenario);
      } finally {
        await harness.close();
      }
    }),
    { numRuns: RUNS },
  );
});

/** When receivers are well again, everything that was not given up arrives, once, and is not sent again. */
async function endWell(scenario: Scenario): Promise<void> {
  scenario.answers[HOOK] = 'ok';
  scenario.answers[NOTIFY] = 'ok';
  scenario.realMs += 60_000;
  scenario.harness.clock.advance(48 * HOUR);
  await scenario.deliver(2);
  await expectSound(scenario);
  const all = await deliveriesIn(scenario);
  expect(all.filter(({ state }) => state === 'waiting')).toEqual([]);
  for (const { state, reason } of all) if (state === 'undelivered') expect(reason).toBeTruthy();
  const count = scenario.sent.length;
  scenario.harness.clock.advance(48 * HOUR);
  await scenario.deliver(2);
  expect(scenario.sent.length).toBe(count);
  expect(scenario.harness.errors).toEqual([]);
}
