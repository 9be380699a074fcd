// What mails say, in Polish. Sentences avoid "Pan" and "Pani", and past tenses that have a gender.
import type { MailWords } from './en.ts';

export const PL: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Prośba o podpis: ${name}`,
  reminder: (subject) => `Przypomnienie: ${subject}`,
  completed: (name) => `Podpisane przez wszystkich: ${name}`,
  rejected: (name) => `Odrzucone: ${name}`,
  cancelled: (name) => `Anulowane: ${name}`,
  expired: (name) => `Po terminie: ${name}`,
  nameless: 'Dokumenty do podpisania',

  // ── what happened ──
  hello: (name) => `Dzień dobry, ${name}!`,
  writes: (sender) => `${sender} pisze:`,
  asksYou: (sender, name) => `${sender} prosi o podpisanie „${name}”.`,
  asksYouProxy: (sender, name) => `${sender} prosi o podpisanie „${name}” w imieniu innej osoby.`,
  remindsYou: (sender, name) => `${sender} czeka na podpisanie „${name}”.`,
  everyoneSigned: (name) => `Wszyscy podpisali „${name}”.`,
  yourTurn: (name) => `Teraz Pani/Pana kolej, aby podpisać „${name}”.`,
  youRejected: (name) =>
    `Prośba „${name}” została przez Panią/Pana odrzucona. Dokumentów nie można już podpisać.`,
  youCancelled: (name) =>
    `Prośba „${name}” została przez Panią/Pana anulowana. Dokumentów nie można już podpisać.`,
  rejectedBy: (who, name) => `Prośbę „${name}” odrzuciła osoba: ${who}. Dokumentów nie można już podpisać.`,
  cancelledBy: (sender, name) =>
    `Prośbę „${name}” anulowała osoba: ${sender}. Dokumentów nie można już podpisać.`,
  timeIsUp: (name) => `Termin podpisania „${name}” minął. Dokumentów nie można już podpisać.`,

  // ── facts ──
  from: 'Od',
  documents: 'Dokumenty',
  until: 'Termin podpisania',
  expiredAt: 'Termin minął',
  reason: 'Powód',
  imprint: 'Nota prawna',
  privacy: 'Polityka prywatności',

  // ── what to do ──
  reviewAndSign: 'Przeczytaj i podpisz',
  getDocuments: 'Zobacz i pobierz dokumenty',
  seeTransaction: 'Zobacz w panelu',

  // ── notes ──
  attached: 'Podpisane dokumenty są w załączniku. Prosimy je zachować.',
  personal:
    'Ten link jest przeznaczony tylko dla adresata. Prosimy nie przekazywać tej wiadomości: każdy, kto ma link, może podpisać w imieniu adresata.',
  personalView:
    'Ten link jest przeznaczony tylko dla adresata. Prosimy nie przekazywać tej wiadomości: każdy, kto ma link, może przeczytać dokumenty.',
  reply: (sender) => `Odpowiedź na tę wiadomość otrzyma: ${sender}.`,
};
