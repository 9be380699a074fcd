// Records which pages of the documents a recipient was sent, and which of them were on the screen. The script of the signing pages reports
// the latter; every time is that of the service. Without the script nothing says more than that a page was delivered.
import { LIMITS } from '../../api/contract/limits.ts';
import { sha256Of } from '../../common/sha256.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Db } from '../store/schema.ts';
import { insertRepeatable, readDeliveredPages } from '../store/signing.ts';
import { auditEntry } from './audit.ts';
import { findActiveTurn, type Turn } from './find-turn.ts';

/** Tells apart from where a page was seen: one link may be opened in two places. */
const originOf = ({ visitor }: RequestContext): string => sha256Of(JSON.stringify(visitor)).slice(0, 12);

async function isStarted(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('transaction').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'started';
}

type NumberedPage = { id: string; page: string; document: string };

/** The pages of all documents in their order, as the signing pages number them from 1. */
const numberedPages = ({ content }: Transaction): NumberedPage[] =>
  content.documents.flatMap(({ pages, file }) =>
    pages.map(({ id }, index) => ({ id, page: `${index + 1}`, document: file.original_name })),
  );

/** @returns what records that a page is sent, to be written with the picture or the text */
export function deliveryOf(
  context: RequestContext,
  turn: Turn,
  pageId: string,
  form: 'picture' | 'text',
): ((db: Db) => Promise<void>) | undefined {
  const found = numberedPages(turn.transaction).find(({ id }) => id === pageId);
  if (!found) return undefined;
  const { id, ...details } = found;
  const isText = form === 'text';
  const origin = originOf(context);
  const entry = auditEntry(context, turn, {
    type: 'page_delivered',
    subject: isText ? `${id} text ${origin}` : `${id} ${origin}`,
    details: { ...details, ...(isText && { form }) },
  });
  return async (db) => {
    await context.store.database.lockRow(db, 'transaction', turn.transaction.id);
    // A completion has all of its entries: none is written after it.
    if (await isStarted(db, turn.transaction.id)) await insertRepeatable(db, [entry]);
  };
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
      const turn = await findActiveTurn(context, db, token, changes);
      if (!turn) return refuse('signing_link_invalid');
      const all = numberedPages(turn.transaction);
      const delivered = await readDeliveredPages(db, turn.recipient.id);
      const reported = [...new Set(words)].flatMap((word) => all[Number(word) - 1] ?? []);
      if (reported.length < new Set(words).size || !reported.every(({ id }) => delivered.has(id)))
        return refuse('validation_failed', { summary: 'These are no pages of the documents.' });
      await insertRepeatable(
        db,
        reported.map(({ id, ...details }) =>
          auditEntry(context, turn, {
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
