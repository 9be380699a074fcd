// Which transactions a command without an ID offers a person: those that it can do something with, by the table of the domain.
import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/cli/command/command.ts';
import type { CommandContext, Uses } from '../../../src/cli/command/context.ts';
import { command as cancel } from '../../../src/cli/commands/tx/cancel.ts';
import { command as download } from '../../../src/cli/commands/tx/download.ts';
import { command as open } from '../../../src/cli/commands/tx/open.ts';
import { command as remind } from '../../../src/cli/commands/tx/remind.ts';
import { command as show } from '../../../src/cli/commands/tx/show.ts';
import { command as start } from '../../../src/cli/commands/tx/start.ts';
import { command as update } from '../../../src/cli/commands/tx/update.ts';
import { command as wait } from '../../../src/cli/commands/tx/wait.ts';
import { NEXT_STATE, type StateCommand } from '../../../src/service/domain/states.ts';

const STATUSES = ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled', undefined];

/** Runs a command without an ID up to its first answer or its refusal. It offers transactions by their statuses. */
async function runWithoutId(
  command: unknown,
  options: Record<string, unknown> = {},
  seen: readonly (string | undefined)[] = STATUSES,
): Promise<{ offers: string[]; error: unknown }> {
  const offers: string[] = [];
  const context = {
    history: {
      recentItems: async () => ({
        things: seen.map((outcome) => ({ kind: 'transaction', id: outcome ?? 'never seen', outcome })),
      }),
    },
    prompts: {
      canAsk: true,
      series: <R>(askAll: () => Promise<R>) => askAll(),
      choose: async (_: string, __: string, choices: readonly { value: string }[]) => {
        offers.push(...choices.map(({ value }) => value));
        throw new Error('chosen');
      },
    },
  } as unknown as Uses<'history' | 'prompts'>;
  const input = { args: {}, options: { to: [], document: [], ...options } };
  const error = await (command as Command).run(context as CommandContext, input).catch((thrown) => thrown);
  return { offers, error };
}

const offered = async (command: unknown, options?: Record<string, unknown>): Promise<string[]> =>
  (await runWithoutId(command, options)).offers;

/** The states in which the service accepts a command. */
const accepting = (command: StateCommand): string[] => Object.keys(NEXT_STATE[command]);

describe('a person who names no transaction chooses', () => {
  test.each([
    ['tx cancel', cancel, accepting('cancel')],
    // The recipient who is asked to sign.
    ['tx remind', remind, accepting('submit')],
    ['tx open', open, accepting('submit')],
    ['tx start', start, accepting('start')],
    ['tx wait', wait, [...accepting('start'), ...accepting('submit')]],
    // It may have been completed since.
    ['tx download', download, [...accepting('submit'), 'completed']],
  ])('for %s from those that it accepts', async (_, command, states) => {
    expect(await offered(command)).toEqual([...states, 'never seen']);
  });

  test('for tx update from the drafts', async () => {
    expect(await offered(update, { name: 'Agreement' })).toEqual([...accepting('edit'), 'never seen']);
  });

  test('for tx show and originals from all', async () => {
    const all = STATUSES.map((status) => status ?? 'never seen');
    expect(await offered(show)).toEqual(all);
    expect(await offered(download, { original: true })).toEqual(all);
  });

  test('from none where none fits, which is refused', async () => {
    const { offers, error } = await runWithoutId(cancel, {}, ['rejected', 'completed']);
    expect(offers).toEqual([]);
    expect(error).toMatchObject({
      facts: { code: 'argument_missing', hint: expect.stringContaining('the status started.') },
    });
  });
});
