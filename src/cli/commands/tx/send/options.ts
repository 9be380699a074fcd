// What `esign tx send` takes, as data, and the type of what was typed.
import type { CommandInput } from '../../../command/command.ts';
import { TEXT_OPTIONS } from '../../../transactions/text-options.ts';

export const ARGUMENTS = [
  {
    name: 'file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary:
      'PDF, Word document (.docx) or image (PNG, JPEG, WebP, GIF, TIFF, BMP) to sign, up to 10 MB each; - reads standard input; required unless --template or --resume is given',
  },
] as const;

export const OPTIONS = {
  template: {
    value: 'ID',
    repeat: true,
    completes: 'template',
    group: 'Documents',
    summary:
      'ID of a template whose documents, recipients and fields are added before those of FILE and --to',
  },
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    group: 'Recipients',
    summary:
      'Recipient as "Name <email>" or an email, in signing order; append ;role=proxy inside the quotes for a recipient who signs on behalf of another person (shown in the email and on the signing page)',
  },
  sender: {
    value: 'PERSON',
    group: 'Recipients',
    summary:
      'Your name and email as "Name <email>"; it must be the user that the access token, or the sandbox, belongs to (default: ESIGN_SENDER, the sender stored by `esign login --sender`, or the default user of the sandbox)',
  },
  ...TEXT_OPTIONS,
  name: {
    value: 'TEXT',
    group: 'Transaction and email',
    summary:
      'Name of the transaction (default: the name of the first FILE without its extension; without FILE, that of the first template in the sandbox, and "Untitled" at a service)',
  },
  field: {
    value: 'SPEC',
    repeat: true,
    group: 'Fields',
    summary:
      'Field as TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]; X,Y is the distance of its top left corner from that of the page, PAGE a number from 1 or the word last, RECIPIENT an email or the number of a --to from 1 (optional if there is only one); with several files, ;document=N says which one (default: the first); see `esign help fields`',
  },
  fields: {
    value: 'FILE',
    completes: 'file',
    group: 'Fields',
    summary: 'JSON file with fields, in which pages and documents count from 0; see `esign help fields`',
  },
  draft: { group: 'Running', summary: 'Create the draft but do not start it' },
  'dry-run': { group: 'Running', summary: 'Print what would be done without sending anything' },
  open: {
    group: 'Running',
    summary:
      "Open the first recipient's signing page in the browser, if stdout and stderr are a terminal; in the sandbox, only while `esign sandbox serve` is running",
  },
  wait: {
    group: 'Running',
    summary:
      'Wait until everyone has signed; also ends at a rejection, expiry or cancellation; see `esign tx wait`',
  },
  timeout: {
    value: 'DURATION',
    group: 'Running',
    summary: 'Maximum time to wait, such as 30s, 10m, 2h or 1d; requires --wait (default: no limit)',
  },
  download: {
    value: 'DIR',
    completes: 'folder',
    group: 'Running',
    summary: 'Directory to download the sealed documents (the final PDFs) to; requires --wait',
  },
  notify: {
    value: 'URL',
    group: 'Running',
    summary:
      'Notification URL that receives every event of the transaction, each in a request signed with the notification secret of your OAuth application; see `esign help events`',
  },
  'url-output': {
    group: 'Running',
    summary: 'Write the signing URL to the step output url as well (GitHub Actions only)',
  },
  resume: {
    value: 'PLAN',
    group: 'Running',
    summary:
      'Resume a send that stopped on the way on this machine, with the plan ID that its error names; --open, --wait, --timeout, --download and --url-output have to be repeated, FILE and the other options cannot be given, apart from global options',
  },
} as const;

export type SendInput = CommandInput<typeof ARGUMENTS, typeof OPTIONS>;
