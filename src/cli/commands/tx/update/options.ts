// What `esign tx update` takes, as data, and the type of what was typed.
import type { Input } from '../../../command/command.ts';
import { TEXT_OPTIONS } from '../../../transactions/text-options.ts';

export const ARGUMENTS = [
  { name: 'id', optional: true, completes: 'transaction', summary: 'id of the transaction' },
] as const;

export const OPTIONS = {
  ...TEXT_OPTIONS,
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    summary: 'all who are asked, in this order: "Name <email>[;role=proxy]"',
  },
  sender: { value: 'PERSON', summary: 'who sends: "Name <email>"' },
  document: { value: 'ID', repeat: true, summary: 'all documents, in this order, by id' },
  from: {
    value: 'FILE',
    completes: 'file',
    summary: 'properties of the update as JSON; - is standard input',
  },
} as const;

export type UpdateInput = Input<typeof ARGUMENTS, typeof OPTIONS>;
