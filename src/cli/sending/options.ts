// Describes the arguments and options of `tx send`, those of them that set texts and terms of a transaction in other commands too, and how these
// texts are read and checked against the contract.
import { LIMITS } from '../../api/contract/limits.ts';
import { transactionOperations } from '../../api/contract/transactions.ts';
import type { CommandInput } from '../command/command.ts';
import type { OptionSpec } from '../command/description.ts';
import { checkValue } from '../input/check-value.ts';
import { wholeUnits } from '../input/parse-input.ts';

/** The options that set texts and terms of a transaction, the same in every command that has them. */
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

export const SEND_ARGUMENTS = [
  {
    name: 'file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary:
      'PDF, Word document (.docx) or image (PNG, JPEG, WebP, GIF, TIFF, BMP) to sign, up to 10 MB each; - reads standard input',
  },
] as const;

export const SEND_OPTIONS = {
  template: {
    value: 'ID',
    repeat: true,
    completes: 'template',
    group: 'Documents',
    summary: 'Template to use with or instead of FILE',
    details:
      'Its documents and fields come before those of FILE. Each --to takes the place and the fields of one of its recipients: the one with the same email or name, otherwise the next in order. With FILE, further recipients sign the file. Without --to, the recipients of the template are asked.',
  },
  to: {
    value: 'RECIPIENT',
    short: 't',
    repeat: true,
    completes: 'recipient',
    group: 'Recipients',
    summary: 'Recipient as "Name <email>[,role=proxy][,tag=NAME]", in signing order',
    details:
      'The name can be omitted. Append ,role=proxy inside the quotes for a recipient who signs on behalf of another person, which is shown in the email and on the signing page, and ,tag=NAME for the role that tags name.',
  },
  sender: {
    value: 'PERSON',
    group: 'Recipients',
    summary: 'You as "Name <email>", the user of the access token',
    details:
      'The default is ESIGN_SENDER, the sender stored by `esign login`, or the user that the access token belongs to.',
  },
  ...TEXT_OPTIONS,
  name: {
    ...TEXT_OPTIONS.name,
    summary: 'Name of the transaction (default: that of FILE)',
    details:
      'It is the name of the first FILE without its extension. Without FILE, the default is the name of the first template in the sandbox, and "Untitled" at a service.',
  },
  field: {
    value: 'SPEC',
    short: 'f',
    repeat: true,
    group: 'Fields',
    summary: 'Field as TYPE@PAGE:X,Y,WxH or TYPE@"WORDS"',
    details:
      'X,Y is the distance of its top left corner from that of the page, PAGE a number from 1 or the word last, RECIPIENT an email or the number of a --to from 1 (optional if there is only one). With several files, ,document=N says which one (default: the first).',
  },
  fields: {
    value: 'FILE',
    completes: 'file',
    group: 'Fields',
    summary: 'JSON file with fields; see `esign help fields`',
    details: 'In this file, pages and documents count from 0.',
  },
  tags: {
    group: 'Fields',
    summary: 'Make fields of the tags in the documents',
    details:
      'Tags are texts such as {{signature, r1}} or {{Name;type=text;role=Customer}}; see `esign help fields`. They are removed from the document that is sent. r1 is the first --to; a role is given to a recipient with ,tag=NAME. A Word document with tags is converted and sent as PDF.',
  },
  'form-fields': {
    group: 'Fields',
    summary: 'Make fields of the form of each PDF',
    details:
      'See `esign help fields`. A value of the form becomes the value of its field, and is removed from the page. What cannot be carried over is named in a warning. A recipient whose form has no signature field gets one as without a form.',
  },
  'form-to': {
    value: 'EMAIL',
    group: 'Fields',
    summary: 'Recipient who fills in the form, if several',
    details:
      'The email of a recipient, or the number of their --to, from 1. The default is the only recipient.',
  },
  data: {
    value: 'FILE',
    completes: 'file',
    group: 'Fields',
    summary: 'JSON file with values of fields by label',
    details:
      'For example {"City": "Berlin"}, or {"ada@example.com": {"City": "Berlin"}} for the fields of one recipient. Recipients can change the values, except of fields with the property readonly.',
  },
  'accept-losses': {
    group: 'Documents',
    summary: 'Send even if a conversion loses content',
    details:
      'A chart, shape or image of a Word document that cannot be converted is named in a warning. Without a terminal to ask at, such a document is refused before the transaction is created, unless this option is given.',
  },
  draft: { group: 'Running', summary: 'Create the draft but do not start it' },
  edit: {
    group: 'Running',
    summary: 'Edit the fields in the browser first',
    details:
      'Creates the draft, opens its editor, and starts it when you press Done there. At a terminal only; with --draft, it is not started.',
  },
  'dry-run': { group: 'Running', summary: 'Print what would be done without sending anything' },
  open: {
    group: 'Running',
    summary: 'Open the signing page; see `esign tx open`',
  },
  wait: {
    short: 'w',
    group: 'Running',
    summary: 'Wait until everyone has signed; see `esign tx wait`',
    details: 'The wait also ends at a rejection, expiry or cancellation.',
  },
  timeout: {
    value: 'DURATION',
    group: 'Running',
    summary: 'Longest wait, such as 30s, 10m or 2h, with --wait',
  },
  download: {
    value: 'DIR',
    completes: 'folder',
    group: 'Running',
    summary: 'Directory for the sealed documents, with --wait',
  },
  notify: {
    value: 'URL',
    group: 'Running',
    summary: 'URL for the events; see `esign help events`',
    details:
      'Every event of the transaction is sent in a request signed with the notification secret of your OAuth application.',
  },
  'url-output': {
    group: 'Running',
    summary: 'Write the signing URL to a GitHub Actions output',
    details: 'In GitHub Actions only; the output is named url.',
  },
  resume: {
    value: 'PLAN',
    group: 'Running',
    summary: 'Resume an interrupted send; its error names PLAN',
    details:
      'The send was interrupted on this machine. FILE and other options cannot be given, apart from global options and --open, --wait, --timeout, --download, --accept-losses and --url-output, which have to be repeated.',
  },
} as const;

