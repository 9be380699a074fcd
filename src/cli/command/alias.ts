// Expands and checks aliases: names that a person gives to lines that they type often, stored in their settings and nowhere else. The
// name of a command always means the command. No shell is involved.

import { readConfigFile } from '../../config/config-file.ts';
import { type Environment, pathsOf } from '../../config/environment.ts';
import { splitAliasWords } from './alias-words.ts';
import { cliError } from './errors.ts';

export type Aliases = Readonly<Record<string, string>>;

export type ExpandedWords = {
  words: readonly string[];
  /** The alias that was typed, and what it stands for. */
  alias?: { name: string; line: string };
};

/** Replaces an alias of the settings by the words that it stands for. */
export async function expandAlias(
  words: readonly string[],
  at: number,
  environment: Environment,
  isCommand: (name: string) => boolean,
): Promise<ExpandedWords> {
  // A misspelt command is reported as such, even where the file of settings cannot be read.
  const { aliases = {} } = await readConfigFile(pathsOf(environment).configFile).catch(() => ({
    aliases: {},
  }));
  return expandWords(words, at, aliases, isCommand);
}

const aliasIn = (aliases: Aliases, name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined;

/**
 * Replaces an alias by the words that it stands for, and an alias in these again.
 * @param at the place of the word that should name a command
 * @param isCommand whether a word names a command
 * @throws CliError with exit 2 when the alias takes more words than were given, or leads back to itself
 */
export function expandWords(
  words: readonly string[],
  at: number,
  aliases: Aliases,
  isCommand: (name: string) => boolean,
): ExpandedWords {
  const name = words[at];
  let line = aliasIn(aliases, name);
  if (name === undefined || line === undefined) return { words };
  const alias = { name, line };
  const passed = new Set([name]);
  let rest = words.slice(at + 1);
  for (;;) {
    const expanded = fillPlaceholders(alias.name, line, rest);
    const [first = '', ...others] = expanded;
    const next = isCommand(first) ? undefined : aliasIn(aliases, first);
    if (next === undefined) return { words: [...words.slice(0, at), ...expanded], alias };
    if (passed.has(first)) throw aliasLoop(name, first);
    passed.add(first);
    line = next;
    rest = others;
  }
}

/** Puts the words after the alias into its line: `$1` is the first of them; words without a placeholder go to the end. */
function fillPlaceholders(name: string, line: string, typed: readonly string[]): string[] {
  const words = splitAliasWords(line);
  if (!words || words.length === 0) throw aliasUnreadable(name, line);
  const used = new Set<number>();
  const filled = words.map((word) =>
    word.replace(/\$([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      used.add(at);
      return typed[at] ?? '';
    }),
  );
  const needed = Math.max(0, ...[...used].map((index) => index + 1));
  if (needed > typed.length)
    throw cliError('alias_incomplete', {
      sentence: `The alias "${name}" (${line}) needs ${needed} word${needed === 1 ? '' : 's'} after it, not ${typed.length}.`,
      hint: 'Add what is missing, or change the alias with `esign config set`.',
    });
  return [...filled, ...typed.filter((_, index) => !used.has(index))];
}

const NAME = /^[a-z][a-z0-9_-]{0,63}$/i;

/**
 * Checks whether an alias may be set.
 * @param aliases those that are set already
 * @throws CliError with exit 2 when it would hide a command, or stands for none
 */
export function checkAlias(
  name: string,
  line: string,
  aliases: Aliases,
  isCommand: (name: string) => boolean,
): void {
  if (!NAME.test(name))
    throw cliError('alias_invalid', {
      sentence: `"${name}" is not a valid name for an alias.`,
      hint: 'Use up to 64 letters, digits, - and _, starting with a letter.',
    });
  if (isCommand(name))
    throw cliError('alias_invalid', {
      sentence: `"${name}" is already a command.`,
      hint: 'Choose another name.',
    });
  const words = splitAliasWords(line);
  const [first] = words ?? [];
  if (!words || first === undefined) throw aliasUnreadable(name, line);
  if (first === name || (!isCommand(first) && aliasIn(aliases, first) === undefined))
    throw cliError('alias_invalid', {
      sentence: `"${first}", the first word of "${line}", is not a command.`,
      hint: `Start with a command, without esign: ${SET_ALIAS}.`,
    });
  // An alias may stand for another alias, but not for one that leads back here.
  let next: string | undefined = first;
  for (const passed = new Set([name]); next !== undefined && !isCommand(next); ) {
    if (passed.has(next)) throw aliasLoop(name, next);
    passed.add(next);
    next = splitAliasWords(aliasIn(aliases, next) ?? '')?.[0];
  }
}

const SET_ALIAS = '`esign config set aliases.NAME "tx list --status started"`';

const aliasLoop = (alias: string, other: string) =>
  cliError('alias_loop', {
    sentence: `The alias "${alias}" leads back to "${other}".`,
    hint: `Start one of them with a command: ${SET_ALIAS}.`,
  });

const aliasUnreadable = (alias: string, line: string) =>
  cliError('alias_invalid', {
    sentence: line.trim() === '' ? `The alias "${alias}" is empty.` : `A quote in "${line}" is not closed.`,
    hint: `Set it again, for example ${SET_ALIAS}.`,
  });
