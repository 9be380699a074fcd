// What mails say, in Spanish. Readers are addressed as "usted".
import type { MailWords } from './en.ts';

export const ES: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Por favor, firme: ${name}`,
  reminder: (subject) => `Recordatorio: ${subject}`,
  completed: (name) => `Firmado por todos: ${name}`,
  rejected: (name) => `Rechazado: ${name}`,
  cancelled: (name) => `Cancelado: ${name}`,
  expired: (name) => `Caducado: ${name}`,
  nameless: 'Documentos para firmar',

  // ── what happened ──
  hello: (name) => `Hola, ${name}:`,
  writes: (sender) => `${sender} escribe:`,
  asksYou: (sender, name) => `${sender} le pide que firme «${name}».`,
  asksYouProxy: (sender, name) => `${sender} le pide que firme «${name}» en nombre de otra persona.`,
  remindsYou: (sender, name) => `${sender} espera su firma en «${name}».`,
  everyoneSigned: (name) => `Todos han firmado «${name}».`,
  yourTurn: (name) => `Le toca firmar «${name}».`,
  youRejected: (name) => `Usted ha rechazado «${name}». Los documentos ya no se pueden firmar.`,
  youCancelled: (name) => `Usted ha cancelado «${name}». Los documentos ya no se pueden firmar.`,
  rejectedBy: (who, name) => `${who} ha rechazado «${name}». Los documentos ya no se pueden firmar.`,
  cancelledBy: (sender, name) => `${sender} ha cancelado «${name}». Los documentos ya no se pueden firmar.`,
  timeIsUp: (name) => `El plazo para firmar «${name}» ha terminado. Los documentos ya no se pueden firmar.`,

  // ── facts ──
  from: 'De',
  documents: 'Documentos',
  until: 'Fecha límite para firmar',
  expiredAt: 'Caducó el',
  reason: 'Motivo',
  imprint: 'Aviso legal',
  privacy: 'Política de privacidad',

  // ── what to do ──
  reviewAndSign: 'Revisar y firmar',
  getDocuments: 'Ver y descargar los documentos',
  seeTransaction: 'Ver en el panel',

  // ── notes ──
  attached: 'Los documentos firmados van adjuntos. Consérvelos.',
  personal:
    'Este enlace es solo para usted. No reenvíe este correo: cualquiera que tenga el enlace puede firmar en su nombre.',
  personalView:
    'Este enlace es solo para usted. No reenvíe este correo: cualquiera que tenga el enlace puede leer los documentos.',
  reply: (sender) => `Su respuesta a este correo llega a ${sender}.`,
};
