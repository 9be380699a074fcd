import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'wait until everybody has signed',
  details:
    'Asks the service again and again, every second at first and every 15 seconds later. Ends with 0 when it has come ' +
    'that far, with 8 when the time is up (the transaction is printed all the same), with 9 when it was rejected, ' +
    'expired or cancelled, with 7 when the service did not answer five times in a row.',
  arguments: [{ name: 'id', optional: true, summary: 'id of the transaction', completes: 'transaction' }],
  options: {
    for: {
      value: 'STATE',
      summary: 'what to wait for; any is any end, good or bad, and ends with 0',
      choices: ['completed', 'started', 'any'],
      default: 'completed',
    },
    timeout: { value: 'DURATION', summary: '30s, 10m, 2h, 1d; left out, as long as it takes' },
  },
  json: '{id, name, status, outcome, profile, url, recipient: {name, email}, documents: […], recipients: […]}',
  examples: [
    { line: 'esign tx wait ID --timeout 2h', about: 'go on in a script once it is signed' },
    { line: 'esign tx wait ID --for any --select outcome', about: 'however it ends' },
  ],
  async run(context, { args, options }) {
    const { timeoutOf, waitFor } = await import('../../transactions/wait.ts');
    const { whichTransaction } = await import('../../transactions/which-transaction.ts');
    const timeoutMs = timeoutOf(options.timeout);
    const id = await whichTransaction(context, args.id);
    const connection = await context.connections.connect();
    const outcome = await waitFor(context, connection, id, { target: options.for as 'completed', timeoutMs });
    return { ...outcome, actions: { summary: true } };
  },
});
