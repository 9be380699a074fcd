// Shows one transaction: its state, the recipients it waits for, what is signed, and what has happened. Another company's is as
// unknown as one that does not exist.

import { remarkOf } from '../../../api/contract/documents.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import { actorsOf, currentOf } from '../../domain/recipients.ts';
import type { Document, Recipient, Transaction } from '../../domain/transaction.ts';
import { signingAddressFor } from '../../operations/transaction-view.ts';
import { loadCurrentTransaction } from '../../operations/transactions.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { findUserById } from '../../store/accounts/accounts.ts';
import { numberEvents } from '../../store/delivery/events.ts';
import { readUndeliveredMails, type UndeliveredMail } from '../../store/delivery/mails.ts';
import { listRecordedEvents } from '../../store/delivery/records.ts';
import { findFile } from '../../store/documents/files.ts';
import type { Found } from './forms.ts';
import { buttonForm, done, errorPage, show } from './layout.ts';
import { stateBadge, utcTime } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendPdf } from './response.ts';

/** Finds a transaction of the user's company. */
export async function findOwnTransaction(request: UserRequest, id: string): Promise<Found<Transaction>> {
  const loaded = await loadCurrentTransaction(request.context, { id, company_id: request.user.company_id });
  return loaded.ok ? loaded : { ok: false, reply: unknownTransaction(request) };
}

export const unknownTransaction = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Transaction not found',
    text: 'Your company has no transaction with this ID.',
    link: html`<a href="/transactions">View all transactions</a>`,
  });

