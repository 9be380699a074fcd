import { defineCommand } from '../../command/command.ts';
import { prints } from '../../command/json-output.ts';
import { REJECTED, transaction, WAITING_FOR } from '../../command/transaction-json.ts';
import { chooseTransaction } from '../../sending/view.ts';
import { timeoutOf, waitFor } from '../../sending/wait.ts';

export const command = defineCommand({
  summary: 'Wait until a transaction reaches a status',
  details: `Waits until everyone has signed, or for the status given with --for. The wait also ends when the transaction
is rejected, expires or is cancelled. Checks the transaction every second at first, then less and less often, down
to once every 15 seconds. At a terminal without an ID, you choose from the transactions recently used on this machine;
elsewhere, an ID is required. The exit code tells how the wait ended:

  0  The status was reached
  7  The service did not respond five times in a row
  8  The timeout was reached; the transaction is printed
  9  The transaction was rejected, expired or cancelled (0 with --for any)`,
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {
    for: {
      value: 'STATUS',
      summary: 'Status to wait for; any stands for any final status, and the exit code is then 0',
      choices: ['completed', 'started', 'any'],
      default: 'completed',
    },
    timeout: {
      value: 'DURATION',
      summary: 'Maximum time to wait, such as 30s, 10m, 2h or 1d (default: no limit)',
    },
  },
  json: prints(transaction({ ...WAITING_FOR, ...REJECTED })),
  examples: [
    {
      line: 'esign tx wait @ --timeout 2h',
      about: 'Wait up to two hours for all signatures of @, the transaction used last',
    },
    {
      line: 'esign tx wait @ --for any --jq .outcome',
      about: 'Wait for any final outcome and print it, such as completed or cancelled',
    },
  ],
  async check(_, { options: { timeout } }) {
    timeoutOf(timeout);
  },
  async run(context, { args, options }) {
    const timeoutMs = timeoutOf(options.timeout);
    const id = await chooseTransaction(context, args.id, ['draft', 'started']);
    const connection = await context.connections.connect();
    const outcome = await waitFor(context, connection, id, { target: options.for as 'completed', timeoutMs });
    return { ...outcome, actions: { summary: true } };
  },
});
