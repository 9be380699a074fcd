// What mails say, in Portuguese, with words that Portugal and Brazil share where there are any.
import type { MailWords } from './en.ts';

export const PT: MailWords = {
  // ── subjects ──
  pleaseSign: (name) => `Para assinar: ${name}`,
  reminder: (subject) => `Lembrete: ${subject}`,
  completed: (name) => `Assinado por todos: ${name}`,
  rejected: (name) => `Rejeitado: ${name}`,
  cancelled: (name) => `Cancelado: ${name}`,
  expired: (name) => `Expirado: ${name}`,
  nameless: 'Documentos para assinar',

  // ── what happened ──
  hello: (name) => `Olá, ${name}:`,
  writes: (sender) => `${sender} escreve:`,
  asksYou: (sender, name) => `${sender} pede que assine “${name}”.`,
  asksYouProxy: (sender, name) => `${sender} pede que assine “${name}” em nome de outra pessoa.`,
  remindsYou: (sender, name) => `${sender} aguarda a sua assinatura em “${name}”.`,
  everyoneSigned: (name) => `Todos assinaram “${name}”.`,
  yourTurn: (name) => `É a sua vez de assinar “${name}”.`,
  youRejected: (name) => `Rejeitou “${name}”. Os documentos já não podem ser assinados.`,
  youCancelled: (name) => `Cancelou “${name}”. Os documentos já não podem ser assinados.`,
  rejectedBy: (who, name) => `${who} rejeitou “${name}”. Os documentos já não podem ser assinados.`,
  cancelledBy: (sender, name) => `${sender} cancelou “${name}”. Os documentos já não podem ser assinados.`,
  timeIsUp: (name) => `O prazo para assinar “${name}” terminou. Os documentos já não podem ser assinados.`,

  // ── facts ──
  from: 'De',
  documents: 'Documentos',
  until: 'Prazo para assinar',
  expiredAt: 'Expirou em',
  reason: 'Motivo',
  imprint: 'Aviso legal',
  privacy: 'Política de privacidade',

  // ── what to do ──
  reviewAndSign: 'Rever e assinar',
  getDocuments: 'Ver e transferir os documentos',
  seeTransaction: 'Ver no painel',

  // ── notes ──
  attached: 'Os documentos assinados estão em anexo. Guarde-os.',
  personal:
    'Esta ligação é só para si. Não reencaminhe este e-mail: quem tiver a ligação pode assinar em seu nome.',
  personalView:
    'Esta ligação é só para si. Não reencaminhe este e-mail: quem tiver a ligação pode ler os documentos.',
  reply: (sender) => `A sua resposta a este e-mail chega a ${sender}.`,
};
