// Everything that can be tried, right or wrong.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { ADA, BOB, tokenOf, uploadContract } from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import {
  advance,
  attach,
  currentOf,
  end,
  type Model,
  type ModelTransaction,
  newTransaction,
  type Outcome,
  setFields,
  settle,
  start,
  submit,
  type Update,
  update,
} from './model.ts';
import { compare, elsewhere, reopen, type Seen, show, tokenSeen } from './real.ts';
import { type Step, step, stepOn } from './step.ts';

const params = ({ id }: Seen) => ({ transactionId: id });

// ── drafts ──────────────────────────────────────────────────────────────────────────────────────────────────────

const MAX_TRANSACTIONS = 3;

export const create = (): Step =>
  step(
    { label: 'create', isPossible: ({ transactions }) => transactions.length < MAX_TRANSACTIONS },
    (model) => {
      const changed = newTransaction();
      model.transactions.push(changed);
      return { outcome: 'done', changed };
    },
    async (real) => {
      const { id } = await real.harness.client['transaction.create']({ body: { name: 'Agreement' } });
      real.transactions.push({ id, detail: await show(real, id), pastTokens: [] });
    },
  );

export const uploadFile = (): Step =>
  step(
    { label: 'upload' },
    (model) => {
      model.files.push({ uploadedAt: model.now, isLinked: false });
      return { outcome: 'done' };
    },
    async (real) => {
      real.fileTokens.push(await uploadContract(real.harness));
    },
  );

/** One past the last file is a token that was never issued. */
export const attachFile = (which: number, file: number): Step => {
  const position = (files: number) => file % (files + 1);
  return stepOn(
    `attach file ${file} to`,
    which,
    () => 'edit',
    (transaction, model) => attach(model, transaction, position(model.files.length)),
    ({ seen, real }) => {
      const token = real.fileTokens[position(real.fileTokens.length)] ?? 'unknown';
      return real.harness.client['transaction.add_document']({ params: params(seen), body: { token } });
    },
  );
};

export const updateTransaction = (which: number, given: Update): Step =>
  stepOn(
    `update to ${JSON.stringify(given)}`,
    which,
    () => 'edit',
    (transaction) => update(transaction, given),
    ({ seen, real }) => {
      const { documents, recipients } = seen.detail.template;
      const kept = given.dropsFirst && documents.length > 1 ? documents.slice(1) : documents;
      return real.harness.client['transaction.update']({
        params: params(seen),
        body: {
          name: 'Agreement',
          ...(given.days !== undefined && { expiration_days: given.days }),
          documents: kept.map(({ id, index }) => ({ id, index, isLoading: false })),
          recipients: [...given.people, ...(given.isTwice ? given.people.slice(0, 1) : [])].map(
            ({ name, email, role }, index) => ({
              ...(given.ids === 'given' && idOf(recipients, name)),
              ...(given.ids === 'new' && { id: randomUUID() }),
              role,
              index,
              name,
              email: role === 'sender' && given.isStranger ? 'stranger@example.com' : email,
            }),
          ),
        },
      });
    },
  );

const idOf = (recipients: { id: string; name: string }[], name: string) => {
  const known = recipients.find((recipient) => recipient.name === name);
  return known && { id: known.id };
};

export const defineFields = (which: number, names: string[], isOffPage: boolean): Step =>
  stepOn(
    `fields for ${names.join(', ') || 'nobody'}${isOffPage ? ' off the page' : ''}`,
    which,
    () => 'edit',
    (transaction) => setFields(transaction, names, isOffPage),
    ({ seen, real }) => {
      const { documents, recipients } = seen.detail.template;
      const box = { page: 0, width: 100, height: 30, positionX: isOffPage ? 10_000 : 72, positionY: 72 };
      const fields = names.map((name) => ({
        ...box,
        document_id: documents[0]?.id ?? 'nothing',
        recipient_id: idOf(recipients, name)?.id ?? 'nobody',
        type: 'signature' as const,
      }));
      return real.harness.client['transaction.fields']({ params: params(seen), body: { fields } });
    },
  );

// ── life ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const startTransaction = (which: number): Step =>
  stepOn(
    'start',
    which,
    () => 'start',
    (transaction, model) => start(transaction, model.now),
    async ({ seen, real }) => {
      const { url } = await real.harness.client['transaction.start']({ params: params(seen) });
      const { template } = await show(real, seen.id);
      expect(tokenOf(url)).toBe(template.recipients.find((recipient) => recipient.is_current)?.token);
    },
  );

/** With the link of the current recipient, one that was used or replaced, or without a link; as them, or as another. */
export const WAYS_TO_ACT = ['link', 'old link', 'sandbox', 'sandbox as another'] as const;
type WayToAct = (typeof WAYS_TO_ACT)[number];

function predictAct(
  way: WayToAct,
  transaction: ModelTransaction,
  act: (closed: 'signing_link_invalid' | 'transaction_not_started') => Outcome,
): Outcome {
  if (way === 'old link') return 'signing_link_invalid';
  if (way === 'link') return act('signing_link_invalid');
  if (way === 'sandbox as another' && transaction.status === 'started') return 'not_your_turn';
  return act('transaction_not_started');
}

