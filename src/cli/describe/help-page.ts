// Makes the help of the program, of a group and of a command as a page (command/help-page.ts). Everything in it comes from
// the tree and the definitions of the commands; nothing is written here but the headings.
import type { Command } from '../command/command.ts';
import { argumentUsage } from '../command/description.ts';
import type { HelpBlock, HelpDetail, HelpSection } from '../command/help-page.ts';
import { explainedProperties, type JsonOutput, jsonLine } from '../command/json-output.ts';
import { type Branch, isBranch, nodeAt, type Tree } from '../command/tree.ts';
import { unknownCommand } from '../input/meant.ts';
import { blocksOf } from './blocks.ts';
import { describeOptions } from './describe.ts';
import { argumentRow, optionBlocks, optionRow, optionRowWithDetails } from './option-rows.ts';
import { TOPICS } from './topics.ts';

export const PROGRAM_SUMMARY =
  "Send documents for signature, track them, and verify signed PDFs, with services that have esign's own API (not DocuSign and others), or offline in the sandbox.";

/** The command whose first example is the example of the program. */
const EXAMPLE_OF_ALL = ['tx', 'send'];

/** @throws CliError when there is no such command */
export async function helpPage(
  path: readonly string[],
  tree: Tree,
  detail: HelpDetail = 'brief',
): Promise<HelpSection[]> {
  if (path.length === 0) return programPage(tree);
  const place = nodeAt(path, tree);
  if (!place || place.depth < path.length)
    throw unknownCommand(
      path,
      tree,
      TOPICS.map(({ name }) => name),
    );
  const { node } = place;
  const command = await node.load?.();
  const children = isBranch(node) ? node : undefined;
  return command ? commandPage(path, command, children, detail) : groupPage(path, node as Branch);
}

/** Makes the help of the program. It fits on a terminal of 24 lines with the prompt below it, so that the core commands stay visible. */
async function programPage(tree: Tree): Promise<HelpSection[]> {
  const command = await nodeAt(EXAMPLE_OF_ALL, tree)?.node.load?.();
  return [
    { title: '', blocks: [{ kind: 'text', text: PROGRAM_SUMMARY }] },
    ...groupsOf(tree).map(([title, rows]) => terms(title, rows)),
    lines('EXAMPLE', command?.examples.slice(0, 1).map(({ line }) => line) ?? []),
    terms('LEARN MORE', [
      ['esign COMMAND --help', 'Help for a command, such as esign tx --help'],
      ['esign help options', 'Global options: --json, --quiet, --sandbox and others'],
      ['esign help topics', 'Topics: exit-codes, environment, fields and others'],
    ]),
  ];
}

function groupPage(path: readonly string[], { summary, details, children }: Branch): HelpSection[] {
  const usage = ['esign', ...path].join(' ');
  return [
    { title: '', blocks: [{ kind: 'text', text: summary }, ...(details ? blocksOf(details) : [])] },
    lines('USAGE', [`${usage} COMMAND [ARGUMENT...] [OPTION...]`]),
    ...groupsOf(children).map(([title, rows]) => terms(title, rows)),
    {
      title: 'LEARN MORE',
      blocks: [{ kind: 'text', text: `\`${usage} COMMAND --help\` describes a command.` }],
    },
    globalOptions(),
  ];
}

function commandPage(
  path: readonly string[],
  command: Command,
  branch: Branch | undefined,
  detail: HelpDetail,
): HelpSection[] {
  const { summary, details, manual, json } = command;
  const isComplete = detail === 'complete';
  const hasMore = manual !== undefined || Object.values(command.options).some((option) => option.details);
  const usage = ['esign', ...path, ...command.arguments.map(argumentUsage)].join(' ');
  const options = describeOptions(command.options);
  const texts = [details, isComplete ? manual : undefined].filter((text) => text !== undefined);
  const blocks: HelpBlock[] = [{ kind: 'text', text: summary }, ...texts.flatMap(blocksOf)];
  const row = isComplete ? optionRowWithDetails : optionRow;
  return [
    { title: '', blocks },
    lines('USAGE', [`${usage}${options.length > 0 ? ' [OPTION...]' : ''}`]),
    ...(branch ? [terms('COMMANDS', commandRows(branch.children))] : []),
    ...(command.arguments.length > 0 ? [terms('ARGUMENTS', command.arguments.map(argumentRow))] : []),
    ...(options.length > 0 ? [{ title: 'OPTIONS', blocks: optionBlocks(options, row) }] : []),
    {
      title: 'JSON OUTPUT',
      blocks: isComplete ? jsonBlocks(json, path) : [{ kind: 'text', text: jsonSentence(json, path) }],
    },
    { title: 'EXAMPLES', blocks: [{ kind: 'examples', rows: exampleRows(command) }] },
    globalOptions(
      hasMore && !isComplete ? ` More about this command: \`man ${['esign', ...path].join('-')}\`.` : '',
    ),
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

/** Headings and the lines below them, in the order in which the tree first names them. */
export function groupsOf(tree: Tree): [title: string, rows: [string, string][]][] {
  const groups = new Map<string, Map<string, string[]>>();
  for (const [name, { group = 'COMMANDS', row, summary }] of Object.entries(tree)) {
    const rows = groups.get(group) ?? new Map<string, string[]>();
    const text = row ?? summary;
    groups.set(group, rows.set(text, [...(rows.get(text) ?? []), name]));
  }
  return [...groups].map(([title, rows]) => [
    title,
    [...rows].map(([text, names]): [string, string] => [names.join(', '), text]),
  ]);
}

/** The last line of each page names the topic that explains them. */
const globalOptions = (more = ''): HelpSection => ({
  title: 'GLOBAL OPTIONS',
  blocks: [
    {
      kind: 'text',
      text: `--json, --quiet, --yes, --sandbox and others: see \`esign help options\`.${more}`,
    },
  ],
});

/** Says what `--json` prints, and explains the properties. */
export function jsonBlocks(json: JsonOutput, path: readonly string[], before = ''): HelpBlock[] {
  const rows = explainedProperties(json);
  return [
    { kind: 'text', text: `${before}${jsonSentence(json, path)}` },
    ...(rows.length > 0 ? [{ kind: 'terms' as const, rows }] : []),
  ];
}

/** Says what `--json` prints, and where its schema is printed. */
function jsonSentence(json: JsonOutput, path: readonly string[]): string {
  const explains = explainedProperties(json).length > 0 ? ' explains the properties' : '';
  return `${jsonLine(json)}. Its JSON Schema${explains}: \`esign help json ${path.join(' ')}\`.`;
}
