// Stores what a recipient does before they submit: agree to sign electronically, fill in fields, adopt a signature. Every value
// is stored encrypted as it comes, right or wrong; the errors are returned.
import { sha256Of } from '../../common/sha256.ts';
import { withDeferredChecks } from '../checks/deferred-checks.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Adopted } from '../domain/adoption.ts';
import {
  adopt,
  changeDraft,
  type Draft,
  isSignatureField,
  prefilled,
  type SignatureKind,
  withDayOfSigning,
} from '../domain/draft.ts';
import { dayOfSigning } from '../domain/known-value.ts';
import type { Content, Field } from '../domain/transaction.ts';
import type { ValueError } from '../domain/value-errors.ts';
import { findValueError } from '../domain/values.ts';
import type { Db } from '../store/schema.ts';
import { findSigning, type Signing, saveSigning } from '../store/signing.ts';
import { type AuditAction, writeAudit } from './audit.ts';
import { findActiveTurn, type Turn } from './find-turn.ts';
import type { LinkDetails } from './link-details.ts';

/** A recipient's fields in reading order, what stands in them, and what is wrong with it. */
export type FilledFields = { fields: Field[]; draft: Draft; valueErrors: ReadonlyMap<string, ValueError> };

export const fieldsOfRecipient = ({ transaction: { content }, recipient }: Turn): Field[] =>
  inReadingOrder(
    content,
    content.fields.filter(({ recipient_id }) => recipient_id === recipient.id),
  );

export function inReadingOrder({ documents }: Content, fields: readonly Field[]): Field[] {
  const order = new Map(documents.map(({ id, index }) => [id, index]));
  const place = (field: Field) => [
    order.get(field.document_id) ?? 0,
    field.page,
    field.positionY,
    field.positionX,
  ];
  return fields.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)];
    const first = left.findIndex((value, index) => value !== right[index]);
    return first === -1 ? 0 : (left[first] as number) - (right[first] as number);
  });
}

/** What a recipient has filled in, as it is shown and submitted: with the day on which they would sign now. */
export function withCurrentDay({ now }: Pick<RequestContext, 'now'>, turn: Turn, signing: Signing): Signing {
  const day = dayOfSigning(now, signing.time_zone);
  return { ...signing, draft: withDayOfSigning(signing.draft, fieldsOfRecipient(turn), day) };
}

/** What stands in the fields now, and what is wrong with it. */
export const readFilledFields = (turn: Turn, draft: Draft): Promise<FilledFields> =>
  withDeferredChecks(async (checks) => {
    const fields = fieldsOfRecipient(turn);
    const valueErrors = new Map<string, ValueError>();
    for (const field of fields) {
      const valueError = findValueError(field, draft.values[field.id] ?? '', checks);
      if (valueError && valueError !== 'untried') valueErrors.set(field.id, valueError);
    }
    return { fields, draft, valueErrors };
  });

/** Recognises what was shown for review: values, and in which face a typed signature was shown. */
export const fingerprintOf = ({ values, signature, initials }: Draft): string =>
  sha256Of(JSON.stringify([Object.entries(values).sort(), signature, initials]));

export type SigningConsent = { version: string; text: string; language: string; time_zone: string | null };

export const saveConsent = (
  context: RequestContext,
  token: string,
  consent: SigningConsent,
  link: LinkDetails,
): Promise<Result<Turn>> =>
  write(context, token, async (turn, signing) => {
    if (signing.consented_at !== null) return { signing, done: [] };
    const { version, text, language, time_zone } = consent;
    const sha256 = sha256Of(text);
    const agreed = {
      ...signing,
      consented_at: context.now,
      consent_version: version,
      consent_hash: sha256,
      language,
      time_zone,
      draft: prefilled(signing.draft, fieldsOfRecipient(turn), turn.recipient),
    };
    return {
      signing: agreed,
      done: [{ type: 'consented', details: { version, sha256, language, time_zone, ...link } }],
    };
  });

/** In which language the pages are shown to this recipient, from now on and on every device. */
export const saveLanguage = (
  context: RequestContext,
  { transaction, recipient }: Turn,
  language: string,
): Promise<Result<undefined>> =>
  context.commit(
    async (db) => {
      const { keys, database } = context.store;
      await database.lockRow(db, 'transaction', transaction.id);
      const signing = await findSigning(db, keys, recipient.id, context.now);
      await saveSigning(db, keys, { ...signing, language }, context.now);
      return ok(undefined);
    },
    [],
    'locked',
  );

/** @param given values by field; those of other recipients, and values that no field could hold, are ignored */
export const saveValues = (
  context: RequestContext,
  token: string,
  given: Readonly<Record<string, string>>,
): Promise<Result<Turn>> =>
  write(context, token, async (turn, signing) => {
    const fields = fieldsOfRecipient(turn);
    const draft = changeDraft(signing.draft, fields, given);
    return { signing: { ...signing, draft }, done: filledBy(fields, draft, Object.keys(given)) };
  });

export const saveSignature = (
  context: RequestContext,
  token: string,
  mark: SignatureKind,
  adopted: Adopted,
): Promise<Result<Turn>> =>
  write(context, token, async (turn, signing) => {
    const fields = fieldsOfRecipient(turn);
    const draft = adopt(signing.draft, fields, mark, adopted);
    const marks = fields.filter(isSignatureField).map(({ id }) => id);
    return { signing: { ...signing, draft }, done: filledBy(fields, draft, marks) };
  });

/** The record says which fields were filled in, and never with what. */
const filledBy = (fields: readonly Field[], { values }: Draft, ids: readonly string[]): AuditAction[] =>
  fields
    .filter(({ id }) => ids.includes(id) && (values[id] ?? '') !== '')
    .map(({ id, type }) => ({ type: 'filled', subject: id, details: { field_type: type } }));

type Written = { signing: Signing; done: AuditAction[] };

/** One commit, while it is this recipient's turn. Whether they have agreed is asked before a page is answered, and at submit. */
const write = (
  context: RequestContext,
  token: string,
  decide: (turn: Turn, signing: Signing) => Promise<Written>,
): Promise<Result<Turn>> => {
  const changes: string[] = [];
  return context.commit(
    async (db: Db): Promise<Result<Turn>> => {
      const turn = await findActiveTurn(context, db, token, changes);
      if (!turn) return refuse('signing_link_invalid');
      const { keys } = context.store;
      const before = await findSigning(db, keys, turn.recipient.id, context.now);
      const { signing, done } = await decide(turn, before);
      if (signing !== before) await saveSigning(db, keys, signing, context.now);
      await writeAudit(context, db, turn, done);
      return ok(turn);
    },
    changes,
    'locked',
  );
};
