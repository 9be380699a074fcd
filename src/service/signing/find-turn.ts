// Finds the transaction of a signing token, as long as it is that recipient's turn (assumed: A38).

import { expireIfDue } from '../changes/change.ts';
import { type RequestContext, type Result, refuse } from '../context.ts';
import { isDue } from '../domain/end.ts';
import { currentOf } from '../domain/recipients.ts';
import type { Recipient, Transaction } from '../domain/transaction.ts';
import type { Db } from '../store/schema.ts';
import { loadByToken } from '../store/transactions.ts';

export type Turn = { transaction: Transaction; recipient: Recipient };

export async function findTurn(context: RequestContext, db: Db, token: string): Promise<Turn | undefined> {
  const found = await loadByToken(db, context.store.keys, token);
  const recipient = found && currentOf(found.transaction.content);
  return recipient && recipient.id === found.recipientId
    ? { transaction: found.transaction, recipient }
    : undefined;
}

/** For reading: a link whose time has come is dead, even if the transaction is not marked as expired yet. */
export async function withTurn<T>(
  context: RequestContext,
  token: string,
  then: (turn: Turn) => Promise<Result<T>>,
): Promise<Result<T>> {
  const turn = await context.read((db) => findCurrentTurn(context, db, token));
  return turn ? then(turn) : refuse('signing_link_invalid');
}

/** For reading: undefined where the time has come, even if the transaction is not marked as expired yet. */
export async function findCurrentTurn(
  context: RequestContext,
  db: Db,
  token: string,
): Promise<Turn | undefined> {
  const turn = await findTurn(context, db, token);
  return turn && !isDue(turn.transaction, context.now) ? turn : undefined;
}

/**
 * For changes, inside a commit: expires the transaction first if it is due, which kills the link.
 * @param changes is given what the commit changes
 */
export async function findActiveTurn(
  context: RequestContext,
  db: Db,
  token: string,
  changes: string[],
): Promise<Turn | undefined> {
  const found = await findTurn(context, db, token);
  if (!found) return undefined;
  changes.push(found.transaction.id);
  const mayHaveChanged = await context.store.database.lockRow(db, 'transaction', found.transaction.id);
  const turn = mayHaveChanged ? await findTurn(context, db, token) : found;
  if (!turn) return undefined;
  const transaction = await expireIfDue(context, db, turn.transaction);
  return transaction.status === 'started' ? { ...turn, transaction } : undefined;
}
