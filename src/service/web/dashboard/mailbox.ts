// Shows the mailbox: what recipients of a company's transactions were sent. Another company's mail is as unknown as one
// that does not exist. Where mail leaves the service, the signing addresses of others than the user are not shown.
import { LIMITS } from '../../../api/contract/limits.ts';
import { id as idText } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { inMailbox, type Mail, type MailMessage, renderMailHtml, renderMailText } from '../../mail/letter.ts';
import { type Html, html } from '../../rendering/html.ts';
import { findUser } from '../../store/accounts/accounts.ts';
import {
  attachmentsOf,
  deliveryStatesOf,
  findMail,
  listMails,
  type MailAttachment,
  type MailDelivery,
  type MailPerson,
} from '../../store/delivery/mails.ts';
import type { Found } from './forms.ts';
import { errorPage, show } from './layout.ts';
import { utcTime } from './lists.ts';
import type { UserRequest } from './request.ts';
import { sendFramed } from './response.ts';

export async function showMailbox(request: UserRequest): Promise<Reply> {
  const { user, store } = request;
  const { transaction, older } = queryOf(request);
  const { mails, states } = await store.database.read(async (db) => {
    const items = await listMails<MailMessage>(db, store.keys, {
      company_id: user.company_id,
      transaction_id: transaction,
      before: older,
      limit: LIMITS.mailsPerPage + 1,
    });
    const ids = items.map(({ id }) => id);
    return { mails: items, states: await deliveryStatesOf(db, ids) };
  });
  const shown = mails.slice(0, LIMITS.mailsPerPage);
  const last = mails.length > shown.length ? shown.at(-1) : undefined;
  return show(request, {
    title: 'Mailbox',
    body: html`<h1>Mailbox</h1>
<p class="lead">${whereItGoes(request)}</p>
${transaction !== undefined && html`<p>Only emails about <a href="/transactions/${transaction}">one transaction</a>. <a href="/mailbox">Show all emails</a></p>`}
${shown.length > 0 && html`<ul class="rows">${shown.map((mail) => line(mail, states.get(mail.id)))}</ul>`}
${shown.length === 0 && html`<p class="sheet quiet">There are no ${older !== undefined && 'older '}emails.</p>`}
${last && html`<nav class="actions" aria-label="Pages"><a class="button plain" rel="next" href="${addressOf({ transaction, older: last.id })}">Older</a></nav>`}`,
  });
}

const whereItGoes = ({ context }: UserRequest): string =>
  context.mail.smtp
    ? 'Emails to the recipients of your company’s transactions, newest first. A mail server delivers them as well.'
    : 'Emails to the recipients of your company’s transactions, newest first. They are not delivered, because no mail server is configured.';

/** An invalid id is ignored: an address may have been shortened on its way. */
function queryOf({ url }: UserRequest) {
  const idIn = (name: string): string | undefined => {
    const value = url.searchParams.get(name) ?? '';
    return idText.safeParse(value).success ? value : undefined;
  };
  return { transaction: idIn('transaction'), older: idIn('older') };
}

function addressOf(query: { transaction: string | undefined; older: string }): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/mailbox?${new URLSearchParams(pairs)}`;
}

const line = ({ id, subject, to, created }: Mail, delivery: MailDelivery | undefined): Html =>
  html`<li><p class="head"><a href="/mailbox/${id}"><bdi>${subject}</bdi></a> <span>${utcTime(created)}</span></p>
<p class="quiet">To ${person(to)}</p>${notDelivered(delivery)}</li>`;

const notDelivered = (delivery: MailDelivery | undefined): Html | false =>
  delivery?.state === 'undelivered' &&
  html`<p class="remark">Not delivered: ${delivery.reason ?? 'it failed'}.</p>`;

const person = ({ name, email }: MailPerson): Html =>
  html`<bdi>${name}</bdi>${name !== '' && ' '}<bdi>${name === '' ? email : `<${email}>`}</bdi>`;

type ShownMail = {
  mail: Mail;
  delivery: MailDelivery | undefined;
  attached: MailAttachment[];
  isHidden: boolean;
};

async function findMailById(request: UserRequest, id: string): Promise<Found<ShownMail>> {
  const { user, store, context } = request;
  const shown = await store.database.read(async (db): Promise<ShownMail | undefined> => {
    const mail = await findMail<MailMessage>(db, store.keys, id, user.company_id);
    if (!mail) return undefined;
    const attached = await attachmentsOf(db, mail.attachments);
    const isToUser = (await findUser(db, mail.to.email))?.id === user.id;
    const isHidden = context.mail.smtp !== undefined && !isToUser && isSecret(mail);
    const delivery = (await deliveryStatesOf(db, [id])).get(id);
    const visible = isHidden ? withoutAddress(mail) : inMailbox(store.keys, mail, user.id);
    return { mail: visible, delivery, attached, isHidden };
  });
  return shown ? { ok: true, output: shown } : { ok: false, reply: unknownMail(request) };
}

/** Anyone who has the URL of a signing page can act or read there. */
const isSecret = (mail: Mail): boolean => mail.letter.url !== null && mail.letter.urlLeadsTo !== 'dashboard';

const withoutAddress = (mail: Mail): Mail => ({ ...mail, letter: { ...mail.letter, url: null } });

const unknownMail = (request: UserRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Email not found',
    text: 'Your company has no email with this ID.',
    link: html`<a href="/mailbox">View all emails</a>`,
  });

export async function showMail(request: UserRequest, id: string): Promise<Reply> {
  const loaded = await findMailById(request, id);
  if (!loaded.ok) return loaded.reply;
  const { mail, delivery, attached, isHidden } = loaded.output;
  const { url } = mail.letter;
  return show(
    request,
    {
      title: mail.subject,
      body: html`<h1><bdi>${mail.subject}</bdi></h1>
<section class="sheet"><h2>Message</h2>
<dl><dt>From</dt><dd>${person(mail.from)}</dd>
${mail.replyTo && html`<dt>Reply to</dt><dd>${person(mail.replyTo)}</dd>`}
<dt>To</dt><dd>${person(mail.to)}</dd>
<dt>Sent</dt><dd>${utcTime(mail.created)}</dd>
<dt>About</dt><dd><a href="/transactions/${mail.transaction_id}">the transaction</a></dd>
${attached.map(({ id: sealedId, name }) => html`<dt>Attached</dt><dd><a href="/transactions/${mail.transaction_id}/sealed/${sealedId}.pdf"><bdi>${name}</bdi></a></dd>`)}</dl>${notDelivered(delivery)}
${url !== null && html`<p><a class="button" href="${url}">Open the link</a></p>`}
${isHidden && html`<p class="quiet">The link is not shown here, because anyone who has it can sign as <bdi>${mail.to.name}</bdi>.</p>`}
</section>
<section class="sheet"><h2>HTML</h2>
<iframe sandbox="" src="/mailbox/${id}/html" title="The email as mail programs display it"></iframe></section>
<section class="sheet"><h2>Plain text</h2>
<p class="lines" dir="auto" lang="${mail.language}">${await renderMailText(mail)}</p></section>`,
    },
    { hasFrame: true },
  );
}

export async function sendMailHtml(request: UserRequest, id: string): Promise<Reply> {
  const mail = await findMailById(request, id);
  return mail.ok ? sendFramed(await renderMailHtml(mail.output.mail)) : mail.reply;
}
