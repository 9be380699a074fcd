// The words of mails in every language: all of them translated, every name where it belongs, nothing lost.
import { describe, expect, test } from 'vitest';
import { MAIL_KINDS } from '../../../src/api/contract/events.ts';
import { isLanguage, LANGUAGES } from '../../../src/api/contract/languages.ts';
import { renderMailHtml, renderMailText } from '../../../src/service/mail/letter.ts';
import {
  headerText,
  inSentence,
  loadMailWords,
  type MailWords,
  subjectOf,
  VALUES,
} from '../../../src/service/mail/words.ts';
import { mailWith } from '../../support/fixtures/mails.ts';
import { sampleOf } from '../../support/tier.ts';

const EN = await loadMailWords('en');
const ALL = Object.keys(LANGUAGES).filter(isLanguage);
const KEYS = Object.keys(EN) as (keyof MailWords)[];
const NAMES = ['Qwxz', 'Zxwq'];

const valuesOf = (key: keyof MailWords): readonly string[] =>
  (VALUES as Record<string, readonly string[]>)[key] ?? [];

const said = (words: MailWords, key: keyof MailWords): string => {
  const entry = words[key] as string | ((values: object) => string);
  if (typeof entry === 'string') return entry;
  return entry(Object.fromEntries(valuesOf(key).map((name, index) => [name, NAMES[index]])));
};

/** Words that are the same in another language. */
const SAME = new Set(['fr documents', 'de reason']);

describe('the words of mails', () => {
  test.each(sampleOf(ALL, 2))('%s has every sentence, each with its names', async (language) => {
    const words = await loadMailWords(language);
    expect(Object.keys(words)).toEqual(KEYS);
    for (const key of KEYS) {
      const sentence = said(words, key);
      expect([key, sentence.trim()]).toEqual([key, sentence]);
      expect(sentence).not.toBe('');
      for (const name of NAMES.slice(0, valuesOf(key).length)) expect(sentence.split(name)).toHaveLength(2);
      if (language !== 'en' && !SAME.has(`${language} ${key}`))
        expect([key, sentence]).not.toEqual([key, said(EN, key)]);
    }
  });

  test.each(ALL)('make whole mails in %s', async (language) => {
    for (const kind of MAIL_KINDS) {
      const mail = mailWith({ kind, language, letter: { by: 'Bob', reason: 'Too late', message: 'Hello' } });
      const [text, html] = [await renderMailText(mail), await renderMailHtml(mail)];
      for (const one of [text, html]) expect(one).not.toMatch(/\b(undefined|null)\b|\[object/);
      expect(html).toContain(`<html lang="${language}" dir="ltr">`);
      expect(text).toContain('https://sign.example/sign?token=T');
      expect(text).not.toMatch(/\n{3}/);
    }
  });
});

describe('the subject', () => {
  const facts = { transaction: 'Lease', email_subject: '' };
  test('is what the sender wrote, where a recipient is asked to sign', () => {
    const own = { ...facts, email_subject: 'Your lease' };
    expect(subjectOf('invitation', own, EN)).toBe('Your lease');
    expect(subjectOf('reminder', own, EN)).toBe('Reminder: Your lease');
    expect(subjectOf('completed', own, EN)).toBe('Signed by everyone: Lease');
  });
  test('has a text where nothing has a name', () => {
    expect(subjectOf('invitation', { transaction: '', email_subject: ' ' }, EN)).toBe('Documents to sign');
    expect(subjectOf('expired', { transaction: '', email_subject: '' }, EN)).toBe(
      'Expired: Documents to sign',
    );
  });
});

describe('a name', () => {
  test('is isolated in a sentence only where its direction could reach beyond it', () => {
    expect(inSentence('Ada')).toBe('Ada');
    expect(inSentence('עדה')).toBe('\u2068עדה\u2069');
    expect(inSentence('\u202eAda')).toBe('Ada');
  });
  test('is cut in a header by characters, never in the middle of one', () => {
    expect(headerText('😀'.repeat(300))).toBe(`${'😀'.repeat(254)}…`);
    expect(headerText('abc', 3)).toBe('abc');
    expect(headerText('abcd', 3)).toBe('ab…');
  });
});
