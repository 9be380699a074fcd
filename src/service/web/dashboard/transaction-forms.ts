// Changes a transaction from its page: cancels it, reminds the current recipient, or saves it as a template.
import { LIMITS } from '../../../api/contract/limits.ts';
import { problemOf } from '../../../api/contract/problems.ts';
import { line, text } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { saveTemplate } from '../../operations/templates.ts';
import { cancelTransaction, remindRecipient } from '../../operations/transactions.ts';
import { html } from '../../rendering/html.ts';
import { readPageForm } from './forms.ts';
import {
  askToConfirm,
  errorPage,
  formTokenField,
  labelledInput,
  show,
  textArea,
  type WrongField,
} from './layout.ts';
import { STATE_NAMES } from './lists.ts';
import type { PageRequest } from './request.ts';
import { redirectToSignIn, sendTo } from './response.ts';
import { findOwnTransaction, unknownTransaction } from './transaction.ts';

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

type TemplateEntry = { name: string; description: string };

export async function showSaveTemplate(request: PageRequest, id: string): Promise<Reply> {
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const { name, description } = found.transaction.content;
  return formPage(request, id, { name, description }, []);
}

function formPage(
  request: PageRequest,
  id: string,
  { name, description }: TemplateEntry,
  wrong: WrongField[],
): Reply {
  const parts = {
    title: 'Save as a template',
    isNarrow: true,
    wrong,
    body: html`<h1>Save as a template</h1>
<p class="lead">Keeps the documents, recipients and fields of this transaction. What recipients filled in is not part of it.</p>
<form class="sheet" method="post" action="/transactions/${id}/template" novalidate>
${formTokenField(request)}
${labelledInput({ name: 'name', label: 'Name of the template', value: name, wrong })}
${textArea({ name: 'description', label: 'Description', hint: 'Optional.', rows: 3, value: description, isOptional: true, wrong })}
<p class="actions"><button>Save the template</button> <a class="button plain" href="/transactions/${id}">Cancel</a></p>
</form>`,
  };
  return show(request, parts, { status: wrong.length > 0 ? 422 : 200 });
}

const templateName = line(1, LIMITS.transactionNameLength);
const templateDescription = text();

export async function saveAsTemplate(request: PageRequest, id: string): Promise<Reply> {
  const { user, context } = request;
  if (!user) return redirectToSignIn(request);
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  const found = await findOwnTransaction(request, id);
  if (!found.ok) return found.reply;
  const entry = {
    name: sent.form.get('name').trim(),
    description: sent.form.get('description').replaceAll('\r\n', '\n').trim(),
  };
  const wrong = wrongInTemplate(entry);
  if (wrong.length > 0) return formPage(request, id, entry, wrong);
  const saved = await saveTemplate(context, { id, company_id: user.company_id }, entry);
  return saved.ok ? sendTo(`/templates/${saved.output.id}?saved`) : unknownTransaction(request);
}

function wrongInTemplate({ name, description }: TemplateEntry): WrongField[] {
  const wrong: WrongField[] = [];
  const named = templateName.safeParse(name);
  if (!named.success)
    wrong.push({
      field: 'name',
      message: name === '' ? 'Enter a name for the template' : `The name ${named.error.issues[0]?.message}`,
    });
  const described = templateDescription.safeParse(description);
  if (!described.success)
    wrong.push({
      field: 'description',
      message: `The description ${described.error.issues[0]?.message}`,
    });
  return wrong;
}
