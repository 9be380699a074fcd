// Finds the draft or template whose fields are edited, of the company of the signed-in user.
import type { Reply } from '../../../api/transport.ts';
import type { Content } from '../../domain/transaction.ts';
import { html } from '../../rendering/html.ts';
import type { Edited } from '../../sending/edit-fields.ts';
import type { SignedIn } from '../../store/sessions.ts';
import { STATE_NAMES } from '../badges.ts';
import { errorPage } from '../layout.ts';
import type { PageRequest } from '../page-request.ts';
import { redirectToSignIn } from '../return-to.ts';
import { findOwnTemplate, unknownTemplate } from '../templates.ts';
import { findOwnTransaction } from '../transaction.ts';

export type Editable = {
  edited: Edited;
  content: Content;
  user: SignedIn;
  /** `/transactions/ID/edit` */
  path: string;
  /** `/transactions/ID` */
  back: string;
};

type Found = { ok: true; editable: Editable } | { ok: false; reply: Reply };

export async function findEditable(request: PageRequest, edited: Edited): Promise<Found> {
  const { user } = request;
  if (!user) return { ok: false, reply: redirectToSignIn(request) };
  const back = `/${edited.kind}s/${edited.id}`;
  const found = (content: Content): Found => ({
    ok: true,
    editable: { edited, content, user, path: `${back}/edit`, back },
  });
  if (edited.kind === 'template') {
    const template = await findOwnTemplate(request, edited.id);
    return template ? found(template) : { ok: false, reply: unknownTemplate(request) };
  }
  const transaction = await findOwnTransaction(request, edited.id);
  if (!transaction.ok) return transaction;
  const { status, content } = transaction.transaction;
  if (status === 'draft') return found(content);
  const reply = errorPage(request, {
    status: 409,
    title: 'The fields can no longer be edited',
    text: html`Only the fields of a draft can be edited. The status of <bdi>${content.name || 'Untitled'}</bdi> is ${STATE_NAMES[status].toLowerCase()}.`,
    link: html`<a href="${back}">View the transaction</a>`,
  });
  return { ok: false, reply };
}
