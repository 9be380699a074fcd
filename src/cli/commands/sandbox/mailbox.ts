import { basename, dirname } from 'node:path';
import type { ReceivedOf } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { list, nameOnly, nullable, number, object, only, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { showRecord } from '../../command/record.ts';
import { ATTEMPT, DELIVERY_STATE } from '../../command/shared-json.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import { wholeNumber } from '../../input/parse-input.ts';
import { openDashboard } from '../../sending/browse.ts';
import { openFolder } from '../../sending/output-folder.ts';
import { formatLocalTime } from '../../terminal/local-time.ts';

const MAIL = {
  id: text,
  transaction_id: text,
  recipient_id: text,
  kind: text,
  language: text,
  created: text,
  from: text,
  reply_to: nullable(text),
  to: text,
  subject: text,
  body: text,
};

const DELIVERY = { state: DELIVERY_STATE, reason: nullable(text) };

export const commands = {
  list: defineCommand({
    summary: 'List the emails of the sandbox, newest first',
    details:
      'The mailbox keeps every email: invitations, reminders, and emails about the end of a transaction. ' +
      'They are sent as well only if a mail server is configured (see `esign help config`).',
    arguments: [],
    options: {
      transaction: {
        value: 'ID',
        completes: 'transaction',
        summary: 'ID of the transaction the emails are about (default: all transactions)',
      },
      to: { value: 'EMAIL', short: 't', completes: 'recipient', summary: 'Email address of the recipient' },
      limit: { value: 'N', summary: 'Maximum number of emails', default: '50' },
    },
    json: prints(
      object({
        items: list(
          object({
            ...MAIL,
            delivery: nullable(object(DELIVERY)),
          }),
        ),
      }),
    ),
    examples: [
      { line: 'esign sandbox mailbox list', about: 'List recent emails' },
      { line: 'esign sandbox mailbox list --to ada@example.com', about: 'List the emails to one recipient' },
    ],
    async run(context, { options }) {
      const limit = wholeNumber('--limit', options.limit, 1, 1000);
      const { client } = await context.connections.sandbox();
      const { transaction, to } = options;
      const query = {
        limit: String(limit),
        ...(transaction !== undefined && { transaction_id: transaction }),
        ...(to !== undefined && { to }),
      };
      const { items } = await client['sandbox.mail']({ query });
      // Without a mail server, no email leaves the mailbox.
      const isSent = items.some(({ delivery }) => delivery);
      return {
        kind: 'list',
        json: { items },
        empty: 'No emails.',
        table: {
          columns: [
            'ID',
            'SENT',
            'KIND',
            'TO',
            { name: 'SUBJECT', fit: 'cuts' },
            ...(isSent ? [{ name: 'DELIVERY', fit: 'wraps' as const }] : []),
          ],
          rows: items.map(({ id, created, kind, to, subject, delivery }) => [
            id,
            { instant: created },
            kind,
            to,
            subject,
            ...(isSent ? [deliveryWords(delivery)] : []),
          ]),
        },
      };
    },
  }),

  show: defineCommand({
    summary: 'Show an email',
    details:
      'Prints the email as text unless another format is requested. --eml prints what a mail ' +
      'server receives, with headers and attachments; mail programs can open it as an .eml file. Only its ' +
      'signing link differs: the evidence says that it was opened from the mailbox.',
    arguments: [
      { name: 'id', completes: 'mail', summary: 'ID of the email, from `esign sandbox mailbox list`' },
    ],
    options: {
      html: { summary: 'Print the HTML version' },
      eml: { summary: 'Print the complete email with headers and attachments' },
      output: {
        short: 'o',
        value: 'FILE',
        completes: 'file',
        summary: 'File to write to, with --eml or --html',
      },
    },
    json: prints(
      object({
        ...MAIL,
        html: text,
        attachments: list(object({ id: text, name: text, size_bytes: number })),
        delivery: nameOnly(
          nullable(object({ ...DELIVERY, next_at: nullable(text), attempts: list(object(ATTEMPT)) })),
        ),
      }),
      '; with --output ',
      object({ id: text, file: text }),
    ),
    examples: [
      { line: 'esign sandbox mailbox show ID', about: 'Read an email' },
      {
        line: 'esign sandbox mailbox show ID --eml -o invitation.eml',
        about: 'Save an email as a file for a mail program',
      },
    ],
    async run(context, { args, options }) {
      return showMailMessage(context, args.id, {
        html: options.html === true,
        eml: options.eml === true,
        output: options.output,
      });
    },
  }),

  open: defineCommand({
    summary: 'Open the mailbox, or one of its emails, in the browser',
    details:
      'Opens the dashboard page with all emails, or with one, and signs you in. The browser opens only when you are at a ' +
      'terminal. Otherwise a sign-in URL is printed: it works once, within two minutes, on this machine. The page ' +
      'is available while `esign sandbox serve` is running.',
    arguments: [
      { name: 'id', optional: true, completes: 'mail', summary: 'ID of the email (default: all emails)' },
    ],
    options: {},
    json: prints(
      object({ id: nullable(text), url: text, sign_in_url: text, opened: only(false) }),
      '; id is null if none was given',
    ),
    examples: [{ line: 'esign sandbox mailbox open', about: 'Open the mailbox in the browser' }],
    async run(context, { args }) {
      const id = args.id ?? null;
      const opened = await openDashboard(
        context,
        'Mailbox',
        id === null ? { page: 'mailbox' } : { mail_id: id },
      );
      return { ...opened, json: { id, ...opened.json } };
    },
  }),
};

// Describes for a list whether the mail server has accepted an email.
type MailDelivery = { state: string; reason?: string | null | undefined } | null | undefined;

function deliveryWords(delivery: MailDelivery): string {
  if (!delivery) return 'in the mailbox only';
  const { state, reason } = delivery;
  return reason ? `${state}: ${reason}` : state;
}

type ShowMailOptions = { html: boolean; eml: boolean; output: string | undefined };

async function showMailMessage(
  context: Uses<'connections' | 'process' | 'settings' | 'terminal'>,
  mailId: string,
  { html, eml, output }: ShowMailOptions,
): Promise<Outcome> {
  if (html && eml) throw optionsConflict('--html', '--eml');
  if (output !== undefined && !html && !eml)
    throw cliError('option_missing', {
      sentence: '--output needs --eml or --html.',
      hint: 'Add --eml or --html.',
    });
  const { client } = await context.connections.sandbox();
  const mail = await client['sandbox.mail_detail']({ params: { mailId } });
  if (!html && !eml) return asText(mail, await timesFor(context));
  const { bytes, mediaType } = eml
    ? await client['sandbox.mail_message']({ params: { mailId } })
    : { bytes: Buffer.from(mail.html), mediaType: 'text/html' };
  if (output === undefined) return { kind: 'bytes', bytes, mediaType, json: mail };
  const folder = await openFolder(context, dirname(output), {
    isForced: context.settings.yes,
    force: '--yes',
  });
  await folder.mustBeFree([basename(output)]);
  const file = await folder.write(basename(output), bytes);
  return showRecord({ id: mail.id, file }, { id: 'Email', file: 'File' });
}

type Shown = ReceivedOf<'sandbox.mail_detail'>;

type ShowTime = (instant: string) => string;

/** Times are in the zone of a person, and as the service sends them in a pipe. */
async function timesFor({ terminal }: Uses<'terminal'>): Promise<ShowTime> {
  if (!terminal.streams.out.isTerminal) return (instant) => instant;
  return (instant) => formatLocalTime(instant);
}

function asText(mail: Shown, time: ShowTime): Outcome {
  const { from, reply_to, to, subject, created, body, attachments, delivery } = mail;
  const head = [
    ['From', from],
    ['Reply-To', reply_to],
    ['To', to],
    ['Subject', subject],
    ['Date', time(created)],
    ['Delivery', delivery ? deliveryLine(delivery, time) : undefined],
    ...attachments.map(({ name, size_bytes }) => ['Attached', `${name} (${size_bytes} bytes)`]),
  ].filter(([, value]) => value !== null && value !== undefined);
  const lines = head.map(([label, value]) => `${label}: ${value}`);
  return { kind: 'text', json: mail, text: `${lines.join('\n')}\n\n${body}` };
}

/** `waiting, next attempt 2026-03-01T09:05:00.000Z: the mail server answered 451` */
function deliveryLine(
  { state, reason, next_at, attempts }: NonNullable<Shown['delivery']>,
  time: ShowTime,
): string {
  const why = attempts?.at(-1)?.why ?? reason;
  const when = next_at ? `, next attempt ${time(next_at)}` : '';
  return `${state}${when}${why ? `: ${why}` : ''}`;
}
