// The arguments and options of `esign tx upload` as data, and the type of its input.
import type { CommandInput } from '../../../command/command.ts';

export const UPLOAD_ARGUMENTS = [
  { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
  {
    name: 'file',
    repeat: true,
    completes: 'file',
    summary:
      'PDF, Word document (.docx) or image (PNG, JPEG, WebP, GIF, TIFF, BMP) to add, up to 10 MB each; - reads standard input',
  },
] as const;

export const UPLOAD_OPTIONS = {
  tags: {
    summary: 'Make fields of the tags in the documents',
    details:
      'As with `esign tx send`: the tags are removed before the upload. r1 is the first recipient of the transaction who signs.',
  },
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    summary: 'Recipient of the fields as "Name <email>[,role=proxy][,tag=NAME]"',
    details:
      'One who is no recipient of the transaction yet is added after the others, with the first file. ,tag=NAME is the role that tags name.',
  },
  sender: { value: 'PERSON', summary: 'You as "Name <email>", if --to adds the first recipients' },
  'form-fields': {
    summary: 'Make fields of the form of each PDF',
    details:
      'As with `esign tx send`: a value of the form becomes the value of its field, and is removed from the page before the upload.',
  },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one)',
    details: 'The email of a recipient of the transaction, or their number, from 1.',
  },
  data: {
    value: 'FILE',
    completes: 'file',
    summary: 'JSON file with values of these fields by label',
    details: 'As with `esign tx send`.',
  },
} as const;

export type UploadInput = CommandInput<typeof UPLOAD_ARGUMENTS, typeof UPLOAD_OPTIONS>;