const linkOf = (way: WayToAct, seen: Seen) => ({
  token:
    way === 'link'
      ? tokenSeen(seen)
      : (seen.pastTokens.findLast((token) => token !== tokenSeen(seen)) ?? 'none'),
});

const asAnother = (way: WayToAct, transaction: ModelTransaction) =>
  way === 'sandbox as another'
    ? { as: currentOf(transaction)?.email === ADA.email ? BOB.email : ADA.email }
    : {};

const isByLink = (way: WayToAct) => way === 'link' || way === 'old link';

export const submitTransaction = (which: number, way: WayToAct): Step =>
  stepOn(
    `submit by ${way}`,
    which,
    (transaction) => (willBeLast(transaction) ? 'submit_last' : 'submit'),
    (transaction) => predictAct(way, transaction, (closed) => submit(transaction, closed)),
    ({ transaction, seen, real: { harness } }) => {
      if (!isByLink(way))
        return harness.client['sandbox.sign']({ params: params(seen), body: asAnother(way, transaction) });
      const { fields, recipients } = seen.detail.template;
      const current = recipients.find((recipient) => recipient.is_current);
      const asked = fields.filter((field) => field.recipient_id === current?.id);
      const values = asked.map(({ id }) => ({ field_id: id, value: 'Signed' }));
      return harness.client['signing.submit']({ query: linkOf(way, seen), body: { values } });
    },
  );

const willBeLast = (transaction: ModelTransaction): boolean => {
  const after = structuredClone(transaction);
  submit(after, 'internal_error');
  return transaction.status === 'started' && after.status === 'completed';
};

/** A value for a field that does not exist. */
export const submitWrongly = (which: number): Step =>
  stepOn(
    'submit a stray value',
    which,
    () => 'submit',
    ({ status }) => (status === 'started' ? 'validation_failed' : 'signing_link_invalid'),
    ({ seen, real }) => {
      const values = [{ field_id: 'stray', value: 'x' }];
      return real.harness.client['signing.submit']({ query: linkOf('link', seen), body: { values } });
    },
  );

export const rejectTransaction = (which: number, way: WayToAct): Step =>
  stepOn(
    `reject by ${way}`,
    which,
    () => 'reject',
    (transaction) => predictAct(way, transaction, (closed) => end(transaction, 'reject', closed)),
    ({ transaction, seen, real: { harness } }) => {
      const reason = 'Too dear';
      if (isByLink(way))
        return harness.client['signing.reject']({ query: linkOf(way, seen), body: { reason } });
      return harness.client['sandbox.reject']({
        params: params(seen),
        body: { reason, ...asAnother(way, transaction) },
      });
    },
  );

export const cancelTransaction = (which: number): Step =>
  stepOn(
    'cancel',
    which,
    () => 'cancel',
    (transaction) => end(transaction, 'cancel', 'transaction_not_started'),
    ({ seen, real }) =>
      real.harness.client['transaction.cancel']({
        params: params(seen),
        body: { cancelled_reason: 'Wrong contract' },
      }),
  );

// Time passes without a request: the next command notices what is due.
// ── time, and the process ───────────────────────────────────────────────────────────────────────────────────────

const HOUR_MS = LIMITS.dayMs / 24;

/** Time passes without a request: the next command notices what is due. A clock that is paused does not run. */
export const passTime = (hours: number): Step => ({
  check: () => true,
  toString: () => `${hours} h pass`,
  async run(model, real) {
    const ms = hours * HOUR_MS;
    if (!model.isPaused) model.now += ms;
    real.harness.clock.advance(ms);
  },
});

export type ClockMove = 'advance' | 'set back' | 'pause' | 'resume';

const CLOCK_MOVES: Record<ClockMove, (model: Model, ms: number) => void> = {
  advance,
  'set back': (model, ms) => {
    model.now -= ms;
  },
  pause: (model) => {
    model.isPaused = true;
  },
  resume: (model) => {
    model.isPaused = false;
  },
};

/** Moves the clock of the sandbox, here or in another service on the same store, as another process has it. */
export const moveClock = (move: ClockMove, hours: number, isElsewhere: boolean): Step => ({
  check: () => true,
  toString: () => `${move} the clock (${hours} h)${isElsewhere ? ' elsewhere' : ''}`,
  async run(model, real) {
    const before = model.now;
    CLOCK_MOVES[move](model, hours * HOUR_MS);
    const changed = new Set(settle(model));
    const call = ({ client }: Pick<Harness, 'client'>) => {
      if (move === 'advance') return client['sandbox.advance_clock']({ body: { by: `${hours}h` } });
      if (move === 'pause') return client['sandbox.pause_clock']({ body: {} });
      if (move === 'resume') return client['sandbox.resume_clock']({ body: {} });
      return client['sandbox.set_clock']({ body: { to: new Date(before - hours * HOUR_MS).toISOString() } });
    };
    const { now } = await (isElsewhere ? elsewhere(real, call) : call(real.harness));
    expect(now).toBe(new Date(model.now).toISOString());
    await compare(model, real, changed);
  },
});

export const work = (): Step =>
  step(
    { label: 'work' },
    () => ({ outcome: 'done' }),
    (real) => real.harness.service.work(),
  );

export const reopenStore = (): Step => step({ label: 'reopen' }, () => ({ outcome: 'done' }), reopen);
