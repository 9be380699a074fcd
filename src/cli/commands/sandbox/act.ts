// Acting as a recipient in the sandbox: sign or reject.
import { sandboxOperations } from '../../../api/contract/sandbox.ts';
import type { Uses } from '../../command/context.ts';
import { usageError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { checked } from '../../input/checked.ts';
import { person } from '../../transactions/view.ts';

/** `City=London` → `{ City: 'London' }` */
export function valuesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1)
        throw usageError(
          'value_invalid',
          `--value "${pair}" is not of the form LABEL=TEXT.`,
          'Write --value "City=London".',
        );
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

type Acts = {
  'sandbox.sign': { as?: string; values: Record<string, string> };
  'sandbox.reject': { as?: string; reason: string };
};

const WORDS = { 'sandbox.sign': 'has signed', 'sandbox.reject': 'has rejected' };

export async function actInSandbox<K extends keyof Acts>(
  context: Uses<'connections'>,
  operation: K,
  transactionId: string,
  body: Acts[K],
): Promise<Outcome> {
  checked(sandboxOperations[operation].body, body, { as: '--as', reason: '--reason', values: '--value' });
  const { client } = await context.connections.sandbox();
  const params = { transactionId };
  const answer =
    'reason' in body
      ? await client['sandbox.reject']({ params, body })
      : await client['sandbox.sign']({ params, body: body as Acts['sandbox.sign'] });
  return {
    kind: 'record',
    headline: `${person(answer.recipient)} ${WORDS[operation]}.`,
    json: answer,
    entries: [
      { key: 'id', label: 'Transaction', value: answer.id },
      { key: 'status', label: 'Status', value: answer.status },
      { key: 'recipient', value: answer.recipient.email },
    ],
  };
}
