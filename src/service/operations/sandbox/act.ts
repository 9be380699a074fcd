// Acts as a recipient without their signing address, to try things out in a test or a terminal.
import type { FieldValue } from '../../../api/contract/fields.ts';
import type { FieldError } from '../../../api/contract/problems.ts';
import { sameEmail } from '../../../api/contract/values.ts';
import { didYouMean, nearest } from '../../../common/nearest.ts';
import { change, expireIfDue } from '../../changes/change.ts';
import { checkBytes } from '../../changes/frozen.ts';
import { type Submission, submitSealed } from '../../changes/submission.ts';
import { withDeferredChecks } from '../../checks/deferred-checks.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse } from '../../context.ts';
import { redrawPictures } from '../../documents/signature-picture.ts';
import { reject, submit } from '../../domain/act.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { expire } from '../../domain/end.ts';
import { dayOfSigning, isDateOfSigning } from '../../domain/known-value.ts';
import { currentOf } from '../../domain/recipients.ts';
import { nextState } from '../../domain/states.ts';
import type { Decision, Field, Recipient, Transaction } from '../../domain/transaction.ts';
import { auditEntry } from '../../signing/audit.ts';
import type { Db } from '../../store/schema.ts';
import { findSigning } from '../../store/signing.ts';
import { loadTransaction } from '../../store/transactions.ts';
import { saveTemplate } from '../templates.ts';
import { wireStatusOf } from '../transaction-view.ts';

export const actHandlers = {
  'sandbox.sign': (context, input) =>
    context.submissions.run(input.params.transactionId, () => sign(context, input)),

  'sandbox.reject': async (context, { params, body }) => {
    let actor: Recipient | undefined;
    return change(
      context,
      { id: params.transactionId },
      (transaction) => {
        const turn = findActor(transaction, body.as);
        if (!turn.ok) return turn;
        actor = turn.output;
        return reject(transaction, actor.id, body.reason, context.facts);
      },
      (next) => actedAs(next, actor as Recipient),
    );
  },

  /** Expires a transaction early, as it would at its time. */
  'sandbox.expire': (context, { params }) =>
    change(
      context,
      { id: params.transactionId },
      (transaction) => expire({ ...transaction, expires_at: context.now }, context.facts),
      (next) => ({ id: next.id, status: wireStatusOf(next) }),
    ),

  /** assumed: A34, the content of a transaction as a reusable template of its company. */
  'sandbox.save_template': (context, { params, body }) =>
    saveTemplate(context, { id: params.transactionId }, body),
} satisfies Partial<Handlers<'sandbox'>>;

const sign: Handlers<'sandbox'>['sandbox.sign'] = async (context, { params, body }) => {
  const where = { id: params.transactionId };
  const transaction = await context.read((db) => loadTransaction(db, context.store.keys, where));
  const current = transaction && currentOf(transaction.content);
  const fields = transaction?.content.fields.filter(({ recipient_id }) => recipient_id === current?.id) ?? [];
  const isCurrent = current !== undefined && (body.as === undefined || sameEmail(body.as, current.email));
  const wrong = isCurrent ? unknownLabel(fields, Object.keys(body.values)) : undefined;
  if (wrong) return refuse('validation_failed', { summary: wrong.message }, [wrong]);
  const dayOf = async (db: Db, { id }: Recipient) => {
    const { time_zone } = await findSigning(db, context.store.keys, id, context.now);
    return dayOfSigning(context.now, time_zone);
  };
  const day = current ? await context.read((db) => dayOf(db, current)) : '';
  const values = await redrawPictures(
    context,
    current ? valuesFor(current, fields, body.values, day) : [],
    fields.filter(isSignatureField),
    transaction?.company_id ?? '',
  );
  if (!values.ok) return values;
  return withDeferredChecks((trials) =>
    signAs(context, params.transactionId, body.as, (transaction, recipient) =>
      submit(
        transaction,
        recipient.id,
        recipient.id === current?.id ? values.output : [],
        { ...context.facts, day },
        trials,
      ),
    ),
  );
};

