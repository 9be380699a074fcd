// What mails say, in English: the model of the catalogue. Every other language has the same keys, or it does not compile.
// Names, and whatever else comes from outside, arrive ready to stand in a sentence (`inSentence` in header-text.ts).

export const EN = {
  // ── subjects ──
  pleaseSign: (name: string) => `Please sign: ${name}`,
  reminder: (subject: string) => `Reminder: ${subject}`,
  completed: (name: string) => `Signed by everyone: ${name}`,
  rejected: (name: string) => `Rejected: ${name}`,
  cancelled: (name: string) => `Cancelled: ${name}`,
  expired: (name: string) => `Expired: ${name}`,
  nameless: 'Documents to sign',

  // ── what happened ──
  hello: (name: string) => `Hello ${name},`,
  writes: (sender: string) => `${sender} writes:`,
  asksYou: (sender: string, name: string) => `${sender} asks you to sign “${name}”.`,
  asksYouProxy: (sender: string, name: string) =>
    `${sender} asks you to sign “${name}” on behalf of someone else.`,
  remindsYou: (sender: string, name: string) => `${sender} is waiting for you to sign “${name}”.`,
  everyoneSigned: (name: string) => `Everyone has signed “${name}”.`,
  yourTurn: (name: string) => `It is your turn to sign “${name}”.`,
  youRejected: (name: string) => `You have rejected “${name}”. The documents can no longer be signed.`,
  youCancelled: (name: string) => `You have cancelled “${name}”. The documents can no longer be signed.`,
  rejectedBy: (who: string, name: string) =>
    `${who} has rejected “${name}”. The documents can no longer be signed.`,
  cancelledBy: (sender: string, name: string) =>
    `${sender} has cancelled “${name}”. The documents can no longer be signed.`,
  timeIsUp: (name: string) =>
    `The deadline to sign “${name}” has passed. The documents can no longer be signed.`,

  // ── facts ──
  from: 'From',
  documents: 'Documents',
  until: 'Sign by',
  expiredAt: 'Expired',
  reason: 'Reason',
  imprint: 'Imprint',
  privacy: 'Privacy notice',

  // ── what to do ──
  reviewAndSign: 'Review and sign',
  getDocuments: 'View and download the documents',
  seeTransaction: 'View in the dashboard',

  // ── notes ──
  attached: 'The signed documents are attached. Keep them for your records.',
  personal:
    'This link is for you only. Do not forward this email: anyone who has the link can sign in your name.',
  personalView:
    'This link is for you only. Do not forward this email: anyone who has the link can read the documents.',
  reply: (sender: string) => `Your reply to this email goes to ${sender}.`,
};

export type MailWords = typeof EN;
