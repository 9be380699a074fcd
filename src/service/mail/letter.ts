// Renders letters. A letter is the content of a mail as data: it is written in the commit that causes it, and becomes text
// and HTML when the mail is read or sent, out of the same parts. The HTML has tables and styles inside of elements, because
// mail programs know little more; no picture, nothing that is loaded. It reads on a telephone and in dark mode
// (mail-html.css, for programs that know it; the others show what the elements say). The only link is the one of ours: what
// the sender wrote is text.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Instant } from '../../common/instant.ts';
import { asIs, type Html, html, markupText } from '../rendering/html.ts';
import { timeIn } from '../rendering/language.ts';
import type { StoredMail } from '../store/delivery/mails.ts';
import type { Keys } from '../store/keys.ts';
import { markOf, signingUrl } from './links.ts';
import DARK from './mail-html.css';
import { headerText, inSentence, linesOf, loadMailWords, type MailWords } from './words.ts';

export type MailMessage = {
  /** The name is empty where the sender gave none. */
  transaction: string;
  sender: { name: string; email: string };
  /** The company of the sender shows these addresses to recipients. Older letters have none. */
  company?: { name: string; imprint: string | null; privacy: string | null };
  isProxy: boolean;
  /** The reader did what the letter tells, or asks for it. Older letters have none. */
  isOwn?: boolean;
  /** The sender wrote it. It is text and nothing else. */
  message: string;
  documents: string[];
  until: Instant | null;
  timeZone: string | null;
  /** A recipient of this name rejected it, or a colleague of the sender cancelled it. */
  by: string | null;
  reason: string | null;
  /** The reader continues there. The address of a signing page is a secret. */
  url: string | null;
  urlLeadsTo: 'signing' | 'documents' | 'dashboard';
};

export type Mail = StoredMail<MailMessage>;

export async function renderMailText(mail: Mail): Promise<string> {
  const { greeting, lead, quote, action, details, notes } = await mailPartsOf(mail);
  const paragraphs = [
    greeting,
    lead,
    quote && `${quote.by}\n${quote.text.replace(/^/gm, '> ')}`,
    action && `${action.label}:\n${action.url}`,
    details.map(({ label, values }) => `${label}: ${values.join(', ')}`).join('\n'),
    ...notes,
  ];
  return `${paragraphs.filter((paragraph) => paragraph).join('\n\n')}\n`;
}

type Detail = { label: string; values: string[] };

/** Every text but that of the sender is a line of ours, with names in it. */
type MailParts = {
  greeting: string;
  lead: string;
  /** The words of the sender stand under a line that says so: nothing of them can be taken for words of ours. */
  quote: { by: string; text: string } | null;
  action: { label: string; url: string } | null;
  details: Detail[];
  notes: string[];
};

async function mailPartsOf(mail: Mail): Promise<MailParts> {
  const { letter, to } = mail;
  const words = await loadMailWords(mail.language);
  const text = linesOf(letter.message);
  return {
    greeting: words.hello({ name: inSentence(to.name || to.email) }),
    lead: leadOf(mail, words),
    quote: text === '' ? null : { by: words.writes({ sender: senderIn(letter) }), text },
    action: actionOf(letter, words),
    details: detailsOf(mail, words),
    notes: notesOf(mail, words),
  };
}

function detailsOf({ kind, letter, language }: Mail, words: MailWords): Detail[] {
  const { sender, company, documents, until, reason } = letter;
  const at = until === null ? [] : [timeIn(language, until, letter.timeZone)];
  return [
    { label: words.from, values: sender.email ? [fromOf(letter)] : [] },
    { label: words.documents, values: documents.map(inSentence) },
    { label: kind === 'expired' ? words.expiredAt : words.until, values: at },
    { label: words.reason, values: reason === null ? [] : [linesOf(reason)] },
    { label: words.imprint, values: company?.imprint ? [addressIn(company.imprint)] : [] },
    { label: words.privacy, values: company?.privacy ? [addressIn(company.privacy)] : [] },
  ].filter(({ values }) => values.length > 0);
}

function fromOf({ sender, company }: MailMessage): string {
  const names = [sender.name, company?.name ?? ''].filter((name) => name !== '').map(inSentence);
  return `${names.join(', ')} (${sender.email})`;
}

/** An address is text here, for the one link of a mail is ours. */
const addressIn = (address: string): string => headerText(address.replace(/^mailto:/, ''), LIMITS.urlLength);

const senderIn = ({ sender }: MailMessage): string => inSentence(sender.name || sender.email);

