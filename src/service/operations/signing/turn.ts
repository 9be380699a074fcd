// The transaction behind a signing token, as long as it is that recipient's turn (assumed: A38).
import { isDue } from '../../domain/end.ts';
import { currentOf } from '../../domain/recipients.ts';
import type { Recipient, Transaction } from '../../domain/transaction.ts';
import { type Answer, no, type Scene } from '../../scene.ts';
import type { Db } from '../../store/schema.ts';
import { loadByToken } from '../../store/transactions.ts';
import { settle } from '../transaction/change.ts';

export type Turn = { transaction: Transaction; recipient: Recipient };

export async function turnOf(scene: Scene, db: Db, token: string): Promise<Turn | undefined> {
  const found = await loadByToken(db, scene.store.keys, token);
  const recipient = found && currentOf(found.transaction.content);
  return recipient && recipient.id === found.recipientId
    ? { transaction: found.transaction, recipient }
    : undefined;
}

/** For looking: a link whose time has come is dead, though nobody has noticed yet. */
export async function withTurn<T>(
  scene: Scene,
  token: string,
  then: (turn: Turn) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const turn = await scene.read((db) => turnOf(scene, db, token));
  return turn && !isDue(turn.transaction, scene.now) ? then(turn) : no('signing_link_invalid');
}

/** For acting, inside a commit: what is due happens first, and kills the link. */
export async function liveTurn(scene: Scene, db: Db, token: string): Promise<Turn | undefined> {
  const turn = await turnOf(scene, db, token);
  if (!turn) return undefined;
  const transaction = await settle(scene, db, turn.transaction);
  return transaction.status === 'started' ? { ...turn, transaction } : undefined;
}
