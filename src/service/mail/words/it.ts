// What mails say, in Italian. Readers are addressed as "Lei".
import type { MailWords } from './en.ts';

export const IT: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Da firmare: ${name}`,
  reminder: (subject) => `Promemoria: ${subject}`,
  completed: (name) => `Firmato da tutti: ${name}`,
  rejected: (name) => `Rifiutato: ${name}`,
  cancelled: (name) => `Annullato: ${name}`,
  expired: (name) => `Scaduto: ${name}`,
  nameless: 'Documenti da firmare',

  // ── what happened ──
  hello: (name) => `Buongiorno ${name},`,
  writes: (sender) => `${sender} scrive:`,
  asksYou: (sender, name) => `${sender} Le chiede di firmare «${name}».`,
  asksYouProxy: (sender, name) => `${sender} Le chiede di firmare «${name}» per conto di un’altra persona.`,
  remindsYou: (sender, name) => `${sender} attende la Sua firma su «${name}».`,
  everyoneSigned: (name) => `Tutti hanno firmato «${name}».`,
  yourTurn: (name) => `È il Suo turno di firmare «${name}».`,
  youRejected: (name) => `Lei ha rifiutato «${name}». I documenti non possono più essere firmati.`,
  youCancelled: (name) => `Lei ha annullato «${name}». I documenti non possono più essere firmati.`,
  rejectedBy: (who, name) => `${who} ha rifiutato «${name}». I documenti non possono più essere firmati.`,
  cancelledBy: (sender, name) =>
    `${sender} ha annullato «${name}». I documenti non possono più essere firmati.`,
  timeIsUp: (name) => `Il tempo per firmare «${name}» è scaduto. I documenti non possono più essere firmati.`,

  // ── facts ──
  from: 'Da',
  documents: 'Documenti',
  until: 'Scadenza per la firma',
  expiredAt: 'Scaduto il',
  reason: 'Motivo',
  imprint: 'Note legali',
  privacy: 'Informativa sulla privacy',

  // ── what to do ──
  reviewAndSign: 'Leggere e firmare',
  getDocuments: 'Vedere e scaricare i documenti',
  seeTransaction: 'Vedere nella dashboard',

  // ── notes ──
  attached: 'I documenti firmati sono allegati. Li conservi.',
  personal:
    'Questo link è solo per Lei. Non inoltri questa e-mail: chiunque abbia il link può firmare a Suo nome.',
  personalView:
    'Questo link è solo per Lei. Non inoltri questa e-mail: chiunque abbia il link può leggere i documenti.',
  reply: (sender) => `La Sua risposta a questa e-mail arriva a ${sender}.`,
};
