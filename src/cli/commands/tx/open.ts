import type { ReceivedRecipient } from '../../../api/contract/recipients.ts';
import type { ReceivedTransaction } from '../../../api/contract/transactions.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { object, only, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import type { Connection } from '../../connection/connection.ts';
import { browseServed } from '../../sending/browse.ts';
import {
  chooseTransaction,
  currentRecipient,
  outcomeOf,
  outcomePhrase,
  person,
  signingUrlOf,
  withSigningPages,
} from '../../sending/view.ts';
import { serveUntilSigned } from '../../sending/wait.ts';

export const command = defineCommand({
  summary: 'Open the signing page in the browser',
  details:
    'Opens the page on which the current recipient reads the documents, fills in fields, and signs or ' +
    'rejects. The URL is always printed; the browser opens only when you are at a terminal.\n\n' +
    'In the sandbox, signing pages need a server. If `esign sandbox serve` is not running, this command serves ' +
    'the page until the recipient has signed or rejected, or you press Ctrl-C. In a pipe, and with --json, ' +
    'it only prints the URL; start `esign sandbox serve` for it.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {},
  json: prints(
    object({ id: text, url: text, recipient: object({ name: text, email: text }), opened: only(false) }),
  ),
  examples: [
    { line: 'esign tx open @', about: 'Open the signing page in the browser' },
    { line: 'esign tx open @ --jq .url', about: 'Print only the signing URL, for a script' },
  ],
  async run(context, { args }) {
    return openTransaction(context, await chooseTransaction(context, args.id, ['started']));
  },
});

async function openTransaction(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<Outcome> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const recipient = mustBeAsked(transaction);
  const url = addressOf(transaction, await withSigningPages(connection, transaction));
  const { opened, notes, serving } = await browseServed(context, connection, url);
  const { name, email } = recipient;
  const shown: Outcome = {
    kind: 'record',
    headline: `Signing page of ${person(recipient)}.`,
    json: { id: transaction.id, url, recipient: { name, email }, opened },
    entries: [
      { key: 'id', value: transaction.id },
      { key: 'current', value: person(recipient) },
      { key: 'url', label: 'Signing URL', value: url },
    ],
    notes,
  };
  return serving ? serveUntilSigned(context, connection, { transaction, serving, shown }) : shown;
}

function mustBeAsked(transaction: ReceivedTransaction): ReceivedRecipient {
  const state = outcomeOf(transaction);
  const recipient = currentRecipient(transaction);
  if (state === 'started' && recipient) return recipient;
  throw cliError('nobody_to_sign', {
    sentence: `Transaction ${transaction.id} is ${outcomePhrase(state)}: no recipient can sign it now.`,
    next: [
      state === 'draft'
        ? { command: `esign tx start ${transaction.id}`, when: 'to start it' }
        : { command: `esign tx show ${transaction.id}`, when: 'to see who has signed' },
    ],
  });
}

function addressOf(transaction: ReceivedTransaction, { appUrl }: Connection): string {
  if (!currentRecipient(transaction)?.token)
    throw cliError('signing_address_unknown', {
      sentence: 'The service does not return a signing URL for the recipient.',
      hint: 'It is shown only to the user who sends the transaction. The recipient finds it in the email from the service.',
    });
  const url = signingUrlOf(transaction, appUrl);
  if (url !== undefined) return url;
  throw cliError('app_url_missing', {
    sentence:
      'The URL of the signing pages is not known: no setting has it, and the service does not say it. Signing URLs are made from it.',
    hint: 'Set it with `esign config set app_url https://…`, or in ESIGN_APP_URL.',
  });
}
