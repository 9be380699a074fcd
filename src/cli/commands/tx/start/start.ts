import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'start a draft',
  details: 'From then on it cannot be edited, and the first recipient is asked to sign.',
  arguments: [{ name: 'id', optional: true, summary: 'id of the transaction', completes: 'transaction' }],
  options: { open: { summary: 'open the page on which the first recipient signs' } },
  json: '{id, name, status, outcome, profile, url, recipient: {name, email}, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx start ID', about: 'ask the first recipient' }],
  async run(context, { args, options }) {
    const { startDraft } = await import('./start-draft.ts');
    const { whichTransaction } = await import('../../../transactions/which-transaction.ts');
    return startDraft(context, await whichTransaction(context, args.id), options.open);
  },
});
