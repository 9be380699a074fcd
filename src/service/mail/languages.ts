// Loads the words of mails in each language. English is always loaded, because English subjects are written in commits; the
// others when a mail is read or sent.
import type { Language } from '../../api/contract/languages.ts';
import { EN, type MailWords } from './words/en.ts';

const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<MailWords>> = {
  de: async () => (await import('./words/de.ts')).DE,
  fr: async () => (await import('./words/fr.ts')).FR,
  es: async () => (await import('./words/es.ts')).ES,
  it: async () => (await import('./words/it.ts')).IT,
  pt: async () => (await import('./words/pt.ts')).PT,
  nl: async () => (await import('./words/nl.ts')).NL,
  pl: async () => (await import('./words/pl.ts')).PL,
};

export const loadMailWords = async (language: Language): Promise<MailWords> =>
  language === 'en' ? EN : OTHERS[language]();
