// What mails say, in French. Readers are addressed as "vous"; a no-break space stands before ? : ; and in « ».
import type { MailWords } from './en.ts';

const quoted = (name: string): string => `«\u00a0${name}\u00a0»`;

export const FR: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `À signer\u00a0: ${name}`,
  reminder: (subject) => `Rappel\u00a0: ${subject}`,
  completed: (name) => `Signé par tous\u00a0: ${name}`,
  rejected: (name) => `Refusé\u00a0: ${name}`,
  cancelled: (name) => `Annulé\u00a0: ${name}`,
  expired: (name) => `Expiré\u00a0: ${name}`,
  nameless: 'Documents à signer',

  // ── what happened ──
  hello: (name) => `Bonjour ${name},`,
  writes: (sender) => `${sender} écrit\u00a0:`,
  asksYou: (sender, name) => `${sender} vous demande de signer ${quoted(name)}.`,
  asksYouProxy: (sender, name) =>
    `${sender} vous demande de signer ${quoted(name)} au nom d’une autre personne.`,
  remindsYou: (sender, name) => `${sender} attend votre signature pour ${quoted(name)}.`,
  everyoneSigned: (name) => `Tout le monde a signé ${quoted(name)}.`,
  yourTurn: (name) => `C’est à vous de signer ${quoted(name)}.`,
  youRejected: (name) =>
    `Vous avez refusé de signer ${quoted(name)}. Les documents ne peuvent plus être signés.`,
  youCancelled: (name) => `Vous avez annulé ${quoted(name)}. Les documents ne peuvent plus être signés.`,
  rejectedBy: (who, name) =>
    `${who} a refusé de signer ${quoted(name)}. Les documents ne peuvent plus être signés.`,
  cancelledBy: (sender, name) =>
    `${sender} a annulé ${quoted(name)}. Les documents ne peuvent plus être signés.`,
  timeIsUp: (name) =>
    `Le délai de signature de ${quoted(name)} est écoulé. Les documents ne peuvent plus être signés.`,

  // ── facts ──
  from: 'De',
  documents: 'Documents',
  until: 'À signer avant le',
  expiredAt: 'Expiré le',
  reason: 'Motif',
  imprint: 'Mentions légales',
  privacy: 'Politique de confidentialité',

  // ── what to do ──
  reviewAndSign: 'Consulter et signer',
  getDocuments: 'Consulter et télécharger les documents',
  seeTransaction: 'Voir dans le tableau de bord',

  // ── notes ──
  attached: 'Les documents signés sont joints à cet e-mail. Conservez-les.',
  personal:
    'Ce lien vous est réservé. Ne transférez pas cet e-mail\u00a0: toute personne qui a le lien peut signer en votre nom.',
  personalView:
    'Ce lien vous est réservé. Ne transférez pas cet e-mail\u00a0: toute personne qui a le lien peut lire les documents.',
  reply: (sender) => `Votre réponse à cet e-mail est envoyée à ${sender}.`,
};
