import { refusal } from '../../../api/contract/problems.ts';
import { change } from '../../changes/change.ts';
import type { Handler, Result, UserContext } from '../../context.ts';
import { drawAll } from '../../documents/pictures.ts';
import { currentOf } from '../../domain/recipients.ts';
import { startDraft } from '../../domain/start.ts';
import { refusedWith } from '../../domain/transaction.ts';
import { signingUrl } from '../../rendering/addresses.ts';
import {
  compareBeforeStart,
  type DocumentToCompare,
  findDocumentToCompare,
} from '../../sealing/compare-before-start.ts';
import { findPagesToDraw, type PageToDraw } from '../../store/pictures.ts';

/**
 * spec §4 Start transaction: the signing address of the recipient who is pending. Whether every page can be shown is
 * looked at inside the commit; the pages of which that is not known are drawn outside, documents that are not plain are
 * compared with their sealed copies there, and then it is tried again.
 */
export const startTransaction: Handler<'transaction.start'> = async (context, { params }) => {
  for (;;) {
    const { untried, toCompare: document, result } = await attempt(context, params.transactionId);
    if (document) {
      const same = await compareBeforeStart(context, document, context.user.company_id);
      if (!same.ok) return same;
      continue;
    }
    if (untried.length === 0) return result;
    const left = await drawAll(context, untried, context.user.company_id);
    if (!left.ok) return left;
    const [next] = left.output;
    if (next) return { ok: false, refusal: notChecked(params.transactionId, next, left.output.length) };
  }
};

const notChecked = (id: string, { page, name }: Pick<PageToDraw, 'page' | 'name'>, left: number) =>
  refusal('documents_not_checked', { id, left, page: page + 1, name });

async function attempt(
  context: UserContext,
  id: string,
): Promise<{
  untried: PageToDraw[];
  /** The next document to compare with its sealed copy. */
  toCompare: DocumentToCompare | undefined;
  result: Result<{ url: string }>;
}> {
  let untried: PageToDraw[] = [];
  let toCompare: DocumentToCompare | undefined;
  const result = await change(
    context,
    { id, company_id: context.user.company_id },
    async (transaction, db) => {
      const decision = startDraft(transaction, context.user, context.facts);
      // Missing parts are reported first, because no page has to be drawn for that.
      if (!decision.ok && decision.refusal.code !== 'document_not_drawable') return decision;
      untried = await findPagesToDraw(db, transaction.content.id, context.now);
      const [next] = untried;
      if (next) return refusedWith(notChecked(id, next, untried.length));
      if (!decision.ok) return decision;
      toCompare = await findDocumentToCompare(db, transaction);
      if (!toCompare) return decision;
      const { original_name: name } = toCompare.document.file;
      const { length } = toCompare.document.pages;
      return refusedWith(notChecked(id, { page: 0, name }, length));
    },
    ({ content }) => ({ url: signingUrl(context.origin, currentOf(content)?.token ?? null) }),
  );
  return { untried, toCompare, result };
}
