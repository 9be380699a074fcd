// Has the words of mails: each language has a file in words/, with the keys of English. Text from outside stands among
// these words and in headers only after it was cleaned here: a header stays one line of one direction in any case.
import type { MailKind } from '../../api/contract/events.ts';
import type { Language } from '../../api/contract/languages.ts';
import {
  isolateDirection,
  type Sentences,
  sentencesOf,
  type ValueNames,
  type WordFile,
} from '../rendering/language.ts';
import english from './words/en.json' with { type: 'json' };

/** Sentences have these values. A call with a value missing, or with one of another name, does not compile. */
export const VALUES = {
  pleaseSign: ['name'],
  reminder: ['subject'],
  completed: ['name'],
  rejected: ['name'],
  cancelled: ['name'],
  expired: ['name'],
  hello: ['name'],
  writes: ['sender'],
  asksYou: ['sender', 'name'],
  asksYouProxy: ['sender', 'name'],
  remindsYou: ['sender', 'name'],
  everyoneSigned: ['name'],
  yourTurn: ['name'],
  youRejected: ['name'],
  youCancelled: ['name'],
  rejectedBy: ['by', 'name'],
  cancelledBy: ['sender', 'name'],
  timeIsUp: ['name'],
  reply: ['sender'],
} as const satisfies ValueNames<typeof english>;

export type MailWords = Sentences<typeof english, typeof VALUES>;

/** English is always loaded, because English subjects are written in commits. */
const EN: MailWords = sentencesOf<typeof english, typeof VALUES>('en', english, VALUES);

/** A language that lacks a sentence of English does not compile. */
const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: WordFile<typeof english> }>> = {
  de: () => import('./words/de.json', { with: { type: 'json' } }),
  fr: () => import('./words/fr.json', { with: { type: 'json' } }),
  es: () => import('./words/es.json', { with: { type: 'json' } }),
  it: () => import('./words/it.json', { with: { type: 'json' } }),
  pt: () => import('./words/pt.json', { with: { type: 'json' } }),
  nl: () => import('./words/nl.json', { with: { type: 'json' } }),
  pl: () => import('./words/pl.json', { with: { type: 'json' } }),
};

/** Loads a language when a mail is written, read or sent in it. */
export async function loadMailWords(language: Language): Promise<MailWords> {
  if (language === 'en') return EN;
  const { default: words } = await OTHERS[language]();
  return sentencesOf<typeof english, typeof VALUES>(language, words, VALUES);
}

/**
 * It matches controls, line ends of every kind, marks that turn the direction of text, and characters without width.
 */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu;
const HALF_CHARACTER = /[\ud800-\udfff]/gu;

/** A mail program would decode this (RFC 2047), so that such text would say something else when it is read. */
const ENCODED = /=(?=\?)/gu;

/** The line stays short enough for every mail program to show. @param most in characters */
export function headerText(text: string, most = 255): string {
  const line = text
    .replace(UNSEEN, ' ')
    .replace(HALF_CHARACTER, '\ufffd')
    .replace(ENCODED, '= ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/** Cleans a text of several lines: every line end is one of ours, and there are no other controls. */
export const linesOf = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029\u000b\u000c]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(HALF_CHARACTER, '\ufffd')
    .trim();

/** Scripts from right to left begin after these characters; the pattern below takes longer to compile. */
const PERHAPS_RIGHT_TO_LEFT = /[^\u0000-\u058f]/;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Writes a name into a sentence of ours. Most mail programs show the marks of direction as nothing, some as a box: only
 * where needed.
 */
export function inSentence(text: string): string {
  const line = headerText(text);
  return PERHAPS_RIGHT_TO_LEFT.test(line) && RIGHT_TO_LEFT.test(line) ? isolateDirection(line) : line;
}

/** Chooses the subject. The sender's own is for mails that ask for a signature. */
export function subjectOf(
  kind: MailKind,
  { transaction, email_subject }: { transaction: string; email_subject: string },
  words: MailWords,
): string {
  const name = transaction || words.nameless;
  const request =
    headerText(email_subject) || (transaction ? words.pleaseSign({ name: transaction }) : words.nameless);
  if (kind === 'invitation') return headerText(request);
  return headerText(kind === 'reminder' ? words.reminder({ subject: request }) : words[kind]({ name }));
}
