// The arguments and options of `esign tx fields` as data, and the type of its input.
import type { CommandInput } from '../../../command/command.ts';

export const FIELDS_ARGUMENTS = [
  { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
] as const;

export const FIELDS_OPTIONS = {
  field: {
    value: 'SPEC',
    short: 'f',
    repeat: true,
    summary: 'Field as TYPE@PAGE:X,Y,WxH or TYPE@"WORDS"; see `esign help fields`',
  },
  from: { value: 'FILE', completes: 'file', summary: 'JSON file with fields; - reads standard input' },
  tags: { summary: 'Make fields of tags: refused for stored documents; use `esign tx upload --tags`' },
  'form-fields': {
    summary: 'Make fields of the form of each document',
    details:
      'The page of a stored document keeps the values of its form, so form fields with a value are left out. `esign tx upload --form-fields` carries them over.',
  },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one)',
  },
  add: { summary: 'Keep the existing fields (default)' },
  replace: { summary: 'Remove the existing fields' },
  edit: {
    summary: 'Edit the fields in the browser',
    details:
      'Opens the editor of the draft, waits until you press Done there, and shows the fields. Every change is saved at once. In a pipe, and with --json, it only prints the URL.',
  },
  'no-wait': { summary: 'Open the editor without waiting, with --edit' },
} as const;

export type FieldsInput = CommandInput<typeof FIELDS_ARGUMENTS, typeof FIELDS_OPTIONS>;
