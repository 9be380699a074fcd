// What mails say: a file for each language in words/, with the keys of English. Names, and whatever else comes from outside, arrive
// ready to stand in a sentence (`inSentence` in header-text.ts).
import type { Language } from '../../api/contract/languages.ts';
import { type Sentences, sentencesOf, type ValueNames, type WordFile } from '../rendering/sentences.ts';
import english from './words/en.json' with { type: 'json' };

/** The values of sentences. A call with a value missing, or with one of another name, does not compile. */
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
