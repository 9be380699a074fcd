// Finds the transaction of a command: by the given id, or by letting a person at a terminal choose one of those that this
// machine has seen lately.
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';

const OFFERED = 30;

export async function chooseTransaction(
  context: Uses<'history' | 'prompts'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  if (!context.prompts.canAsk)
    throw cliError('argument_missing', {
      what: 'transaction ID',
      hint: 'Add an ID. List the transactions of this machine with `esign tx list`.',
    });
  const { things } = await context.history.recentItems();
  const choices = things
    .filter(({ kind }) => kind === 'transaction')
    .slice(0, OFFERED)
    .map(({ id, name, outcome, people = [] }) => ({
      value: id,
      name: [name || 'untitled', outcome].filter(Boolean).join(' · '),
      description: [id, ...people.slice(0, 3)].join('  '),
    }));
  if (choices.length === 0)
    throw cliError('argument_missing', {
      what: 'transaction ID',
      hint: 'This machine has seen no transactions with this profile. Add an ID, or send one with `esign tx send`.',
    });
  return context.prompts.choose('Transaction', 'ID', choices);
}
