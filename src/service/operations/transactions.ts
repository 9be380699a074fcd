// Creates, edits, starts, shows and cancels transactions of a company. The dashboard calls the functions that are exported.
import { refusal } from '../../api/contract/problems.ts';
import { change, edit, expireIfDue, recordDecision } from '../changes/change.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse, type UserContext } from '../context.ts';
import { addDocument, createDraft, setFields, update } from '../domain/edit.ts';
import { cancelStarted, isDue } from '../domain/end.ts';
import { checkReminder } from '../domain/notices.ts';
import { currentOf } from '../domain/recipients.ts';
import { useTemplates } from '../domain/templates.ts';
import {
  type Content,
  type Document,
  type Recipient,
  type Remark,
  refusedWith,
  type Transaction,
} from '../domain/transaction.ts';
import { writeMails } from '../mail/write.ts';
import { findLastMailed, readUndeliveredMails } from '../store/delivery/mails.ts';
import { type FileRow, findUploaded, markLinked } from '../store/documents/files.ts';
import type { Db } from '../store/schema.ts';
import { loadTemplate, loadTransaction } from '../store/transactions/transactions.ts';
import { refusedReceiver } from './receivers.ts';
import { viewOf } from './transaction-view.ts';

export const transactionHandlers: Handlers<'transaction'> = {
  /** spec §4 Create transaction. */
  'transaction.create': async (context, { body }) => {
    const { notification_endpoint: address } = body;
    const refused =
      address && refusedReceiver(context, { path: 'notification_endpoint', address, use: 'notification' });
    if (refused) return refused;
    return context.commit(
      async (db) => {
        const draft = createDraft(body, context);
        await recordDecision(context, db, undefined, draft);
        return ok({ id: draft.next.id });
      },
      [],
      'locked',
    );
  },

  /** spec §4 Update transaction metadata. */
  'transaction.update': (context, { params, body }) =>
    edit(
      context,
      { id: params.transactionId, company_id: context.user.company_id },
      body,
      (transaction, editContext) => update(transaction, body, context.user, editContext),
      ({ id }) => ({ id }),
    ),

  /** spec §4 Add document to transaction; the id is the transaction's, as in the guide (assumed: A9). */
  'transaction.add_document': (context, { params, body }) =>
    change(
      context,
      { id: params.transactionId, company_id: context.user.company_id },
      async (transaction, db) => {
        const file = await findUploaded(db, body.token, context.user.company_id, context.now);
        const decision = file
          ? addDocument(
              transaction,
              { ...documentOf(file, context), preparation: body.preparation ?? null },
              context,
            )
          : addDocument(transaction, NO_DOCUMENT, context);
        // A transaction that cannot be edited says so first, whatever the token.
        if (!decision.ok) return decision;
        const isLinked = file !== undefined && (await markLinked(db, file.id, context.now));
        return isLinked ? decision : refusedWith(refusal('file_token_unknown'));
      },
      ({ id, content }) => ({ id, document_id: content.documents.at(-1)?.id ?? id }),
    ),

  /** spec §4 Define fields. */
  'transaction.fields': (context, { params, body }) =>
    edit(
      context,
      { id: params.transactionId, company_id: context.user.company_id },
      body,
      (transaction, editContext) => setFields(transaction, body.fields, editContext),
      () => ({ updated: true }),
    ),

  /** spec §4 Use templates. */
  'transaction.use_templates': (context, { params, body }) =>
    change(
      context,
      { id: params.transactionId, company_id: context.user.company_id },
      async (transaction, db) => {
        const templates: Content[] = [];
        for (const { id } of body.templates) {
          const template = await loadTemplate(db, context.store.keys, {
            id,
            company_id: context.user.company_id,
          });
          if (!template) return refusedWith(refusal('template_not_found', { id }));
          templates.push(template);
        }
        return useTemplates(transaction, templates, context.user, context);
      },
      (transaction) => viewOf(context, transaction),
    ),

  /** spec §4 Start transaction. */
  'transaction.start': async (context, { params }) => {
    // Drawing and comparing are loaded by whoever starts: `tx show` and the steps before need neither.
    const { startTransaction } = await import('./start-transaction.ts');
    return startTransaction(context, params.transactionId);
  },

  /** spec §4 Transaction detail. One that is due is expired before it is shown. */
  'transaction.detail': async (context, { params }) => {
    const { id: userId, company_id } = context.user;
    const where = { id: params.transactionId, company_id };
    // The key names the user, because the sender is shown more than others.
    const stored = await context.cached(where.id, `detail for ${company_id} ${userId}`, async (db) => {
      const transaction = await loadTransaction(db, context.store.keys, where);
      if (!transaction) return undefined;
      const undelivered = await readUndeliveredOf(context, db, transaction);
      // Addresses that lapse are not kept.
      if (transaction.sealed_documents.length > 0) return { transaction, undelivered };
      const view = viewOf(context, transaction, undelivered);
      return { transaction, undelivered, view, encoded: Buffer.from(JSON.stringify(view)) };
    });
    if (!stored) return refuse('transaction_not_found', { id: where.id });
    const { transaction, undelivered, view, encoded } = stored;
    if (isDue(transaction, context.now)) {
      const expired = await expireDue(context, where);
      return expired.ok ? ok(viewOf(context, expired.output)) : expired;
    }
    return view ? { ok: true, output: view, encoded } : ok(viewOf(context, transaction, undelivered));
  },

  'transaction.cancel': async (context, { params, body }) => {
    const input = { id: params.transactionId, reason: body.cancelled_reason };
    const cancelled = await cancelTransaction(context, context.user, input);
    return cancelled.ok ? ok({ cancelled: true }) : cancelled;
  },

  'transaction.remind': async (context, { params }) => {
    const { company_id } = context.user;
    const reminded = await remindRecipient(context, { id: params.transactionId, company_id });
    if (!reminded.ok) return reminded;
    const { id, name, email } = reminded.output;
    return ok({ reminded: true, recipient: { id, name, email } });
  },
};

