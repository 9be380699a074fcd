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
} from '../domain/draft.ts';
import { isDateOfSigning } from '../domain/known-value.ts';
import type { Field, Recipient } from '../domain/transaction.ts';
import type { ValueError } from '../domain/values.ts';
import { findValueError } from '../domain/values.ts';
import { findSigning, type Signing, saveSigning } from '../store/transactions/signing.ts';
import { type AuditAction, type LinkDetails, writeAudit } from './record.ts';
import {
  fieldsOfRecipient,
  findActiveSession,
  inReadingOrder,
  type SigningSession,
} from './signing-session.ts';

/** It has a recipient's fields in reading order, the values in them, and what is wrong with these. */
export type FilledFields = { fields: Field[]; draft: Draft; valueErrors: ReadonlyMap<string, ValueError> };

export const readFilledFields = (session: SigningSession, draft: Draft): Promise<FilledFields> =>
  withDeferredChecks(async (checks) => {
    const fields = fieldsOfRecipient(session);
    const valueErrors = new Map<string, ValueError>();
    for (const field of fields) {
      const valueError = findValueError(field, draft.values[field.id] ?? '', checks);
      if (valueError && valueError !== 'untried') valueErrors.set(field.id, valueError);
    }
    return { fields, draft, valueErrors };
  });

export type OthersValue = { field: Field; value: string; recipient: Recipient };

/**
 * Returns the values of other recipients that the sealed documents will contain whatever this one does: what has been submitted, and what the
 * sender has fixed. They are shown before a recipient signs, because the signature covers them. They come in reading order, without empty fields.
 */
export function valuesOfOthers({ transaction: { content }, recipient }: SigningSession): OthersValue[] {
  const others = new Map(
    content.recipients.filter(({ id }) => id !== recipient.id).map((other) => [other.id, other]),
  );
  return inReadingOrder(content, content.fields).flatMap((field) => {
    const other = others.get(field.recipient_id);
    const value = other && certainValue(field, other);
    return other && value ? [{ field, value, recipient: other }] : [];
  });
}

function certainValue(field: Field, { submitted_at }: Recipient): string | null {
  if (submitted_at !== null) return field.value;
  return field.is_readonly && !isDateOfSigning(field) ? field.known_value : null;
}

export type SigningConsent = { version: string; text: string; language: string; time_zone: string | null };

export const saveConsent = (
  context: RequestContext,
  token: string,
  consent: SigningConsent,
  link: LinkDetails,
): Promise<Result<SigningSession>> =>
  save(context, token, (session, signing) => {
    if (signing.consented_at !== null) return { signing, actions: [] };
    const { version, text, language, time_zone } = consent;
    const sha256 = sha256Of(text);
    const agreed = {
      ...signing,
      consented_at: context.now,
      consent_version: version,
      consent_hash: sha256,
      language,
      time_zone,
      draft: prefilled(signing.draft, fieldsOfRecipient(session), session.recipient),
    };
    return {
      signing: agreed,
      actions: [{ type: 'consented', details: { version, sha256, language, time_zone, ...link } }],
    };
  });

/** Saves in which language the pages are shown to this recipient, from now on and on every device. */
export const saveLanguage = (
  context: RequestContext,
  { transaction, recipient }: SigningSession,
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

/** @param values by field; those of other recipients, and values that no field could hold, are ignored */
export const saveValues = (
  context: RequestContext,
  token: string,
  values: Readonly<Record<string, string>>,
): Promise<Result<SigningSession>> =>
  save(context, token, (session, signing) => {
    const fields = fieldsOfRecipient(session);
    const draft = changeDraft(signing.draft, fields, values);
    return { signing: { ...signing, draft }, actions: fillActions(fields, draft, Object.keys(values)) };
  });

export const saveSignature = (
  context: RequestContext,
  token: string,
  kind: SignatureKind,
  adopted: Adopted,
): Promise<Result<SigningSession>> =>
  save(context, token, (session, signing) => {
    const fields = fieldsOfRecipient(session);
    const draft = adopt(signing.draft, fields, kind, adopted);
    const signed = fields.filter(isSignatureField).map(({ id }) => id);
    return { signing: { ...signing, draft }, actions: fillActions(fields, draft, signed) };
  });

/** The record says which fields were filled in, and never with what. */
const fillActions = (fields: readonly Field[], { values }: Draft, ids: readonly string[]): AuditAction[] =>
  fields
    .filter(({ id }) => ids.includes(id) && (values[id] ?? '') !== '')
    .map(({ id, type }) => ({ type: 'filled', subject: id, details: { field_type: type } }));

type Change = { signing: Signing; actions: AuditAction[] };

/** Saves in one commit, while it is this recipient's turn. Whether they have agreed is checked before a page is answered, and at submit. */
const save = (
  context: RequestContext,
  token: string,
  decide: (session: SigningSession, signing: Signing) => Change,
): Promise<Result<SigningSession>> => {
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const session = await findActiveSession(context, db, token, changes);
      if (!session) return refuse('signing_link_invalid');
      const { keys } = context.store;
      const before = await findSigning(db, keys, session.recipient.id, context.now);
      const { signing, actions } = decide(session, before);
      if (signing !== before) await saveSigning(db, keys, signing, context.now);
      await writeAudit(context, db, session, actions);
      return ok(session);
    },
    changes,
    'locked',
  );
};
