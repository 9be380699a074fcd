// Signs or rejects as a recipient in the sandbox.
import { sandboxOperations } from '../../../api/contract/sandbox.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { parseWith } from '../../input/parse-input.ts';
import { person } from '../../sending/view.ts';

/** `City=London` → `{ City: 'London' }` */
export function parseFieldValues(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1)
        throw cliError('value_invalid', {
          name: '--value',
          value: pair,
          use: 'LABEL=TEXT, for example --value "City=London"',
        });
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

type Acts = {
  'sandbox.sign': { as?: string; values: Record<string, string> };
  'sandbox.reject': { as?: string; reason: string };
};

const WORDS = { 'sandbox.sign': 'Signed', 'sandbox.reject': 'Rejected' };

export async function actInSandbox<K extends keyof Acts>(
  context: Uses<'connections'>,
  operation: K,
  transactionId: string,
  body: Acts[K],
): Promise<Outcome> {
  parseWith(sandboxOperations[operation].body, body, { as: '--as', reason: '--reason', values: '--value' });
  const { client } = await context.connections.sandbox();
  const params = { transactionId };
  const answer =
    'reason' in body
      ? await client['sandbox.reject']({ params, body })
      : await client['sandbox.sign']({ params, body: body as Acts['sandbox.sign'] });
  // Read so that `tx list` knows who is asked to sign now. An error of this request does not undo what was done.
  await client['transaction.detail']({ params }).catch(() => undefined);
  return {
    kind: 'record',
    headline: `${WORDS[operation]} as ${person(answer.recipient)}.`,
    json: answer,
    entries: [
      { key: 'id', label: 'Transaction', value: answer.id },
      { key: 'status', label: 'Status', value: answer.status },
      { key: 'recipient', value: answer.recipient.email },
    ],
  };
}