export type SendInput = CommandInput<typeof SEND_ARGUMENTS, typeof SEND_OPTIONS>;

export type Texts = {
  name?: string | undefined;
  description?: string | undefined;
  email_subject?: string | undefined;
  email_body?: string | undefined;
  email_alias?: string | undefined;
  expiration_days?: number | undefined;
  edit_navigation?: boolean | undefined;
};

type TextInput = {
  name: string | undefined;
  description: string | undefined;
  subject: string | undefined;
  message: string | undefined;
  alias: string | undefined;
  expires: string | undefined;
  'edit-navigation': boolean;
};

export const textsOf = (options: TextInput): Texts => ({
  name: options.name,
  description: options.description,
  email_subject: options.subject,
  email_body: options.message,
  email_alias: options.alias,
  expiration_days:
    options.expires === undefined
      ? undefined
      : wholeUnits('--expires', options.expires, {
          unit: 'd',
          min: LIMITS.expirationDaysMin,
          max: LIMITS.expirationDaysMax,
        }),
  edit_navigation: options['edit-navigation'] || undefined,
});

const FLAGS = {
  name: '--name',
  description: '--description',
  email_subject: '--subject',
  email_body: '--message',
  email_alias: '--alias',
  expiration_days: '--expires',
  notification_endpoint: '--notify',
  recipients: '--to',
};

/** Checks texts against the contract. Errors name the flag that they came from. */
export function checkTexts({ texts, notify }: { texts: Texts; notify: string | null }): void {
  const body = transactionOperations['transaction.update'].body;
  checkValue(
    body
      .pick({
        name: true,
        description: true,
        email_subject: true,
        email_body: true,
        email_alias: true,
        expiration_days: true,
      })
      .partial(),
    texts,
    FLAGS,
  );
  checkValue(
    transactionOperations['transaction.create'].body,
    notify === null ? {} : { notification_endpoint: notify },
    FLAGS,
  );
}
