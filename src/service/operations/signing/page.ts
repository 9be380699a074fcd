import { type Handler, no } from '../../scene.ts';
import { findPage } from '../../store/files.ts';
import { pictureOf } from '../file/content.ts';
import { withTurn } from './turn.ts';

/** The picture of a page of the transaction that the token is for, and of no other. */
export const signingPage: Handler<'signing.page'> = (scene, { params, query }) =>
  withTurn(scene, query.token, async ({ transaction }) => {
    const page = await scene.read((db) => findPage(db, { id: params.pageId }));
    if (page?.template_id !== transaction.content.id) return no('file_not_found', { id: params.pageId });
    return { ok: true, output: await pictureOf(scene, page) };
  });
