// Reminds the current recipient of a transaction: for the operation and the dashboard's form.
import { expireIfDue } from '../changes/change.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { currentOf } from '../domain/recipients.ts';
import { checkReminder } from '../domain/remind.ts';
import type { Recipient } from '../domain/transaction.ts';
import { writeMails } from '../mail/write.ts';
import { findLastMailed } from '../store/mails.ts';
import { loadTransaction } from '../store/transactions.ts';
import type { OwnTransaction } from './load-current-transaction.ts';

/** Sends them their link again. @returns who was reminded */
export const remindRecipient = (context: RequestContext, where: OwnTransaction): Promise<Result<Recipient>> =>
  context.commit(
    async (db) => {
      const { store, now, facts } = context;
      await store.database.lockRow(db, 'transaction', where.id);
      const loaded = await loadTransaction(db, store.keys, where);
      if (!loaded) return refuse('transaction_not_found', { id: where.id });
      const transaction = await expireIfDue(context, db, loaded);
      const recipient_id = currentOf(transaction.content)?.id ?? '';
      const lastAt = await findLastMailed(db, { transaction_id: where.id, recipient_id, kind: 'reminder' });
      const decided = checkReminder(transaction, lastAt, now);
      if (!decided.ok) return decided;
      const { recipient } = decided;
      await writeMails(db, context, transaction, [{ kind: 'reminder', recipient }], {
        company_id: where.company_id,
        transaction_id: where.id,
        now,
        newId: facts.newId,
      });
      return ok(recipient);
    },
    [where.id],
    'locked',
  );