function unknownLabel(fields: readonly Field[], names: readonly string[]): FieldError | undefined {
  const unknown = names.find((name) => !fields.some(({ id, label }) => id === name || label === name));
  if (unknown === undefined) return undefined;
  const meant = nearest(
    unknown,
    fields.map(({ label }) => label),
  );
  const message = `"${unknown.slice(0, 100)}" is not the label or ID of a field of this recipient.`;
  return { path: 'values', message: `${message} ${didYouMean(meant)}`.trimEnd() };
}

/** Fills in what the request states by label or field id, what the sender has filled in, and something plausible for the rest. */
function valuesFor(
  recipient: Recipient,
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
  day: string,
): FieldValue[] {
  return fields.map((field) => ({
    field_id: field.id,
    value:
      values[field.id] ??
      values[field.label] ??
      (isDateOfSigning(field) ? day : field.known_value) ??
      (isLeftEmpty(field) ? null : plausibleValue(field, recipient, day)),
  }));
}

/** Signs like a signing page: on the bytes that were frozen, or not at all. */
async function signAs(
  context: RequestContext,
  id: string,
  as: string | undefined,
  decide: (transaction: Transaction, recipient: Recipient) => Decision,
) {
  const checked = await checkBytes(context, (db) => loadTransaction(db, context.store.keys, { id }));
  let actor: Recipient | undefined;
  const decideOn = async (db: Db, transaction: Transaction | undefined): Promise<Result<Submission>> => {
    if (!transaction) return refuse('transaction_not_found', { id });
    const turn = findActor(transaction, as);
    if (!turn.ok) return turn;
    // Its documents were changed and it was started after they were checked: treated as a request that came before that.
    if (transaction.content.documents.some((document) => !checked.has(document.id)))
      return refuse('transaction_not_started', { id, status: 'draft', what: 'signed' });
    actor = turn.output;
    const decision = decide(transaction, actor);
    if (!decision.ok) return decision;
    const { time_zone } = await findSigning(db, context.store.keys, actor.id, context.now);
    const signed = auditEntry(
      context,
      { transaction, recipient: actor },
      { type: 'signed', details: { by: 'sandbox sign', time_zone } },
    );
    return ok({ before: transaction, decision, done: [signed] });
  };
  const load = (db: Db) => loadTransaction(db, context.store.keys, { id });
  const submitted = await submitSealed(context, {
    look: async (db) => decideOn(db, await load(db)),
    decide: async (db, changes) => {
      changes.push(id);
      await context.store.database.lockRow(db, 'transaction', id);
      const transaction = await load(db);
      return decideOn(db, transaction && (await expireIfDue(context, db, transaction)));
    },
  });
  return submitted.ok ? ok(actedAs(submitted.output, actor as Recipient)) : submitted;
}

/** Finds the current recipient, if it is the named one. */
function findActor(transaction: Transaction, as: string | undefined): Result<Recipient> {
  const state = nextState(transaction, 'submit');
  if (!state.ok) return state;
  const current = currentOf(transaction.content);
  if (!current || (as !== undefined && !sameEmail(as, current.email)))
    return refuse('not_your_turn', { id: transaction.id, email: as ?? '', current: current?.email });
  return ok(current);
}

const actedAs = (transaction: Transaction, { id, name, email }: Recipient) => ({
  id: transaction.id,
  status: wireStatusOf(transaction),
  recipient: { id, name, email },
});

/** Nobody guesses a text for a pattern, and an optional field needs none. */
const isLeftEmpty = ({ is_required, regex }: Field): boolean => !is_required && Boolean(regex);

/** A value that the field accepts, where one can be guessed. */
function plausibleValue(field: Field, { name, email }: Recipient, day: string): string {
  const number = field.min_value ?? Math.min(1, field.max_value ?? 1);
  const guesses: Record<Field['type'], string> = {
    text: field.label,
    signature: name,
    initials: name.replaceAll(/(\S)\S*\s*/gu, '$1'),
    person_name: name,
    email,
    date: day,
    number: String(number),
    checkbox: 'true',
    select: field.options[0] ?? '',
    radio: field.options[0] ?? '',
  };
  const guess = guesses[field.type];
  return field.type === 'text' ? fitted(guess, field) : guess;
}

const fitted = (text: string, { min_length, max_length }: Field): string =>
  text.padEnd(min_length ?? 0, '.').slice(0, max_length ?? undefined);