const NO_DOCUMENT = {
  id: '',
  file: { id: '', original_name: '', stored_name: '' },
  pages: [],
  remarks: [],
  preparation: null,
};

function documentOf(file: FileRow, { newId }: UserContext): Omit<Document, 'index' | 'preparation'> {
  const boxes = JSON.parse(file.pages) as { width: number; height: number }[];
  return {
    id: newId(),
    file: { id: file.id, original_name: file.original_name, stored_name: `${file.pdf_sha256}.pdf` },
    pages: boxes.map(({ width, height }) => ({ id: newId(), file_id: newId(), width, height })),
    remarks: JSON.parse(file.remarks) as Remark[],
  };
}

/**
 * Reads the emails that were not delivered. None leaves where no mail server is configured, and before a transaction is
 * started.
 */
async function readUndeliveredOf({ mail }: RequestContext, db: Db, { id, status }: Transaction) {
  if (!mail.smtp || status === 'draft') return undefined;
  return readUndeliveredMails(db, id);
}

/** spec §4 Cancel transaction. Any user of the company may cancel it (spec §6 transaction_cancelled). */
export const cancelTransaction = (
  context: RequestContext,
  user: { id: string; company_id: string },
  { id, reason }: { id: string; reason: string },
): Promise<Result<Transaction>> =>
  change(
    context,
    { id, company_id: user.company_id },
    (transaction) => cancelStarted(transaction, reason, user, context),
    (next) => next,
  );

/** Sends the current recipient their link again. @returns who was reminded */
export const remindRecipient = (
  context: RequestContext,
  where: TransactionOfCompany,
): Promise<Result<Recipient>> =>
  context.commit(
    async (db) => {
      const { store, now, newId } = context;
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
        newId,
      });
      return ok(recipient);
    },
    [where.id],
    'locked',
  );

/** Another company's id is unknown (assumed: A25). */
type TransactionOfCompany = { id: string; company_id: string };

/** Loads a transaction to show it: one whose time has come is expired first. */
export async function loadCurrentTransaction(
  context: RequestContext,
  where: TransactionOfCompany,
): Promise<Result<Transaction>> {
  const transaction = await context.read((db) => loadTransaction(db, context.store.keys, where));
  if (!transaction) return refuse('transaction_not_found', { id: where.id });
  return isDue(transaction, context.now) ? expireDue(context, where) : ok(transaction);
}

/** Expires the transaction, for a caller that has seen that it is due. */
const expireDue = (context: RequestContext, where: TransactionOfCompany): Promise<Result<Transaction>> =>
  context.commit(
    async (db) => {
      await context.store.database.lockRow(db, 'transaction', where.id);
      const current = await loadTransaction(db, context.store.keys, where);
      return current
        ? ok(await expireIfDue(context, db, current))
        : refuse('transaction_not_found', { id: where.id });
    },
    [where.id],
    'locked',
  );
