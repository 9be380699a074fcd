// What mails say, in Dutch. Readers are addressed as "u".
import type { MailWords } from './en.ts';

export const NL: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Graag ondertekenen: ${name}`,
  reminder: (subject) => `Herinnering: ${subject}`,
  completed: (name) => `Door iedereen ondertekend: ${name}`,
  rejected: (name) => `Geweigerd: ${name}`,
  cancelled: (name) => `Geannuleerd: ${name}`,
  expired: (name) => `Verlopen: ${name}`,
  nameless: 'Documenten om te ondertekenen',

  // ── what happened ──
  hello: (name) => `Beste ${name},`,
  writes: (sender) => `${sender} schrijft:`,
  asksYou: (sender, name) => `${sender} vraagt u om “${name}” te ondertekenen.`,
  asksYouProxy: (sender, name) => `${sender} vraagt u om “${name}” namens iemand anders te ondertekenen.`,
  remindsYou: (sender, name) => `${sender} wacht op uw handtekening onder “${name}”.`,
  everyoneSigned: (name) => `Iedereen heeft “${name}” ondertekend.`,
  yourTurn: (name) => `U bent aan de beurt om “${name}” te ondertekenen.`,
  youRejected: (name) => `U hebt “${name}” geweigerd. De documenten kunnen niet meer worden ondertekend.`,
  youCancelled: (name) => `U hebt “${name}” geannuleerd. De documenten kunnen niet meer worden ondertekend.`,
  rejectedBy: (who, name) =>
    `${who} heeft “${name}” geweigerd. De documenten kunnen niet meer worden ondertekend.`,
  cancelledBy: (sender, name) =>
    `${sender} heeft “${name}” geannuleerd. De documenten kunnen niet meer worden ondertekend.`,
  timeIsUp: (name) =>
    `De tijd om “${name}” te ondertekenen is verstreken. De documenten kunnen niet meer worden ondertekend.`,

  // ── facts ──
  from: 'Van',
  documents: 'Documenten',
  until: 'Ondertekenen vóór',
  expiredAt: 'Verlopen op',
  reason: 'Reden',
  imprint: 'Colofon',
  privacy: 'Privacyverklaring',

  // ── what to do ──
  reviewAndSign: 'Bekijken en ondertekenen',
  getDocuments: 'Documenten bekijken en downloaden',
  seeTransaction: 'Bekijken in het dashboard',

  // ── notes ──
  attached: 'De ondertekende documenten zijn bijgevoegd. Bewaar ze goed.',
  personal:
    'Deze link is alleen voor u. Stuur deze e-mail niet door: iedereen die de link heeft, kan namens u ondertekenen.',
  personalView:
    'Deze link is alleen voor u. Stuur deze e-mail niet door: iedereen die de link heeft, kan de documenten lezen.',
  reply: (sender) => `Uw antwoord op deze e-mail gaat naar ${sender}.`,
};
