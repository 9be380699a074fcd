// Cancels a started transaction, with a reason that its recipients receive.
import { LIMITS } from '../../api/contract/limits.ts';
import { text } from '../../api/contract/values.ts';
import type { Reply } from '../../api/transport.ts';
import type { Transaction } from '../domain/transaction.ts';
import { html } from '../rendering/html.ts';
import { cancelTransaction } from '../sending/cancel.ts';
import { STATE_NAMES } from './badges.ts';
import { askToConfirm } from './confirmation.ts';
import { readPageForm } from './forms.ts';
import { errorPage, textArea, type WrongField } from './layout.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { redirectToSignIn } from './return-to.ts';
import { findOwnTransaction } from './transaction.ts';

export async function showCancelling(request: PageRequest, id: string): Promise<Reply> {
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  return found.transaction.status === 'started'
    ? cancelPage(request, found.transaction, '', [])
    : notStarted(request, found.transaction);
}

const cancelPage = (
  request: PageRequest,
  { id, content }: Transaction,
  reason: string,
  wrong: WrongField[],
): Reply =>
  askToConfirm(request, {
    title: `Cancel ${content.name}`,
    question: html`Cancel <bdi>${content.name}</bdi>?`,
    text: 'Recipients will no longer be able to sign it. You cannot undo this.',
    action: `/transactions/${id}/cancel`,
    fields: textArea({
      ...{ name: 'reason', label: 'Reason', hint: 'Recipients see the reason on their signing page.' },
      ...{ rows: 4, value: reason, wrong },
    }),
    wrong,
    button: 'Cancel the transaction',
    isDanger: true,
    back: `/transactions/${id}`,
  });

const notStarted = (request: PageRequest, { id, status, content }: Transaction): Reply =>
  errorPage(request, {
    status: 409,
    title: 'This transaction cannot be cancelled',
    text: html`Only a started transaction can be cancelled. The status of <bdi>${content.name}</bdi> is ${STATE_NAMES[status].toLowerCase()}.`,
    link: html`<a href="/transactions/${id}">View the transaction</a>`,
  });

const reasonText = text(LIMITS.reasonLength, 1);

export async function submitCancellation(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const reason = sent.form.get('reason').replaceAll('\r\n', '\n').trim();
  const wrong = wrongIn(reason);
  if (wrong.length > 0) return cancelPage(request, found.transaction, reason, wrong);
  const cancelled = await cancelTransaction(context, user, { id, reason });
  if (cancelled.ok) return sendTo(`/transactions/${id}`);
  // The transaction ended meanwhile: the page says how.
  const now = await findOwnTransaction(request, id);
  return now.ok ? notStarted(request, now.transaction) : now.reply;
}

function wrongIn(reason: string): WrongField[] {
  const checked = reasonText.safeParse(reason);
  if (checked.success) return [];
  const message = reason === '' ? 'Enter a reason' : `The reason ${checked.error.issues[0]?.message}`;
  return [{ field: 'reason', message }];
}
