// What mails say, in German. Readers are addressed as "Sie".
import type { MailWords } from './en.ts';

export const DE: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Bitte unterschreiben: ${name}`,
  reminder: (subject) => `Erinnerung: ${subject}`,
  completed: (name) => `Von allen unterschrieben: ${name}`,
  rejected: (name) => `Abgelehnt: ${name}`,
  cancelled: (name) => `Storniert: ${name}`,
  expired: (name) => `Abgelaufen: ${name}`,
  nameless: 'Dokumente zum Unterschreiben',

  // ── what happened ──
  hello: (name) => `Guten Tag ${name},`,
  writes: (sender) => `${sender} schreibt:`,
  asksYou: (sender, name) => `${sender} bittet Sie, „${name}“ zu unterschreiben.`,
  asksYouProxy: (sender, name) =>
    `${sender} bittet Sie, „${name}“ stellvertretend für eine andere Person zu unterschreiben.`,
  remindsYou: (sender, name) => `${sender} wartet auf Ihre Unterschrift unter „${name}“.`,
  everyoneSigned: (name) => `Alle haben „${name}“ unterschrieben.`,
  yourTurn: (name) => `Sie sind an der Reihe, „${name}“ zu unterschreiben.`,
  youRejected: (name) =>
    `Sie haben „${name}“ abgelehnt. Die Dokumente können nicht mehr unterschrieben werden.`,
  youCancelled: (name) =>
    `Sie haben „${name}“ storniert. Die Dokumente können nicht mehr unterschrieben werden.`,
  rejectedBy: (who, name) =>
    `${who} hat „${name}“ abgelehnt. Die Dokumente können nicht mehr unterschrieben werden.`,
  cancelledBy: (sender, name) =>
    `${sender} hat „${name}“ storniert. Die Dokumente können nicht mehr unterschrieben werden.`,
  timeIsUp: (name) =>
    `Die Frist zum Unterschreiben von „${name}“ ist abgelaufen. Die Dokumente können nicht mehr unterschrieben werden.`,

  // ── facts ──
  from: 'Von',
  documents: 'Dokumente',
  until: 'Unterschreiben bis',
  expiredAt: 'Abgelaufen am',
  reason: 'Grund',
  imprint: 'Impressum',
  privacy: 'Datenschutzhinweise',

  // ── what to do ──
  reviewAndSign: 'Ansehen und unterschreiben',
  getDocuments: 'Dokumente ansehen und herunterladen',
  seeTransaction: 'Im Dashboard ansehen',

  // ── notes ──
  attached: 'Die unterschriebenen Dokumente sind angehängt. Bewahren Sie sie auf.',
  personal:
    'Dieser Link ist nur für Sie bestimmt. Leiten Sie diese E-Mail nicht weiter: Wer den Link hat, kann in Ihrem Namen unterschreiben.',
  personalView:
    'Dieser Link ist nur für Sie bestimmt. Leiten Sie diese E-Mail nicht weiter: Wer den Link hat, kann die Dokumente lesen.',
  reply: (sender) => `Ihre Antwort auf diese E-Mail geht an ${sender}.`,
};
