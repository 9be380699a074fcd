// Makes the help of the program, of a group and of a command as a page (command/help-page.ts). Everything in it comes from
// the tree and the definitions of the commands; nothing is written here but the headings.
import type { Command } from '../command/command.ts';
import {
  type ArgumentSpec,
  argumentUsage,
  type OptionDescription,
  optionUsage,
} from '../command/description.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../command/global-options.ts';
import type { HelpBlock, HelpSection } from '../command/help-page.ts';
import { type Branch, isBranch, nodeAt, type Tree } from '../command/tree.ts';
import { unknownCommand } from '../input/meant-command.ts';
import { blocksOf } from './blocks.ts';
import { describeOptions } from './describe.ts';
import { TOPICS } from './topics.ts';

export const PROGRAM_SUMMARY =
  "Send documents for signature, track them, and verify the signed PDFs from the command line. Works with services that have esign's own API (not DocuSign and others), and offline with the sandbox that is included.";

/** The commands whose first example is an example of the program. */
export const EXAMPLES_OF_ALL = [['tx', 'send'], ['tx', 'wait'], ['verify']];

/** @throws CliError when there is no such command */
export async function helpPage(path: readonly string[], tree: Tree): Promise<HelpSection[]> {
  if (path.length === 0) return programPage(tree);
  const found = nodeAt(path, tree);
  if (!found || found.depth < path.length)
    throw unknownCommand(
      path,
      tree,
      TOPICS.map(({ name }) => name),
    );
  const { node } = found;
  const command = await node.load?.();
  const children = isBranch(node) ? node : undefined;
  return command ? commandPage(path, command, children) : groupPage(path, node as Branch);
}

async function programPage(tree: Tree): Promise<HelpSection[]> {
  const commands = await Promise.all(EXAMPLES_OF_ALL.map((path) => nodeAt(path, tree)?.node.load?.()));
  const examples = commands.flatMap((command) => command?.examples.slice(0, 1) ?? []);
  return [
    { title: '', blocks: [{ kind: 'text', text: PROGRAM_SUMMARY }] },
    lines('USAGE', ['esign COMMAND [SUBCOMMAND] [ARGUMENT...] [OPTION...]']),
    ...groupsOf(tree).map(([title, rows]) => terms(title, rows)),
    terms(
      'GLOBAL OPTIONS',
      describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION }).map(optionRow),
    ),
    { title: 'EXAMPLES', blocks: [{ kind: 'examples', rows: exampleRows({ examples }) }] },
    terms('LEARN MORE', [
      ['esign COMMAND --help', 'Help for a command'],
      ['esign help TOPIC', `Help for a topic: ${TOPICS.map(({ name }) => name).join(', ')}`],
      ['man esign', 'The manual, if the man pages are installed'],
    ]),
  ];
}

function groupPage(path: readonly string[], { summary, details, children }: Branch): HelpSection[] {
  const usage = ['esign', ...path].join(' ');
  return [
    { title: '', blocks: [{ kind: 'text', text: summary }, ...(details ? blocksOf(details) : [])] },
    lines('USAGE', [`${usage} COMMAND [ARGUMENT...] [OPTION...]`]),
    ...groupsOf(children).map(([title, rows]) => terms(title, rows)),
    GLOBAL_OPTION_NAMES,
    {
      title: 'LEARN MORE',
      blocks: [{ kind: 'text', text: `\`${usage} COMMAND --help\` describes a command.` }],
    },
  ];
}

function commandPage(path: readonly string[], command: Command, branch: Branch | undefined): HelpSection[] {
  const { summary, details, json } = command;
  const usage = ['esign', ...path, ...command.arguments.map(argumentUsage)].join(' ');
  const options = describeOptions(command.options);
  const blocks: HelpBlock[] = [{ kind: 'text', text: summary }, ...(details ? blocksOf(details) : [])];
  return [
    { title: '', blocks },
    lines('USAGE', [`${usage}${options.length > 0 ? ' [OPTION...]' : ''}`]),
    ...(branch ? [terms('COMMANDS', commandRows(branch.children))] : []),
    ...(command.arguments.length > 0 ? [terms('ARGUMENTS', command.arguments.map(argumentRow))] : []),
    ...(options.length > 0 ? [{ title: 'OPTIONS', blocks: optionBlocks(options) }] : []),
    GLOBAL_OPTION_NAMES,
    { title: 'JSON OUTPUT', blocks: [{ kind: 'text', text: `${json}\n\nSee \`esign help json\`.` }] },
    { title: 'EXAMPLES', blocks: [{ kind: 'examples', rows: exampleRows(command) }] },
  ];
}

const lines = (title: string, list: string[]): HelpSection => ({
  title,
  blocks: [{ kind: 'lines', lines: list }],
});

const terms = (title: string, rows: [string, string][]): HelpSection => ({
  title,
  blocks: [{ kind: 'terms', rows }],
});

const exampleRows = ({ examples }: Pick<Command, 'examples'>): [string, string][] =>
  examples.map(({ line, about }) => [line, about]);

const commandRows = (tree: Tree): [string, string][] =>
  Object.entries(tree).map(([name, { summary }]) => [name, summary]);

/** In the order in which the tree first names them. */
export function groupsOf(tree: Tree): [title: string, rows: [string, string][]][] {
  const titles = [...new Set(Object.values(tree).map(({ group }) => group ?? 'COMMANDS'))];
  return titles.map((title) => [
    title,
    commandRows(
      Object.fromEntries(Object.entries(tree).filter(([, { group }]) => (group ?? 'COMMANDS') === title)),
    ),
  ]);
}

/** The main help explains them. */
const GLOBAL_OPTION_NAMES: HelpSection = {
  title: 'GLOBAL OPTIONS',
  blocks: [
    {
      kind: 'text',
      text: `${Object.keys({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION })
        .map((name) => `--${name}`)
        .join(', ')}; see \`esign --help\``,
    },
  ],
};

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
export function optionBlocks(options: readonly OptionDescription[]): HelpBlock[] {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => {
    const members = options.filter((option) => option.group === group);
    const sorted = [...members.filter(({ required }) => required), ...members.filter((one) => !one.required)];
    return { kind: 'terms', rows: sorted.map(optionRow), ...(group !== undefined && { title: group }) };
  });
}