export async function showTransaction(request: UserRequest, id: string): Promise<Reply> {
  const loaded = await findOwnTransaction(request, id);
  if (!loaded.ok) return loaded.reply;
  const transaction = loaded.output;
  const { content, status } = transaction;
  const name = content.name || 'Untitled';
  return show(request, {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>
<p class="lead">${stateBadge(status)} ${await renderNextStep(request, transaction)}</p>
${request.url.searchParams.has('reminded') && done(html`<bdi>${currentOf(content)?.name}</bdi> was reminded.`)}
${await signingAddress(request, transaction)}
${transaction.sealing_failed_reason !== null && html`<p class="remark">The last recipient could not sign: ${transaction.sealing_failed_reason}</p>`}
${recipients(transaction, await readUndelivered(request, transaction))}
${sealedDocuments(transaction)}
${documents(transaction)}
${details(transaction)}
${await history(request, transaction)}
<div class="actions">${status === 'draft' && html`<a class="button${!content.edit_navigation && ' plain'}" href="/transactions/${id}/edit">Edit fields</a>`}${
      status === 'started' &&
      buttonForm(
        request,
        `/transactions/${id}/remind`,
        html`<button class="plain">Remind <bdi>${currentOf(content)?.name}</bdi></button>`,
      )
    }
<a class="button plain" href="/transactions/${id}/template">Save as a template</a>
${status === 'started' && html`<a class="button danger" href="/transactions/${id}/cancel">Cancel the transaction</a>`}</div>`,
  });
}

// ── how it stands ───────────────────────────────────────────────────────────────────────────────────────────────────

async function renderNextStep({ context }: UserRequest, transaction: Transaction): Promise<HtmlValue> {
  const { status, content, expires_at, expired_at, completed_at, cancelled_at, rejected_at } = transaction;
  const current = currentOf(content);
  switch (status) {
    case 'draft':
      return 'It has not been sent yet.';
    case 'started':
      return html`Waiting for <bdi>${current?.name}</bdi>${expires_at && html`, until ${utcTime(expires_at)}`}.`;
    case 'completed':
      return html`Completed at ${completed_at && utcTime(completed_at)}.`;
    case 'expired':
      return html`Expired at ${expired_at && utcTime(expired_at)}.`;
    case 'rejected': {
      const by = content.recipients.find((recipient) => recipient.id === transaction.rejected_by_id);
      return ended('Rejected', by?.name, rejected_at, transaction.rejected_reason);
    }
    case 'cancelled': {
      const id = transaction.cancelled_by_id;
      const by = id === null ? undefined : await context.read((db) => findUserById(db, id));
      return ended('Cancelled', by?.name, cancelled_at, transaction.cancelled_reason);
    }
  }
}

const ended = (how: string, by: string | undefined, at: string | null, reason: string | null): Html =>
  html`${how}${by !== undefined && html` by <bdi>${by}</bdi>`}${at && html` at ${utcTime(at)}`}.${
    reason && html` Reason: <q dir="auto">${reason}</q>`
  }`;

/** Anyone who has the URL can sign, so it is shown only for recipients who are users of the company, and not to every colleague. */
async function signingAddress({ context, user }: UserRequest, transaction: Transaction): Promise<HtmlValue> {
  const current = currentOf(transaction.content);
  if (transaction.status !== 'started' || !current) return undefined;
  const url = await signingAddressFor(user, context, transaction);
  if (url === undefined)
    return html`<p class="quiet">The signing URL is in the <a href="/mailbox?transaction=${transaction.id}">email</a> to <bdi>${current.email}</bdi>.</p>`;
  return html`<section class="sheet"><h2>Signing URL</h2>
<div class="field"><label for="address">Signing URL of <bdi>${current.name}</bdi></label>
<p class="hint" id="address-hint">Anyone who has this URL can sign as <bdi>${current.name}</bdi>.</p>
<input id="address" readonly value="${url}" aria-describedby="address-hint"></div>
<p><a href="${url}">Open the signing page</a></p></section>`;
}

// ── who and what ────────────────────────────────────────────────────────────────────────────────────────────────────

type UndeliveredMails = ReadonlyMap<string, UndeliveredMail>;

/** The emails are listed by recipient. Where no mail server is configured, none leaves. */
const readUndelivered = async ({ context }: UserRequest, { id }: Transaction): Promise<UndeliveredMails> =>
  context.mail.smtp ? context.read((db) => readUndeliveredMails(db, id)) : new Map();

function recipients(transaction: Transaction, undelivered: UndeliveredMails): Html {
  const { content } = transaction;
  const acting = new Set(actorsOf(content).map(({ id }) => id));
  const inOrder = [...content.recipients].sort((a, b) => a.index - b.index);
  return html`<section class="sheet"><h2>Recipients</h2>
${inOrder.length === 0 && html`<p class="quiet">None yet.</p>`}
${inOrder.length > 0 && html`<ol class="rows">${inOrder.map((recipient) => recipientLine(transaction, recipient, acting.has(recipient.id), undelivered.get(recipient.id)))}</ol>`}
</section>`;
}

const recipientLine = (
  transaction: Transaction,
  recipient: Recipient,
  acts: boolean,
  undelivered: UndeliveredMail | undefined,
): Html =>
  html`<li${recipient.is_current && html` aria-current="step"`}><p class="head"><strong><bdi>${recipient.name}</bdi></strong> <span><bdi>${recipient.email}</bdi> · ${recipient.role}</span></p>
<p class="quiet">${recipientStatus(transaction, recipient, acts)}</p>${undelivered && html`<p class="remark">The email (${undelivered.kind}) could not be delivered: ${undelivered.reason}.</p>`}</li>`;

/** Writes a status such as `Asked to sign now · opened 2026-03-01 09:05 UTC`. */
function recipientStatus(
  { status, rejected_at, rejected_by_id }: Transaction,
  recipient: Recipient,
  acts: boolean,
): Html {
  const opened = recipient.opened_at && html` · link opened ${utcTime(recipient.opened_at)}`;
  if (recipient.submitted_at) return html`Signed ${utcTime(recipient.submitted_at)}${opened}`;
  if (recipient.id === rejected_by_id) return html`Rejected ${rejected_at && utcTime(rejected_at)}${opened}`;
  if (!acts) return html`Does not sign`;
  if (status === 'draft') return html`Not asked yet`;
  if (status !== 'started') return html`Did not sign${opened}`;
  return recipient.is_current
    ? html`Asked to sign now${opened || ' · link not opened yet'}`
    : html`Signs later`;
}

function sealedDocuments({ id, sealed_documents }: Transaction): Html | false {
  return (
    sealed_documents.length > 0 &&
    html`<section class="sheet"><h2>Signed documents</h2>
<ol class="rows">${sealed_documents.map(
      ({ id: sealedId, name, sha256 }) =>
        html`<li><p class="head"><a href="/transactions/${id}/sealed/${sealedId}.pdf"><bdi>${name}</bdi></a> <span>sealed PDF</span></p>
<p class="quiet">SHA-256 <code>${sha256}</code></p></li>`,
    )}</ol></section>`
  );
}

function documents({ id, content }: Transaction): Html {
  const inOrder = [...content.documents].sort((a, b) => a.index - b.index);
  return html`<section class="sheet"><h2>Documents</h2>
${inOrder.length === 0 && html`<p class="quiet">None yet.</p>`}
${inOrder.length > 0 && html`<ol class="rows">${inOrder.map((document) => documentLine(id, document))}</ol>`}
</section>`;
}

const documentLine = (id: string, { id: documentId, file, pages, remarks }: Document): Html =>
  html`<li><p class="head"><a href="/transactions/${id}/documents/${documentId}.pdf"><bdi>${file.original_name}</bdi></a> <span>${pages.length} page${pages.length === 1 ? '' : 's'}, as PDF</span></p>
${remarks.map((remark) => html`<p class="remark">${remarkOf(remark).message}</p>`)}</li>`;

const details = ({ id, content, created_at, sent_at, notification_endpoint }: Transaction): Html => {
  const entry = (label: string, value: HtmlValue) =>
    value && html`<dt>${label}</dt><dd dir="auto">${value}</dd>`;
  return html`<section class="sheet"><h2>Details</h2>
<dl><dt>ID</dt><dd><code>${id}</code></dd>
${entry('Description', content.description)}
${entry('Sent as', content.email_alias)}
${entry('Subject', content.email_subject)}
${entry('Message', content.email_body && html`<span class="lines">${content.email_body}</span>`)}
${entry('Events are sent to', notification_endpoint)}
${entry('Created', utcTime(created_at))}
${entry('Sent', sent_at && utcTime(sent_at))}
</dl></section>`;
};

async function history({ store }: UserRequest, { id }: Transaction): Promise<Html> {
  const query = { transaction_id: id, limit: LIMITS.eventsShown };
  await numberEvents(store);
  const events = await store.database.read((db) => listRecordedEvents(db, query));
  return html`<section class="sheet"><h2>Events</h2>
<ol class="rows">${events.map(
    ({ type, created, data }) =>
      html`<li><p class="head"><code>${type}</code> ${whose(data)}<span>${utcTime(created)}</span></p></li>`,
  )}</ol></section>`;
}

function whose({ recipient, rejected_by }: Record<string, unknown>): Html | false {
  const who = (recipient ?? rejected_by) as { name?: unknown } | undefined;
  return typeof who?.name === 'string' && html`<bdi>${who.name}</bdi> `;
}

// ── bytes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function sendDocument(request: UserRequest, id: string, documentId: string): Promise<Reply> {
  const transaction = await findOwnTransaction(request, id);
  if (!transaction.ok) return transaction.reply;
  const document = transaction.output.content.documents.find((item) => item.id === documentId);
  const file = document && (await request.context.read((db) => findFile(db, document.file.id)));
  if (!document || !file) return unknownTransaction(request);
  const { original_name } = document.file;
  return sendPdf(await request.store.blobs.get(file.pdf_sha256, `"${original_name}"`), original_name);
}

export async function sendSealed(request: UserRequest, id: string, sealedId: string): Promise<Reply> {
  const transaction = await findOwnTransaction(request, id);
  if (!transaction.ok) return transaction.reply;
  const sealed = transaction.output.sealed_documents.find((item) => item.id === sealedId);
  if (!sealed) return unknownTransaction(request);
  return sendPdf(await request.store.blobs.get(sealed.sha256, `"${sealed.name}"`), sealed.name);
}
