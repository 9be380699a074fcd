// Reminds the current recipient, from the page of the transaction.
import { problemOf } from '../../api/contract/problems.ts';
import type { Reply } from '../../api/transport.ts';
import { html } from '../rendering/html.ts';
import { remindRecipient } from '../sending/remind.ts';
import { readPageForm } from './forms.ts';
import { errorPage } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { redirectToSignIn } from './return-to.ts';
import { findOwnTransaction } from './transaction.ts';

export async function submitReminder(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const reminded = await remindRecipient(context, { id, company_id: user.company_id });
  if (reminded.ok) return sendTo(`/transactions/${id}?reminded`);
  const { status, detail } = problemOf(reminded.refusal, '');
  return errorPage(request, {
    status,
    title: 'No reminder was sent',
    text: detail,
    link: html`<a href="/transactions/${id}">View the transaction</a>`,
  });
}
