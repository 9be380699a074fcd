// Changes a transaction from its page: cancels it, reminds the current recipient, or saves it as a template.
import { LIMITS } from '../../../api/contract/limits.ts';
import { problemOf } from '../../../api/contract/problems.ts';
import { line, text } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { saveTemplate } from '../../operations/templates.ts';
import { cancelTransaction, remindRecipient } from '../../operations/transactions.ts';
import { html } from '../../rendering/html.ts';
import { checkedBy, type Found, formPage, receiveForm } from './forms.ts';
import { askToConfirm, errorPage, sheetForm, show } from './layout.ts';
import { STATE_NAMES } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendTo } from './response.ts';
import { findOwnTransaction, unknownTransaction } from './transaction.ts';

/** The recipients receive the reason. */
export const cancellation = formPage({
  find: async (request, id): Promise<Found<Transaction>> => findOwnTransaction(request, id),
  fields: {
    reason: {
      label: 'Reason',
      hint: 'Recipients see the reason on their signing page.',
      rows: 4,
      check: checkedBy(text(LIMITS.reasonLength, 1), 'The reason', 'Enter a reason'),
    },
  },
  page: (request, transaction, fields, wrong) => {
    const { id, content, status } = transaction;
    // A form that was filled in is shown again in any case, and refused when it is sent.
    if (status !== 'started' && wrong.length === 0) return notStarted(request, transaction);
    return askToConfirm(request, {
      title: `Cancel ${content.name}`,
      question: html`Cancel <bdi>${content.name}</bdi>?`,
      text: 'Recipients will no longer be able to sign it. You cannot undo this.',
      action: `/transactions/${id}/cancel`,
      fields,
      wrong,
      button: 'Cancel the transaction',
      isDanger: true,
      back: `/transactions/${id}`,
    });
  },
  async run(request, { id }, { reason }) {
    const cancelled = await cancelTransaction(request.context, request.user, { id, reason });
    if (cancelled.ok) return sendTo(`/transactions/${id}`);
    // The transaction ended meanwhile: the page says how.
    const now = await findOwnTransaction(request, id);
    return now.ok ? notStarted(request, now.output) : now.reply;
  },
});

const notStarted = (request: UserRequest, { id, status, content }: Transaction): Reply =>
  errorPage(request, {
    status: 409,
    title: 'This transaction cannot be cancelled',
    text: html`Only a started transaction can be cancelled. The status of <bdi>${content.name}</bdi> is ${STATE_NAMES[status].toLowerCase()}.`,
    link: html`<a href="/transactions/${id}">View the transaction</a>`,
  });

export const remind = receiveForm(async (request: UserRequest, _, id) => {
  const transaction = await findOwnTransaction(request, id);
  if (!transaction.ok) return transaction.reply;
  const reminded = await remindRecipient(request.context, { id, company_id: request.user.company_id });
  if (reminded.ok) return sendTo(`/transactions/${id}?reminded`);
  const { status, detail } = problemOf(reminded.refusal, '');
  return errorPage(request, {
    status,
    title: 'No reminder was sent',
    text: detail,
    link: html`<a href="/transactions/${id}">View the transaction</a>`,
  });
});

/** A template has the documents, recipients and fields, without what was filled in (assumed: A34). */
export const savingAsTemplate = formPage({
  find: async (request, id): Promise<Found<Transaction>> => findOwnTransaction(request, id),
  fields: {
    name: {
      label: 'Name of the template',
      check: checkedBy(line(1, LIMITS.transactionNameLength), 'The name', 'Enter a name for the template'),
    },
    description: {
      label: 'Description',
      hint: 'Optional.',
      rows: 3,
      isOptional: true,
      check: checkedBy(text(), 'The description'),
    },
  },
  initial: ({ content: { name, description } }) => ({ name, description }),
  page: (request, { id }, fields, wrong) =>
    show(request, {
      title: 'Save as a template',
      isNarrow: true,
      wrong,
      body: html`<h1>Save as a template</h1>
<p class="lead">Keeps the documents, recipients and fields of this transaction. What recipients filled in is not part of it.</p>
${sheetForm(request, {
  action: `/transactions/${id}/template`,
  fields,
  buttons: html`<p class="actions"><button>Save the template</button> <a class="button plain" href="/transactions/${id}">Cancel</a></p>`,
})}`,
    }),
  async run(request, { id }, entry) {
    const saved = await saveTemplate(request.context, { id, company_id: request.user.company_id }, entry);
    return saved.ok ? sendTo(`/templates/${saved.output.id}?saved`) : unknownTransaction(request);
  },
});
