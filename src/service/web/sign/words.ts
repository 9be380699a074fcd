// What the signing pages say: a file for each language in words/, with the keys of English. Names, and whatever else comes from
// outside, arrive isolated (`isolateDirection`).
import type { Language } from '../../../api/contract/languages.ts';
import { type Sentences, sentencesOf, type ValueNames, type WordFile } from '../../rendering/language.ts';

const loadEnglish = () => import('./words/en.json', { with: { type: 'json' } });

type English = Awaited<ReturnType<typeof loadEnglish>>['default'];

/** Sentences have these values. A call with a value missing, or with one of another name, does not compile. */
export const VALUES = {
  error: ['title'],
  filledAtSigning: ['zone'],
  asksYou: ['sender'],
  asksYouProxy: ['sender'],
  pageCount: ['count'],
  pageOf: ['page', 'count'],
  fieldsLeft: ['count'],
  onPage: ['page', 'document'],
  cannotShowPage: ['page'],
  remarkContentMissing: ['page'],
  unshownElsewhere: ['document'],
  face: ['number'],
  changeField: ['label'],
  rejectLead: ['sender'],
  reasonHint: ['sender'],
  reasonTooLong: ['count'],
  rejectedBy: ['name'],
  cancelledBy: ['sender'],
  expiredLead: ['sender'],
  failedLead: ['id'],
  wrongRequired: ['label'],
  wrongSignature: ['label'],
  wrongTicked: ['label'],
  wrongOption: ['label'],
  wrongEmail: ['label'],
  wrongDate: ['label'],
  wrongNumber: ['label', 'example'],
  wrongDrawing: ['label'],
  verySmall: ['label'],
  wrongPattern: ['label'],
  wrongUntestable: ['label'],
  wrongMinValue: ['label', 'limit'],
  wrongMaxValue: ['label', 'limit'],
  wrongMinLength: ['label', 'count'],
  wrongCharacters: ['label', 'characters'],
  wrongMaxLength: ['label', 'count'],
} as const satisfies ValueNames<English>;

export type Words = Sentences<English, typeof VALUES>;

/** A language that lacks a sentence of English does not compile. */
const FILES: Record<Language, () => Promise<{ default: WordFile<English> }>> = {
  en: loadEnglish,
  de: () => import('./words/de.json', { with: { type: 'json' } }),
  fr: () => import('./words/fr.json', { with: { type: 'json' } }),
  es: () => import('./words/es.json', { with: { type: 'json' } }),
  it: () => import('./words/it.json', { with: { type: 'json' } }),
  pt: () => import('./words/pt.json', { with: { type: 'json' } }),
  nl: () => import('./words/nl.json', { with: { type: 'json' } }),
  pl: () => import('./words/pl.json', { with: { type: 'json' } }),
};

/** Loads a language when a page uses it. */
export async function loadWords(language: Language): Promise<Words> {
  const { default: words } = await FILES[language]();
  return sentencesOf<English, typeof VALUES>(language, words, VALUES);
}
