// The transaction a command is about: the id that was given, or, for a person at a terminal, one of those that this
// machine has seen lately.
import type { Uses } from '../command/context.ts';
import { usageError } from '../command/errors.ts';

const OFFERED = 30;

export async function whichTransaction(
  context: Uses<'history' | 'prompts'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  if (!context.prompts.canAsk)
    throw usageError(
      'argument_missing',
      'The id of a transaction is missing.',
      'Give ID; `esign tx list` shows those of this machine.',
    );
  const { things } = await context.history.seen();
  const choices = things
    .filter(({ kind }) => kind === 'transaction')
    .slice(0, OFFERED)
    .map(({ id, name, outcome, people = [] }) => ({
      value: id,
      name: [name || 'without a name', outcome].filter(Boolean).join(' · '),
      description: [id, ...people.slice(0, 3)].join('  '),
    }));
  if (choices.length === 0)
    throw usageError(
      'argument_missing',
      'The id of a transaction is missing, and this machine has seen none of this service.',
      'Give ID, or send something with `esign tx send`.',
    );
  return context.prompts.choose('Which transaction', 'ID', choices);
}
