// A letter in words: its parts in the order in which they are read, and the whole as plain text. HTML is made of the same
// parts.
import { LIMITS } from '../../api/contract/limits.ts';
import { timeIn } from '../rendering/localized.ts';
import type { StoredMail } from '../store/delivery/mails.ts';
import { headerText, inSentence, linesOf } from './header-text.ts';
import type { MailMessage } from './mail-message.ts';
import type { MailWords } from './words.ts';
import { loadMailWords } from './words.ts';

export type Mail = StoredMail<MailMessage>;

export type Fact = { label: string; values: string[] };

/** What stands in a mail. Every text but `message` is a line of ours, with names in it. */
export type MailParts = {
  greeting: string;
  lead: string;
  /** What the sender wrote, under a line that says so: nothing of it can be taken for words of ours. */
  quote: { by: string; text: string } | null;
  action: { label: string; url: string } | null;
  facts: Fact[];
  notes: string[];
};

export async function mailPartsOf(mail: Mail): Promise<MailParts> {
  const { letter, to } = mail;
  const words = await loadMailWords(mail.language);
  const text = linesOf(letter.message);
  return {
    greeting: words.hello({ name: inSentence(to.name || to.email) }),
    lead: leadOf(mail, words),
    quote: text === '' ? null : { by: words.writes({ sender: senderIn(letter) }), text },
    action: actionOf(letter, words),
    facts: factsOf(mail, words),
    notes: notesOf(mail, words),
  };
}

function factsOf({ kind, letter, language }: Mail, words: MailWords): Fact[] {
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

/** With the company, where the letter knows it. */
function fromOf({ sender, company }: MailMessage): string {
  const names = [sender.name, company?.name ?? ''].filter((name) => name !== '').map(inSentence);
  return `${names.join(', ')} (${sender.email})`;
}

/** As text, for the one link of a mail is ours. */
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

/** The whole mail as plain text. */
export async function renderMailText(mail: Mail): Promise<string> {
  const { greeting, lead, quote, action, facts, notes } = await mailPartsOf(mail);
  const paragraphs = [
    greeting,
    lead,
    quote && `${quote.by}\n${quote.text.replace(/^/gm, '> ')}`,
    action && `${action.label}:\n${action.url}`,
    facts.map(({ label, values }) => `${label}: ${values.join(', ')}`).join('\n'),
    ...notes,
  ];
  return `${paragraphs.filter((paragraph) => paragraph).join('\n\n')}\n`;
}
