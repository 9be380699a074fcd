// A letter in words: its parts in the order in which they are read, and the whole as plain text. HTML is made of the same
// parts.
import { timeIn } from '../localized.ts';
import type { StoredMail } from '../store/mails.ts';
import { inSentence, linesOf } from './header-text.ts';
import { mailWordsOf } from './languages.ts';
import type { Letter } from './letter.ts';
import type { MailWords } from './words/en.ts';

export type Mail = StoredMail<Letter>;

/** All but those that were written before there were letters. */
export type Letters = Omit<Mail, 'letter'> & { letter: Letter };

export type Fact = { label: string; values: string[] };

/** What stands in a mail. Every text but `message` is a line of ours, with names in it. */
export type LetterParts = {
  /** What the sender wrote stands at the top of an invitation, as if they had sent it themselves. */
  opening: string[];
  message: string;
  lead: string;
  action: { label: string; url: string } | null;
  facts: Fact[];
  notes: string[];
};

export async function partsOf(mail: Letters): Promise<LetterParts> {
  const { letter, kind, to } = mail;
  const words = await mailWordsOf(mail.language);
  const isOwnText = kind === 'invitation' && letter.message !== '';
  return {
    opening: isOwnText ? [] : [words.hello(inSentence(to.name || to.email))],
    message: linesOf(letter.message),
    lead: leadOf(mail, words),
    action: actionOf(letter, words),
    facts: factsOf(mail, words),
    notes: notesOf(mail, words),
  };
}

function factsOf({ kind, letter, language }: Letters, words: MailWords): Fact[] {
  const { sender, documents, until, reason } = letter;
  const at = until === null ? [] : [timeIn(language, until, letter.timeZone)];
  return [
    { label: words.from, values: sender.email ? [`${inSentence(sender.name)} (${sender.email})`] : [] },
    { label: words.documents, values: documents.map(inSentence) },
    { label: kind === 'expired' ? words.expiredAt : words.until, values: at },
    { label: words.reason, values: reason === null ? [] : [linesOf(reason)] },
  ].filter(({ values }) => values.length > 0);
}

function leadOf({ kind, letter }: Letters, words: MailWords): string {
  const name = inSentence(letter.transaction || words.nameless);
  const sender = inSentence(letter.sender.name || letter.sender.email);
  switch (kind) {
    case 'invitation':
      return letter.isProxy ? words.asksYouProxy(sender, name) : words.asksYou(sender, name);
    case 'reminder':
      return words.remindsYou(sender, name);
    case 'completed':
      return words.everyoneSigned(name);
    case 'rejected':
      return words.rejectedBy(inSentence(letter.by ?? sender), name);
    case 'cancelled':
      return words.cancelledBy(sender, name);
    case 'expired':
      return words.timeIsUp(name);
  }
}

const ACTION = {
  signing: 'reviewAndSign',
  documents: 'getDocuments',
  dashboard: 'seeTransaction',
} as const satisfies Record<Letter['urlLeadsTo'], keyof MailWords>;

const actionOf = ({ url, urlLeadsTo }: Letter, words: MailWords): LetterParts['action'] =>
  url === null ? null : { label: words[ACTION[urlLeadsTo]], url };

function notesOf({ letter, attachments, replyTo }: Letters, words: MailWords): string[] {
  const { url, urlLeadsTo } = letter;
  return [
    attachments.length > 0 && words.attached,
    url !== null && urlLeadsTo === 'signing' && words.personal,
    url !== null && urlLeadsTo === 'documents' && words.personalView,
    replyTo && words.reply(inSentence(replyTo.name || replyTo.email)),
  ].filter((note): note is string => typeof note === 'string');
}

export const hasLetter = (mail: Mail): mail is Letters => typeof mail.letter !== 'string';

/** The whole mail as plain text. */
export async function textOfMail(mail: Mail): Promise<string> {
  if (!hasLetter(mail)) return mail.letter as string;
  const { opening, message, lead, action, facts, notes } = await partsOf(mail);
  const isOwnText = opening.length === 0;
  const paragraphs = [
    ...opening,
    ...(isOwnText ? [message, lead] : [lead, message]),
    action && `${action.label}:\n${action.url}`,
    facts.map(({ label, values }) => `${label}: ${values.join(', ')}`).join('\n'),
    ...notes,
  ];
  return `${paragraphs.filter((paragraph) => paragraph).join('\n\n')}\n`;
}
