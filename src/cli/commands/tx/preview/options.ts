// The arguments and options of `esign tx preview` as data, and the type of its input.
import type { CommandInput } from '../../../command/command.ts';

export const PREVIEW_ARGUMENTS = [
  {
    name: 'id|file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary: 'ID of a transaction, or files to preview; - reads standard input',
  },
] as const;

export const PREVIEW_OPTIONS = {
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    summary: 'Recipient as "Name <email>", with files only (default: one signer)',
  },
  sender: { value: 'PERSON', summary: 'Sender as "Name <email>", with files only' },
  field: {
    value: 'SPEC',
    short: 'f',
    repeat: true,
    summary: 'Field as TYPE@PAGE:X,Y,WxH or TYPE@"WORDS", with files only',
  },
  fields: { value: 'FILE', completes: 'file', summary: 'JSON file with fields, with files only' },
  tags: { summary: 'Make fields of the tags in the documents, with files only' },
  'form-fields': { summary: 'Make fields of the form of each PDF, with files only' },
  'form-to': {
    value: 'EMAIL',
    summary: 'Recipient who fills in the form (default: the only one), with files only',
  },
  suggest: {
    summary:
      'Draw fields that the documents seem to ask for, and print the options for them; with files only',
  },
  output: {
    value: 'DIR',
    short: 'o',
    completes: 'folder',
    summary: 'Directory for the images (default: the current directory)',
  },
  page: {
    value: 'N',
    summary: 'Page of every document to render: a number from 1, or last (default: every page)',
  },
  grid: {
    summary:
      'Draw a grid with the coordinates that --field takes: points from the top left corner of the page',
  },
  force: { summary: 'Overwrite existing images' },
  show: { summary: 'Show the images in the terminal; without --output, write no files' },
} as const;

export type PreviewInput = CommandInput<typeof PREVIEW_ARGUMENTS, typeof PREVIEW_OPTIONS>;
