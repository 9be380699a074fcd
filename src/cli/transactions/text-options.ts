// The options that set texts and terms of a transaction, the same in every command that has them.
import type { OptionSpec } from '../command/description.ts';

export const TEXT_OPTIONS = {
  name: { value: 'TEXT', short: 'n', group: 'Transaction and email', summary: 'Name of the transaction' },
  description: { value: 'TEXT', group: 'Transaction and email', summary: 'Description of the transaction' },
  subject: { value: 'TEXT', group: 'Transaction and email', summary: 'Subject of the invitation email' },
  message: {
    value: 'TEXT',
    short: 'm',
    group: 'Transaction and email',
    summary: 'Text of the invitation email',
  },
  alias: {
    value: 'TEXT',
    group: 'Transaction and email',
    summary: "Name shown in emails instead of the sender's",
  },
  expires: {
    value: 'DAYS',
    group: 'Transaction and email',
    summary: 'Days until it expires, up to 3650 (default: never)',
  },
  'edit-navigation': {
    group: 'Transaction and email',
    summary: 'Let the sender edit the draft in the web editor',
    details:
      'The dashboard of the sandbox offers the editor of such a draft first; `esign tx fields ID --edit` opens it as well.',
  },
} as const satisfies Record<string, OptionSpec>;
