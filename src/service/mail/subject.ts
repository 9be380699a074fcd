// Writes the subject of a mail: the sender's, where there is one and the mail asks for a signature, otherwise ours.
import type { MailKind } from '../../api/contract/events.ts';
import { headerText } from './header-text.ts';
import type { MailWords } from './words.ts';

export type SubjectFacts = { transaction: string; email_subject: string };

export function subjectOf(
  kind: MailKind,
  { transaction, email_subject }: SubjectFacts,
  words: MailWords,
): string {
  const name = transaction || words.nameless;
  const asking =
    headerText(email_subject) || (transaction ? words.pleaseSign({ name: transaction }) : words.nameless);
  if (kind === 'invitation') return headerText(asking);
  return headerText(kind === 'reminder' ? words.reminder({ subject: asking }) : words[kind]({ name }));
}
