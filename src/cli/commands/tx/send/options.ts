// What `esign tx send` takes, as data, and the type of what was typed.
import type { Input } from '../../../command/command.ts';
import { TEXT_OPTIONS } from '../../../transactions/text-options.ts';

export const ARGUMENTS = [
  {
    name: 'file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary:
      'what is to be signed: a PDF, a Word document (.docx) or an image (PNG, JPEG, WebP, GIF, TIFF, BMP); - is standard input',
  },
] as const;

export const OPTIONS = {
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    summary: 'who is asked, in this order: "Name <email>[;role=proxy]"',
  },
  sender: { value: 'PERSON', summary: 'who sends: "Name <email>", the user of the service' },
  template: {
    value: 'ID',
    repeat: true,
    completes: 'template',
    summary: 'begin with the content of this template',
  },
  ...TEXT_OPTIONS,
  name: { value: 'TEXT', summary: 'name of the transaction (otherwise that of the first file or template)' },
  notify: {
    value: 'URL',
    summary: 'notification_endpoint of the transaction; the sandbox stores it, but sends nothing to it',
  },
  field: {
    value: 'SPEC',
    repeat: true,
    summary: 'what is filled in where: TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]',
  },
  fields: { value: 'FILE', completes: 'file', summary: 'fields as JSON' },
  draft: { summary: 'do everything but start it' },
  'dry-run': { summary: 'print the plan; send nothing' },
  open: { summary: 'open the page on which the first recipient signs' },
  wait: { summary: 'wait until everybody has signed; see `esign tx wait`' },
  timeout: { value: 'DURATION', summary: 'with --wait: how long, as 30s, 10m, 2h, 1d' },
  download: {
    value: 'DIR',
    completes: 'folder',
    summary: 'with --wait: download the sealed documents into this folder',
  },
  'url-output': { summary: 'in GitHub Actions: the signing address as the output url as well' },
  resume: { value: 'PLAN', summary: 'go on with a plan that was cut off' },
} as const;

export type SendInput = Input<typeof ARGUMENTS, typeof OPTIONS>;
