// Starts a draft: what has to be drawn and compared before is done outside of the commit that starts it.
import { refusal } from '../../api/contract/problems.ts';
import { change } from '../changes/change.ts';
import type { Result, UserContext } from '../context.ts';
import { drawAll } from '../documents/pages.ts';
import { currentOf } from '../domain/recipients.ts';
import { startDraft } from '../domain/start.ts';
import { refusedWith } from '../domain/transaction.ts';
import { signingUrl } from '../mail/links.ts';
import { compareBeforeStart, type DocumentToCompare, findDocumentToCompare } from '../sealing/stamp.ts';
import { findPagesToDraw, type PageToDraw } from '../store/documents/pictures.ts';

/**
 * spec §4 Start transaction: returns the signing address of the recipient who is pending. The commit refuses pages that were never drawn and
 * documents that were never compared with their sealed copies. Both are done outside of it, and then the start is tried again.
 */
export async function startTransaction(context: UserContext, id: string): Promise<Result<{ url: string }>> {
  for (;;) {
    const { toDraw, toCompare, result } = await attempt(context, id);
    if (toCompare) {
      const compared = await compareBeforeStart(context, toCompare, context.user.company_id);
      if (!compared.ok) return compared;
      continue;
    }
    if (toDraw.length === 0) return result;
    const remaining = await drawAll(context, toDraw, context.user.company_id);
    if (!remaining.ok) return remaining;
    const [page] = remaining.output;
    if (page) return { ok: false, refusal: notChecked(id, page, remaining.output.length) };
  }
}

const notChecked = (id: string, { page, name }: Pick<PageToDraw, 'page' | 'name'>, remaining: number) =>
  refusal('documents_not_checked', { id, remaining, page: page + 1, name });

async function attempt(
  context: UserContext,
  id: string,
): Promise<{
  toDraw: PageToDraw[];
  /** This document has to be compared with its sealed copy next. */
  toCompare: DocumentToCompare | undefined;
  result: Result<{ url: string }>;
}> {
  let toDraw: PageToDraw[] = [];
  let toCompare: DocumentToCompare | undefined;
  const result = await change(
    context,
    { id, company_id: context.user.company_id },
    async (transaction, db) => {
      const decision = startDraft(transaction, context.user, context);
      // Missing parts are reported first, because no page has to be drawn for that.
      if (!decision.ok && decision.refusal.code !== 'document_not_drawable') return decision;
      toDraw = await findPagesToDraw(db, transaction.content.id, context.now);
      const [page] = toDraw;
      if (page) return refusedWith(notChecked(id, page, toDraw.length));
      if (!decision.ok) return decision;
      toCompare = await findDocumentToCompare(db, transaction, context.now);
      if (!toCompare) return decision;
      const { original_name: name } = toCompare.document.file;
      const { length } = toCompare.document.pages;
      return refusedWith(notChecked(id, { page: 0, name }, length));
    },
    ({ content }) => ({ url: signingUrl(context.origin, currentOf(content)?.token ?? null) }),
  );
  return { toDraw, toCompare, result };
}
