// Makes the rows of help and man pages for arguments and options: how each is typed, and what it does.
import { type ArgumentSpec, type OptionDescription, optionUsage } from '../command/description.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../command/global-options.ts';
import type { HelpBlock } from '../command/help-page.ts';
import { describeOptions } from './describe.ts';

export const argumentRow = (argument: ArgumentSpec): [string, string] => [
  argument.name.toUpperCase(),
  withNotes(argument.summary, [...choicesNote(argument.choices), ...(argument.repeat ? ['repeatable'] : [])]),
];

export const optionRow = (option: OptionDescription): [string, string] => [
  optionUsage(option),
  withNotes(option.summary, [
    ...(option.required ? ['required'] : []),
    ...choicesNote(option.choices),
    ...(option.default === undefined ? [] : [`default: ${option.default}`]),
    ...(option.repeat ? ['repeatable'] : []),
  ]),
];

/** A row with the sentences that only a complete page has room for. */
export function optionRowWithDetails(option: OptionDescription): [string, string] {
  const [usage, text] = optionRow(option);
  return [usage, option.details === undefined ? text : `${text}. ${option.details}`];
}

const choicesNote = (choices: readonly string[] | undefined): string[] =>
  choices ? [`one of ${choices.join(', ')}`] : [];

/** A default that the summary ends with shares its parentheses with the notes. */
function withNotes(summary: string, notes: readonly string[]): string {
  if (notes.length === 0) return summary;
  const [, text, own] = /^(.*) \(((?:default: |required)[^()]*)\)$/.exec(summary) ?? [];
  return text !== undefined && own !== undefined
    ? `${text} (${[own, ...notes].join('; ')})`
    : `${summary} (${notes.join('; ')})`;
}

/** One list, or one for each group of options, in the order of the definition; required ones first. */
export function optionBlocks(options: readonly OptionDescription[], row = optionRow): HelpBlock[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => {
    const members = options.filter((option) => option.group === group);
    const sorted = [
      ...members.filter(({ required }) => required),
      ...members.filter((option) => !option.required),
    ];
    return { kind: 'terms', rows: sorted.map(row), ...(group !== undefined && { title: group }) };
  });
}

/** The options of every command. */
export const globalOptionRows = (): [string, string][] =>
  describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION }).map(optionRow);