function leadOf({ kind, letter }: Mail, words: MailWords): string {
  const name = inSentence(letter.transaction || words.nameless);
  const sender = senderIn(letter);
  switch (kind) {
    case 'invitation':
      if (letter.isOwn) return words.yourTurn({ name });
      return letter.isProxy ? words.asksYouProxy({ sender, name }) : words.asksYou({ sender, name });
    case 'reminder':
      return letter.isOwn ? words.yourTurn({ name }) : words.remindsYou({ sender, name });
    case 'completed':
      return words.everyoneSigned({ name });
    case 'rejected':
      return letter.isOwn
        ? words.youRejected({ name })
        : words.rejectedBy({ by: inSentence(letter.by ?? sender), name });
    case 'cancelled':
      return letter.isOwn
        ? words.youCancelled({ name })
        : words.cancelledBy({ sender: inSentence(letter.by ?? sender), name });
    case 'expired':
      return words.timeIsUp({ name });
  }
}

const ACTION = {
  signing: 'reviewAndSign',
  documents: 'getDocuments',
  dashboard: 'seeTransaction',
} as const satisfies Record<MailMessage['urlLeadsTo'], keyof MailWords>;

const actionOf = ({ url, urlLeadsTo }: MailMessage, words: MailWords): MailParts['action'] =>
  url === null ? null : { label: words[ACTION[urlLeadsTo]], url };

function notesOf({ letter, attachments, replyTo }: Mail, words: MailWords): string[] {
  const { url, urlLeadsTo } = letter;
  return [
    attachments.length > 0 && words.attached,
    url !== null && urlLeadsTo === 'signing' && words.personal,
    url !== null && urlLeadsTo === 'documents' && words.personalView,
    replyTo && words.reply({ sender: inSentence(replyTo.name || replyTo.email) }),
  ].filter((note): note is string => typeof note === 'string');
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';

export const renderMailHtml = async (mail: Mail): Promise<string> =>
  markupText(frame(mail, bodyOf(await mailPartsOf(mail))));

/** All languages that there are words in read from left to right; a name in another script is isolated. */
const frame = (mail: Mail, content: Html): Html => html`<!doctype html>
<html lang="${mail.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${headerText(mail.subject)}</title>
<style>
${asIs(DARK)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#faf9f6">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#faf9f6">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dcd9d1;border-radius:8px">
<tr><td style="padding:24px 20px;${FONT};font-size:16px;line-height:1.5;${BREAKS}">
${content}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

function bodyOf({ greeting, lead, quote, action, details, notes }: MailParts): Html {
  return html`${paragraph(greeting, 'ink')}
${paragraph(lead, 'ink')}
${quote && quoteBox(quote)}
${action && button(action)}
${
  details.length > 0 &&
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${details.map(
    ({ label, values }) =>
      html`<tr><td class="soft" style="padding:2px 0 0;color:#5a6372;font-size:14px">${label}</td></tr>
<tr><td class="ink" dir="auto" style="padding:0 0 8px;color:#1c2330;white-space:pre-wrap">${values.join('\n')}</td></tr>`,
  )}</table>`
}
${notes.map((note) => paragraph(note, 'soft'))}`;
}

const quoteBox = ({ by, text }: NonNullable<MailParts['quote']>): Html =>
  html`<p class="soft" dir="auto" style="margin:0 0 4px;font-size:14px;color:#5a6372">${by}</p>
<blockquote class="said ink" dir="auto" style="margin:0 0 16px;padding:12px 16px;background:#eef3ef;color:#1c2330;border-radius:4px;white-space:pre-wrap">${text}</blockquote>`;

const COLOR = { ink: '#1c2330', soft: '#5a6372' } as const;

const paragraph = (text: string, color: keyof typeof COLOR): Html =>
  html`<p class="${color}" dir="auto" style="margin:0 0 16px;color:${COLOR[color]};white-space:pre-wrap${color === 'soft' && ';font-size:14px'}">${text}</p>`;

/** The address stands below it as well: some programs show no links, and people want to see where they go. */
const button = ({
  label,
  url,
}: NonNullable<
  MailParts['action']
>): Html => html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px">
<tr><td class="button" style="background:#1d5c48;border-radius:6px"><a href="${url}" style="display:inline-block;padding:12px 24px;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></td></tr>
</table>
<p class="soft" style="margin:0 0 16px;font-size:13px;color:#5a6372"><a class="link" href="${url}" style="color:#1d5c48">${url}</a></p>`;

/**
 * Shows a mail in the mailbox. Whoever opens its signing link there has not received the email, so that the link has another mark than the
 * one that is sent.
 * @param user_id who is signed in to the dashboard; undefined for a program of the sandbox
 */
export function inMailbox(keys: Pick<Keys, 'derive'>, mail: Mail, user_id?: string): Mail {
  const { url, urlLeadsTo } = mail.letter;
  const { origin, searchParams } = new URL(url ?? 'about:blank');
  const token = searchParams.get('token');
  if (urlLeadsTo !== 'signing' || token === null) return mail;
  const marked = signingUrl(origin, token, markOf(keys, token, { by: 'mailbox', user_id }));
  return { ...mail, letter: { ...mail.letter, url: marked } };
}
