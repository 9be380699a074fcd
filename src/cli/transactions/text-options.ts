// The options that set texts and terms of a transaction, alike in every command that has them.
import type { OptionSpec } from '../command/description.ts';

export const TEXT_OPTIONS = {
  name: { value: 'TEXT', summary: 'name of the transaction' },
  description: { value: 'TEXT', summary: 'description' },
  subject: { value: 'TEXT', summary: 'subject of the invitation' },
  message: { value: 'TEXT', summary: 'text of the invitation' },
  alias: { value: 'TEXT', summary: 'name the invitation comes from' },
  expires: { value: 'DAYS', summary: 'days until it expires' },
  'edit-navigation': { summary: 'let the sender open the editor before sending' },
} as const satisfies Record<string, OptionSpec>;
