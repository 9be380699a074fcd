// The arguments and options of `esign tx update` as data, and the type of its input.
import type { CommandInput } from '../../../command/command.ts';
import { TEXT_OPTIONS } from '../../../transactions/text-options.ts';

export const UPDATE_ARGUMENTS = [
  { name: 'id', optional: true, completes: 'transaction', summary: 'ID of the transaction' },
] as const;

export const UPDATE_OPTIONS = {
  ...TEXT_OPTIONS,
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    group: 'Recipients',
    summary: 'Recipient as "Name <email>[,role=proxy]", in signing order; replaces all recipients',
    details:
      'A recipient keeps the fields of an earlier one with the same email, or otherwise the same name. Where there are as many recipients as before, the others keep them in their order. Before fields are removed with their recipient, you are asked; a script adds --yes.',
  },
  sender: { value: 'PERSON', group: 'Recipients', summary: 'Sender as "Name <email>"' },
  document: {
    value: 'ID',
    repeat: true,
    group: 'Documents',
    summary: 'ID of a document, in order; documents not listed are removed',
  },
  from: {
    value: 'FILE',
    completes: 'file',
    group: 'File',
    summary: 'JSON file with the properties to update; - reads standard input',
  },
} as const;

export type UpdateInput = CommandInput<typeof UPDATE_ARGUMENTS, typeof UPDATE_OPTIONS>;
