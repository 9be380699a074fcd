import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
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
  json: '{items: [{id, transaction_id, recipient_id, kind, language, created, from, reply_to, to, subject, body, delivery: {state, reason} | null}]}',
  examples: [
    { line: 'esign sandbox mailbox list', about: 'List recent emails' },
    { line: 'esign sandbox mailbox list --to ada@example.com', about: 'List the emails to one recipient' },
  ],
  async run(context, { options }) {
    const { wholeNumber } = await import('../../../input/parse-input.ts');
    const limit = wholeNumber('--limit', options.limit, 1, 1000);
    const { client } = await context.connections.sandbox();
    const { transaction, to } = options;
    const query = {
      limit: String(limit),
      ...(transaction !== undefined && { transaction_id: transaction }),
      ...(to !== undefined && { to }),
    };
    const { items } = await client['sandbox.mail']({ query });
    const { deliveryWords } = await import('./delivery-words.ts');
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
});
