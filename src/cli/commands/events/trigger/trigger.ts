import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Trigger an event in the sandbox',
  details: `Creates a real transaction with a document and a recipient in the sandbox, and advances it until the event
has happened. Earlier events happen too, and a completed transaction has a sealed document. With --transaction, an
existing transaction is advanced instead. Works only in the sandbox; no real person is asked to sign.

PATH of --override is one of:

  transaction.PROPERTY     With name, subject, message or expiration_days
  recipient.PROPERTY       With name or email
  next_recipient.PROPERTY  With name or email; the recipient who is asked after recipient_submitted
  document.name            Name of the document
  reason                   Reason of a rejection or cancellation`,
  arguments: [
    {
      name: 'type',
      optional: true,
      completes: 'event_type',
      summary: 'Event type; without it, the types are listed (see `esign help events`)',
    },
  ],
  options: {
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of an existing transaction to advance',
    },
    override: { value: 'PATH=VALUE', repeat: true, summary: 'Value to use instead of a generated one' },
    notify: { value: 'URL', summary: 'Notification URL of the created transaction' },
  },
  json: '{id, status, outcome, type, events: [{id, type, created}]}',
  examples: [
    { line: 'esign events trigger transaction_completed', about: 'Create a signed and sealed transaction' },
    {
      line: 'esign events trigger transaction_rejected --override recipient.email=grace@example.com --override "reason=Wrong price"',
      about: 'Reject a transaction with your own values',
    },
    {
      line: 'esign events trigger transaction_cancelled --transaction @',
      about: 'Advance an existing transaction',
    },
  ],
  async run(context, { args, options }) {
    const { triggerEvent } = await import('./trigger-event.ts');
    const { chooseEventType: whichEventType } = await import('../../../events/event-type.ts');
    return triggerEvent(context, await whichEventType(context, args.type), options);
  },
});
