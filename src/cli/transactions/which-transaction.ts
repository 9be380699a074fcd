// Finds the transaction of a command: by the given id, or by letting a person at a terminal choose one of those that this
// machine has seen lately, and that the command accepts.
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { TransactionOutcome } from './view.ts';

const OFFERED = 30;

/** @param accepted the statuses to offer, as last seen; all where it is undefined, and always those whose status was never seen */
export async function chooseTransaction(
  context: Uses<'history' | 'prompts'>,
  given: string | undefined,
  accepted?: readonly TransactionOutcome[],
): Promise<string> {
  if (given !== undefined) return given;
  if (!context.prompts.canAsk)
    throw cliError('argument_missing', {
      what: 'transaction ID',
      hint: 'Add an ID. List the transactions of this machine with `esign tx list`.',
    });
  const { things } = await context.history.recentItems();
  const isAccepted = (outcome: string | undefined) =>
    accepted === undefined || outcome === undefined || accepted.some((status) => status === outcome);
  const choices = things
    .filter(({ kind, outcome }) => kind === 'transaction' && isAccepted(outcome))
    .slice(0, OFFERED)
    .map(({ id, name, outcome, people = [] }) => ({
      value: id,
      name: [name || 'untitled', outcome].filter(Boolean).join(' · '),
      description: [id, ...people.slice(0, 3)].join('  '),
    }));
  if (choices.length === 0)
    throw cliError('argument_missing', {
      what: 'transaction ID',
      hint:
        accepted === undefined
          ? 'This machine has seen no transactions with this profile. Add an ID, or send one with `esign tx send`.'
          : `This machine has seen no transactions with this profile and the status ${accepted.join(' or ')}. Add an ID, or send one with \`esign tx send\`.`,
    });
  return context.prompts.choose('Transaction', 'ID', choices);
}
