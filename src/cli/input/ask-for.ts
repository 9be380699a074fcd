// Collects the values that a command needs: takes the given ones, asks for the others at a terminal, and
// otherwise throws one error that names all missing ones.
import type { CommandContext } from '../command/context.ts';
import { type AskOptions, missingValuesError } from '../terminal/prompts.ts';

/** @property flag what to give instead: `--name TEXT` */
export type WantedText = { what: string; flag: string; value: string | undefined } & AskOptions;

export async function askFor<K extends string>(
  context: Pick<CommandContext, 'prompts'>,
  wanted: Record<K, WantedText>,
  also: readonly { what: string; flag: string }[] = [],
): Promise<Record<K, string>> {
  const entries = Object.entries(wanted) as [K, WantedText][];
  const missing = entries.filter(([, { value }]) => value === undefined).map(([, text]) => text);
  if (!context.prompts.canAsk && missing.length + also.length > 0)
    throw missingValuesError([...missing, ...also]);
  const answers: Partial<Record<K, string>> = {};
  for (const [key, { what, flag, value, ...options }] of entries)
    answers[key] = value ?? (await context.prompts.ask(what, flag, options));
  return answers as Record<K, string>;
}
