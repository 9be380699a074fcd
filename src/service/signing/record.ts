// Records what a recipient does on the signing pages, and from where: how they came, which pages they were sent, and which of them were on
// the screen. The script of the pages reports the latter; every time is that of the service. No value that is filled in is ever recorded.
import { LIMITS } from '../../api/contract/limits.ts';
import { sha256Of } from '../../common/sha256.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type LinkOrigin, readMark } from '../mail/links.ts';
import { findUserById } from '../store/accounts/accounts.ts';
import { hashSecret } from '../store/keys.ts';
import type { Db } from '../store/schema.ts';
import {
  type AuditEntry,
  type AuditType,
  insertAudit,
  insertRepeatable,
  isAudited,
  markOpened,
  readDeliveredPages,
} from '../store/transactions/signing.ts';
import { findActiveSession, type SigningSession } from './signing-session.ts';

/** `subject` tells things apart that are done more than once: a page, a field. */
export type AuditAction = { type: AuditType; subject?: string; details?: Record<string, string | null> };

type RecordContext = Pick<RequestContext, 'newId' | 'now' | 'visitor' | 'store'>;

export const auditEntry = (
  { newId, now, visitor }: RecordContext,
  { transaction, recipient }: SigningSession,
  { type, subject = '', details = {} }: AuditAction,
): AuditEntry => ({
  id: newId(),
  company_id: transaction.company_id,
  transaction_id: transaction.id,
  recipient_id: recipient.id,
  type,
  subject,
  created: now,
  details: { ...visitor, ...details },
});

/** Writes inside the commit of what was done. The transaction is locked, because a completion contains all of its entries. */
export async function writeAudit(
  context: RecordContext,
  db: Db,
  session: SigningSession,
  actions: readonly AuditAction[],
): Promise<void> {
  await context.store.database.lockRow(db, 'transaction', session.transaction.id);
  await insertAudit(
    db,
    actions.map((action) => auditEntry(context, session, action)),
  );
}

// --- How the recipient came ---

/** `user` was signed in to the dashboard. A link without a mark has no details. */
export type LinkDetails = { link?: LinkOrigin['by']; user?: string };

export async function linkDetailsOf(
  context: Pick<RequestContext, 'store' | 'read'>,
  token: string,
  mark: string | undefined,
): Promise<LinkDetails> {
  const origin = readMark(context.store.keys, token, mark);
  if (!origin) return {};
  const userId = origin.by === 'email' ? undefined : origin.user_id;
  const user = userId === undefined ? undefined : await context.read((db) => findUserById(db, userId));
  return { link: origin.by, ...(user && { user: `${user.name} <${user.email}>` }) };
}

/**
 * Records the first time, and again for each other address and browser. A program that follows links, such as a mail scanner, opens a
 * link as a person does: the record says no more than that the link was opened.
 */
export async function recordOpened(
  context: RequestContext,
  session: SigningSession,
  details: LinkDetails,
): Promise<void> {
  const { address, browser } = context.visitor;
  const way = Object.values(details).join(' ');
  const subject = hashSecret(`${address} ${browser}${way === '' ? '' : ` ${way}`}`);
  const opened = { type: 'opened', subject, details } as const;
  const { transaction, recipient } = session;
  if (await context.read((db) => isAudited(db, { recipient_id: recipient.id, ...opened }))) return;
  await context.commit(
    async (db) => {
      await context.store.database.lockRow(db, 'transaction', transaction.id);
      await markOpened(db, recipient.id, context.now);
      await writeAudit(context, db, session, [opened]);
      return ok(undefined);
    },
    [transaction.id],
    'locked',
  );
}

// --- Pages ---

/** Tells apart from where a page was seen: one link may be opened in two places. */
const originOf = ({ visitor }: RequestContext): string => sha256Of(JSON.stringify(visitor)).slice(0, 12);

type NumberedPage = { id: string; page: string; document: string };

/** Numbers the pages of all documents in their order, as the signing pages do, from 1. */
const numberedPages = ({ content }: Transaction): NumberedPage[] =>
  content.documents.flatMap(({ pages, file }) =>
    pages.map(({ id }, index) => ({ id, page: `${index + 1}`, document: file.original_name })),
  );

/** @returns what records that a page is sent, to be written with the picture or the text */
export function deliveryOf(
  context: RequestContext,
  session: SigningSession,
  pageId: string,
  form: 'picture' | 'text',
): ((db: Db) => Promise<void>) | undefined {
  const delivered = numberedPages(session.transaction).find(({ id }) => id === pageId);
  if (!delivered) return undefined;
  const { id, ...details } = delivered;
  const isText = form === 'text';
  const origin = originOf(context);
  const entry = auditEntry(context, session, {
    type: 'page_delivered',
    subject: isText ? `${id} text ${origin}` : `${id} ${origin}`,
    details: { ...details, ...(isText && { form }) },
  });
  return async (db) => {
    await context.store.database.lockRow(db, 'transaction', session.transaction.id);
    // A completion has all of its entries: none is written after it.
    if (await isStarted(db, session.transaction.id)) await insertRepeatable(db, [entry]);
  };
}

async function isStarted(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('transaction').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'started';
}

/**
 * Records pages that the script reports as in view. A report about a page that does not exist, or was not delivered to this recipient, is
 * refused as a whole.
 * @param numbers as the signing pages number them, separated by spaces
 */
export async function recordPagesInView(
  context: RequestContext,
  token: string,
  numbers: string,
): Promise<Result<undefined>> {
  const words = numbers.split(' ');
  if (words.length > LIMITS.pagesInReport || !words.every((word) => /^[1-9]\d{0,5}$/.test(word)))
    return refuse('validation_failed', { summary: 'These are no pages of the documents.' });
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const session = await findActiveSession(context, db, token, changes);
      if (!session) return refuse('signing_link_invalid');
      const pages = numberedPages(session.transaction);
      const delivered = await readDeliveredPages(db, session.recipient.id);
      const reported = [...new Set(words)].flatMap((word) => pages[Number(word) - 1] ?? []);
      if (reported.length < new Set(words).size || !reported.every(({ id }) => delivered.has(id)))
        return refuse('validation_failed', { summary: 'These are no pages of the documents.' });
      await insertRepeatable(
        db,
        reported.map(({ id, ...details }) =>
          auditEntry(context, session, {
            type: 'page_in_view',
            subject: `${id} ${originOf(context)}`,
            details,
          }),
        ),
      );
      return ok(undefined);
    },
    changes,
    'locked',
  );
}
