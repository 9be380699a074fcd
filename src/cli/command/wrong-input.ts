// The errors in what was typed that many commands share: a value, and options that do not go together.
import { didYouMean } from '../../common/nearest.ts';
import { type CliError, cliError } from './errors.ts';

type InvalidValue = {
  /** The option, argument, property or setting. */
  name: string;
  value?: string;
  /** How the sentence continues after the value. Without it the sentence says that the value is not valid. */
  problem?: string;
  meant?: string | undefined;
  /** A noun phrase: `a number from 1 to 100`. Left out where the problem says what is accepted. */
  use?: string;
};

export function invalidValue({ name, value, problem, meant, use }: InvalidValue): CliError {
  const subject = `${name}${value === undefined ? '' : ` "${value}"`}`;
  const accepted =
    problem === undefined ? 'Add --help to the command to see the accepted values.' : undefined;
  return cliError('value_invalid', {
    sentence:
      problem === undefined ? `"${value}" is not a valid value for ${name}.` : `${subject} ${problem}.`,
    hint: use === undefined ? accepted : didYouMean(meant, `Use ${use}.`, ''),
  });
}

/** Makes the error for an option beside one that excludes it. @param why a whole sentence */
export const optionsConflict = (
  option: string,
  other: string,
  { why, hint = 'Leave one of them out.' }: { why?: string; hint?: string } = {},
): CliError =>
  cliError('options_conflict', {
    sentence: `${option} and ${other} cannot be used together.${why === undefined ? '' : ` ${why}`}`,
    hint,
  });

/** Makes the error for an option that has no effect without another. */
export const optionNeeds = (option: string, needed: string): CliError =>
  cliError('options_conflict', {
    sentence: `${option} needs ${needed}.`,
    hint: `Add ${needed}, or leave out ${option}.`,
  });
