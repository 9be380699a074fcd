// Records who did what on a signing page, and from where. It must never store a value that a recipient filled in.
import type { RequestContext } from '../context.ts';
import type { Db } from '../store/schema.ts';
import { type AuditEntry, type AuditType, insertAudit } from '../store/signing.ts';
import type { Turn } from './find-turn.ts';

/** `subject` tells things apart that are done more than once: a page, a field. */
export type AuditAction = { type: AuditType; subject?: string; details?: Record<string, string | null> };

type Where = Pick<RequestContext, 'facts' | 'now' | 'visitor' | 'store'>;

export const auditEntry = (
  { facts, now, visitor }: Where,
  { transaction, recipient }: Turn,
  { type, subject = '', details = {} }: AuditAction,
): AuditEntry => ({
  id: facts.newId(),
  company_id: transaction.company_id,
  transaction_id: transaction.id,
  recipient_id: recipient.id,
  type,
  subject,
  created: now,
  details: { ...visitor, ...details },
});

/** Inside the commit of what was done. The transaction is locked, because a completion contains all of its entries. */
export async function writeAudit(
  context: Where,
  db: Db,
  turn: Turn,
  done: readonly AuditAction[],
): Promise<void> {
  await context.store.database.lockRow(db, 'transaction', turn.transaction.id);
  await insertAudit(
    db,
    done.map((one) => auditEntry(context, turn, one)),
  );
}
