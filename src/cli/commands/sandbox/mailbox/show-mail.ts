// Shows one email of the sandbox: as text for a person, as HTML, or as the message that is sent.
import { basename, dirname } from 'node:path';
import type { ReceivedOf } from '../../../../api/contract/operations.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { openFolder } from '../../../sending/output-folder.ts';

export type ShowMailOptions = { html: boolean; eml: boolean; output: string | undefined };

export async function showMailMessage(
  context: Uses<'connections' | 'process' | 'settings' | 'terminal'>,
  mailId: string,
  { html, eml, output }: ShowMailOptions,
): Promise<Outcome> {
  if (html && eml) throw cliError('options_conflict', { option: '--html', conflictsWith: '--eml' });
  if (output !== undefined && !html && !eml)
    throw cliError('option_missing', { option: '--eml or --html', by: '--output' });
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
  return {
    kind: 'record',
    json: { id: mail.id, file },
    entries: [
      { key: 'id', label: 'Email', value: mail.id },
      { key: 'file', label: 'File', value: file },
    ],
  };
}

type Shown = ReceivedOf<'sandbox.mail_detail'>;

type ShowTime = (instant: string) => string;

/** Times are in the zone of a person, and as the service sends them in a pipe. */
async function timesFor({ terminal }: Uses<'terminal'>): Promise<ShowTime> {
  if (!terminal.streams.out.isTerminal) return (instant) => instant;
  const { formatLocalTime } = await import('../../../terminal/local-time.ts');
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
