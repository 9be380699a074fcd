// What `esign tx preview` takes, as data, and the type of what was typed.
import type { Input } from '../../../command/command.ts';

export const ARGUMENTS = [
  {
    name: 'id|file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary: 'the id of a transaction, or the files that are to be sent; - is standard input',
  },
] as const;

export const OPTIONS = {
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    summary: 'with files: a recipient, as for `esign tx send`: "Name <email>[;role=proxy]"',
  },
  sender: { value: 'PERSON', summary: 'with files: who sends: "Name <email>"' },
  field: {
    value: 'SPEC',
    repeat: true,
    summary: 'with files: a field: TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]',
  },
  fields: { value: 'FILE', completes: 'file', summary: 'with files: fields as JSON' },
  output: {
    value: 'DIR',
    short: 'o',
    completes: 'folder',
    summary: 'the folder for the pictures (otherwise the current one)',
  },
  page: { value: 'N', summary: 'only this page of every document: a number from 1, or last' },
  force: { summary: 'overwrite pictures that exist' },
  show: { summary: 'show the pictures in the terminal; without --output, write no files' },
} as const;

export type PreviewInput = Input<typeof ARGUMENTS, typeof OPTIONS>;
