import { type Handler, refuse } from '../../context.ts';
import { loadPicture } from '../../documents/pictures.ts';
import { withTurn } from '../../signing/find-turn.ts';
import { findPage } from '../../store/files.ts';

/** The picture of a page of the transaction that the token is for, and of no other. */
export const signingPage: Handler<'signing.page'> = (context, { params, query }) =>
  withTurn(context, query.token, async ({ transaction }) => {
    const page = await context.read((db) => findPage(db, { id: params.pageId }));
    if (page?.template_id !== transaction.content.id) return refuse('file_not_found', { id: params.pageId });
    return loadPicture(context, page);
  });
