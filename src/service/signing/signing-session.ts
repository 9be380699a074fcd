// Finds the recipient of a signing link, by the token of the link. A `SigningSession` may sign: it is that recipient's turn (assumed:
// A38). A `RecipientSession` only shows their situation, because a link stays known after it is no longer good for signing.
import { expireIfDue } from '../changes/change.ts';
import { type RequestContext, type Result, refuse } from '../context.ts';
import { withDayOfSigning } from '../domain/draft.ts';
import { isDue } from '../domain/end.ts';
import { dayOfSigning } from '../domain/known-value.ts';
import { currentOf } from '../domain/recipients.ts';
import type { Content, Field, Recipient, Transaction } from '../domain/transaction.ts';
import { type Company, findCompanyById } from '../store/accounts/accounts.ts';
import type { Db } from '../store/schema.ts';
import { findLink, findSigning, type Signing } from '../store/transactions/signing.ts';
import { loadByToken, loadTransaction } from '../store/transactions/transactions.ts';

export type SigningSession = { transaction: Transaction; recipient: Recipient };

/** Finds the session for reading, and refuses where there is none. */
export async function withSigningSession<T>(
  context: RequestContext,
  token: string,
  then: (session: SigningSession) => Promise<Result<T>>,
): Promise<Result<T>> {
  const session = await context.read((db) => findCurrentSession(context, db, token));
  return session ? then(session) : refuse('signing_link_invalid');
}

/** Finds the session for reading. A link whose time has come is dead, even if the transaction is not marked as expired yet. */
export async function findCurrentSession(
  context: RequestContext,
  db: Db,
  token: string,
): Promise<SigningSession | undefined> {
  const session = await findSession(context, db, token);
  return session && !isDue(session.transaction, context.now) ? session : undefined;
}

/**
 * Finds the session for a change, inside of its commit: expires the transaction first if it is due, which kills the link.
 * @param changes receives the id of the transaction
 */
export async function findActiveSession(
  context: RequestContext,
  db: Db,
  token: string,
  changes: string[],
): Promise<SigningSession | undefined> {
  const unlocked = await findSession(context, db, token);
  if (!unlocked) return undefined;
  const { id } = unlocked.transaction;
  changes.push(id);
  const mayHaveChanged = await context.store.database.lockRow(db, 'transaction', id);
  const session = mayHaveChanged ? await findSession(context, db, token) : unlocked;
  if (!session) return undefined;
  const transaction = await expireIfDue(context, db, session.transaction);
  return transaction.status === 'started' ? { ...session, transaction } : undefined;
}

/** Finds the session whatever time it is. */
export async function findSession(
  { store }: Pick<RequestContext, 'store'>,
  db: Db,
  token: string,
): Promise<SigningSession | undefined> {
  const holder = await loadByToken(db, store.keys, token);
  const recipient = holder && currentOf(holder.transaction.content);
  return recipient && recipient.id === holder.recipientId
    ? { transaction: holder.transaction, recipient }
    : undefined;
}

// --- The recipient's situation ---

/** `awaiting_signature` means that it is their turn, and `signed` that they have submitted and others are asked. */
export type Situation = 'awaiting_signature' | 'signed' | 'completed' | 'rejected' | 'cancelled' | 'expired';

export type RecipientSession = SigningSession & {
  situation: Situation;
  signing: Signing;
  /** The sender belongs to this company. */
  company: Company;
};

export async function findRecipientSession(
  context: RequestContext,
  token: string,
): Promise<RecipientSession | undefined> {
  const { keys } = context.store;
  return context.read(async (db) => {
    const link = await findLink(db, token);
    const stored = link && (await loadTransaction(db, keys, { id: link.transaction_id }));
    const recipient = stored?.content.recipients.find(({ id }) => id === link?.recipient_id);
    if (!stored || !recipient) return undefined;
    const company = await findCompanyById(db, stored.company_id);
    if (!company) throw new Error(`There is no company ${stored.company_id}.`);
    const signing = await findSigning(db, keys, recipient.id, context.now);
    const transaction = isDue(stored, context.now)
      ? { ...stored, status: 'expired' as const, expired_at: stored.expires_at }
      : stored;
    const session = { transaction, recipient };
    const situation = situationOf(transaction, recipient, token);
    const isOpen = situation === 'awaiting_signature';
    return {
      ...session,
      situation,
      signing: isOpen ? withCurrentDay(context, session, signing) : signing,
      company,
    };
  });
}

function situationOf({ status }: Transaction, recipient: Recipient, token: string): Situation {
  if (status === 'started')
    return recipient.is_current && recipient.token === token ? 'awaiting_signature' : 'signed';
  // A recipient with a link was asked once, and a draft has no links.
  if (status === 'draft') throw new Error('A draft has no signing links.');
  return status;
}

/**
 * Tells whether the link still shows the documents. What was cancelled, rejected or has expired is not readable by the links that
 * were sent for it: an old email in the wrong hands shows nothing.
 */
export const isReadable = ({ situation }: Pick<RecipientSession, 'situation'>): boolean =>
  situation === 'awaiting_signature' || situation === 'signed' || situation === 'completed';

// --- The recipient's fields ---

export const fieldsOfRecipient = ({ transaction: { content }, recipient }: SigningSession): Field[] =>
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
    const [placeA, placeB] = [place(a), place(b)];
    const first = placeA.findIndex((value, index) => value !== placeB[index]);
    return first === -1 ? 0 : (placeA[first] as number) - (placeB[first] as number);
  });
}

/** Adds the day on which the recipient would sign now, which is shown and submitted with what they have filled in. */
export function withCurrentDay(
  { now }: Pick<RequestContext, 'now'>,
  session: SigningSession,
  signing: Signing,
): Signing {
  const day = dayOfSigning(now, signing.time_zone);
  return { ...signing, draft: withDayOfSigning(signing.draft, fieldsOfRecipient(session), day) };
}
