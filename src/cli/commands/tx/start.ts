import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'start a draft',
  details: 'From then on it cannot be edited, and the first recipient is asked to sign.',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }],
  options: {},
  json: '{id, name, status, outcome, profile, url, recipient: {name, email}, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx start ID', about: 'ask the first recipient' }],
  async run(app, { args }) {
    const { startDraft } = await import('../../flows/start.ts');
    return startDraft(app, args.id);
  },
});
