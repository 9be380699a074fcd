// Acts as a recipient without their signing address, to try things out in a test or a terminal.
import type { FieldValue } from '../../../api/contract/fields.ts';
import type { FieldError } from '../../../api/contract/problems.ts';
import { sameEmail } from '../../../api/contract/values.ts';
import { didYouMean, nearest } from '../../../common/nearest.ts';
import { change } from '../../changes/change.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse } from '../../context.ts';
import { redrawPictures } from '../../documents/signature-picture.ts';
import { reject } from '../../domain/act.ts';
import { isSignatureField } from '../../domain/draft.ts';
import { expire } from '../../domain/end.ts';
import { dayOfSigning, isDateOfSigning } from '../../domain/known-value.ts';
import { currentOf } from '../../domain/recipients.ts';
import { nextState } from '../../domain/states.ts';
import type { Field, Recipient, Transaction } from '../../domain/transaction.ts';
import { submitSignature } from '../../signing/sign.ts';
import { fieldsOfRecipient, type SigningSession } from '../../signing/signing-session.ts';
import { findSigning } from '../../store/transactions/signing.ts';
import { loadTransaction } from '../../store/transactions/transactions.ts';
import { saveTemplate } from '../templates.ts';
import { wireStatusOf } from '../transaction-view.ts';

export const actHandlers = {
  'sandbox.sign': (context, input) =>
    context.submissions.run(input.params.transactionId, () =>
      sign(context, input.params.transactionId, input.body),
    ),

  'sandbox.reject': async (context, { params, body }) => {
    let actor: Recipient | undefined;
    return change(
      context,
      { id: params.transactionId },
      (transaction) => {
        const session = sessionOf(transaction, 'reject', body.as);
        if (!session.ok) return session;
        actor = session.output.recipient;
        return reject(transaction, actor.id, body.reason, context);
      },
      (next) => actedAs(next, actor as Recipient),
    );
  },

  /** Expires a transaction early, as it would at its time. */
  'sandbox.expire': (context, { params }) =>
    change(
      context,
      { id: params.transactionId },
      (transaction) => expire({ ...transaction, expires_at: context.now }, context),
      (next) => ({ id: next.id, status: wireStatusOf(next) }),
    ),

  /** Saves the content of a transaction as a reusable template of its company (assumed: A34). */
  'sandbox.save_template': (context, { params, body }) =>
    saveTemplate(context, { id: params.transactionId }, body),
} satisfies Partial<Handlers<'sandbox'>>;

/** Signs as a signing page does, on the bytes that were frozen, or not at all. @param earlier the token of an attempt before */
async function sign(
  context: RequestContext,
  id: string,
  body: { values: Record<string, string>; as?: string | undefined },
  earlier?: string,
): Promise<Result<ReturnType<typeof actedAs>>> {
  const { keys } = context.store;
  const session = await context.read(async (db) => {
    const transaction = await loadTransaction(db, keys, { id });
    return transaction ? sessionOf(transaction, 'submit', body.as) : refuse('transaction_not_found', { id });
  });
  if (!session.ok) return session;
  const { transaction, recipient } = session.output;
  const fields = fieldsOfRecipient(session.output);
  const unknown = unknownLabel(fields, Object.keys(body.values));
  if (unknown) return refuse('validation_failed', { summary: unknown.message }, [unknown]);
  const { time_zone } = await context.read((db) => findSigning(db, keys, recipient.id, context.now));
  const day = dayOfSigning(context.now, time_zone);
  const values = await redrawPictures(
    context,
    valuesFor(recipient, fields, body.values, day),
    fields.filter(isSignatureField),
    transaction.company_id,
  );
  if (!values.ok) return values;
  const token = recipient.token ?? '';
  const submitted = { values: values.output };
  const signed = await submitSignature(context, { token, submitted, details: { by: 'sandbox sign' } });
  if (signed.ok) return ok(actedAs(signed.output, recipient));
  // Meanwhile the transaction has expired, or another process has signed, so the attempt begins again.
  return signed.refusal.code === 'signing_link_invalid' && token !== earlier
    ? sign(context, id, { ...body, as: recipient.email }, token)
    : signed;
}

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

/** Finds the current recipient, if it is the named one. */
function sessionOf(
  transaction: Transaction,
  command: 'submit' | 'reject',
  as: string | undefined,
): Result<SigningSession> {
  const state = nextState(transaction, command);
  if (!state.ok) return state;
  const recipient = currentOf(transaction.content);
  if (!recipient || (as !== undefined && !sameEmail(as, recipient.email)))
    return refuse('not_your_turn', { id: transaction.id, email: as ?? '', current: recipient?.email });
  return ok({ transaction, recipient });
}

const actedAs = (transaction: Transaction, { id, name, email }: Recipient) => ({
  id: transaction.id,
  status: wireStatusOf(transaction),
  recipient: { id, name, email },
});

/** Leaves a field empty: nobody guesses a text for a pattern, and an optional field needs none. */
const isLeftEmpty = ({ is_required, regex }: Field): boolean => !is_required && Boolean(regex);

/** Guesses a value that the field accepts, where that is possible. */
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
