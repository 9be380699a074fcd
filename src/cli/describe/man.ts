// Makes the man pages, one for each command, group and topic, from the command tree and the topics.
import type { ArgumentSpec, CommandDescription, Example, OptionDescription } from '../command/description.ts';
import { EXIT_MEANINGS } from '../command/exit-codes.ts';
import type { HelpSection } from '../command/help-page.ts';
import type { JsonOutput } from '../command/json-output.ts';
import { isBranch, nodeAt, type Tree } from '../command/tree.ts';
import { describeTree } from './describe.ts';
import { jsonBlocks, PROGRAM_SUMMARY } from './help-page.ts';
import { argumentRow, globalOptionRows, optionBlocks, optionRowWithDetails } from './option-rows.ts';
import { type Edition, type ManPage, roff, section } from './roff.ts';
import { TOPICS, topicRows, topicSections } from './topics.ts';

/** When a version was released: the date of its pages. */
export const RELEASED: Record<string, string> = { '0.1.0': '2026-11-20' };

/** Makes all man pages: name of the file → content. */
export async function manPages(tree: Tree, edition: Edition): Promise<Map<string, string>> {
  const commands = await describeTree(tree);
  const topics = await Promise.all(
    TOPICS.map(
      async (topic): Promise<ManPage> => ({
        name: topic.page,
        section: topic.section,
        summary: topic.summary,
        sections: await topicSections(topic, tree, 'DESCRIPTION'),
        seeAlso: ['esign(1)', ...(SEE_ALSO[topic.page] ?? [])],
      }),
    ),
  );
  const sending = commands.find(({ path }) => path.join(' ') === 'tx send')?.examples ?? [];
  const pages = [
    rootPage(tree, sending),
    ...groupPages(tree),
    ...(await Promise.all(commands.map((command) => commandPage(tree, command)))),
    ...topics,
  ];
  return new Map(pages.map((page) => [`${page.name}.${page.section}`, roff(page, edition)]));
}

/** Topics and commands that explain a command, beyond those of every command. */
const EXPLAINED_IN: Readonly<Record<string, readonly string[]>> = {
  api: ['esign-api-routes(1)', 'esign-routes(7)'],
  'api routes': ['esign-routes(7)'],
  'config get': ['esign-config(5)'],
  'config list': ['esign-config(5)'],
  'config path': ['esign-config(5)'],
  'config set': ['esign-config(5)'],
  'config unset': ['esign-config(5)'],
  'events list': ['esign-events(7)'],
  'events listen': ['esign-events(7)'],
  'events replay': ['esign-events(7)'],
  'events show': ['esign-events(7)'],
  'events trigger': ['esign-events(7)'],
  'sandbox serve': ['esign-sandbox(7)'],
  'tx fields': ['esign-fields(7)'],
  'tx list': ['esign-ids(7)'],
  'tx preview': ['esign-fields(7)'],
  'tx send': ['esign-config(5)', 'esign-fields(7)'],
  'webhooks create': ['esign-events(7)'],
};

/** Topics that explain each other. */
const SEE_ALSO: Readonly<Record<string, readonly string[]>> = {
  'esign-config': ['esign-config(1)', 'esign-environment(7)', 'esign-routes(7)', 'esign-sandbox(7)'],
  'esign-environment': ['esign-config(5)', 'esign-login(1)'],
  'esign-errors': ['esign-exit-codes(7)', 'esign-json(7)'],
  'esign-events': ['esign-events(1)', 'esign-webhooks(1)', 'esign-sandbox(7)'],
  'esign-exit-codes': ['esign-errors(7)'],
  'esign-fields': ['esign-tx-send(1)', 'esign-tx-fields(1)', 'esign-tx-preview(1)'],
  'esign-ids': ['esign-tx-list(1)', 'esign-completion(1)'],
  'esign-json': ['esign-commands(1)', 'esign-errors(7)', 'esign-exit-codes(7)'],
  'esign-routes': ['esign-api(1)', 'esign-api-routes(1)', 'esign-config(5)'],
  'esign-sandbox': ['esign-sandbox(1)', 'esign-config(5)', 'esign-events(7)', 'esign-routes(7)'],
};

const nameOf = (path: readonly string[]): string => ['esign', ...path].join('-');

const TOPIC_PAGES = TOPICS.map(({ page, section: number }) => `${page}(${number})`);

async function commandPage(tree: Tree, command: CommandDescription): Promise<ManPage> {
  const { path, summary, details, manual, examples } = command;
  const node = nodeAt(path, tree)?.node;
  const output = (await node?.load?.())?.json ?? [];
  return {
    name: nameOf(path),
    section: 1,
    summary,
    sections: [
      { title: 'SYNOPSIS', blocks: [{ kind: 'text', text: synopsis(command) }] },
      section(
        'DESCRIPTION',
        [sentence(summary), details, manual].filter((part) => part !== undefined).join('\n\n'),
      ),
      ...(node && isBranch(node) ? terms('COMMANDS', leaves(node.children, path)) : []),
      ...terms('ARGUMENTS', command.arguments.map(argumentRow)),
      ...(command.options.length > 0
        ? [{ title: 'OPTIONS', blocks: optionBlocks(command.options, optionRowWithDetails) }]
        : []),
      ...terms('GLOBAL OPTIONS', globalOptionRows()),
      jsonOutput(output, path),
      exitStatus(),
      examplesOf(examples),
    ],
    seeAlso: [
      'esign(1)',
      ...(path.length > 1 ? [`${nameOf(path.slice(0, -1))}(1)`] : []),
      ...(EXPLAINED_IN[path.join(' ')] ?? []),
      'esign-environment(7)',
      'esign-errors(7)',
      'esign-exit-codes(7)',
      'esign-json(7)',
    ],
  };
}

function synopsis({ path, arguments: args, options }: CommandDescription): string {
  const words = [...args.map(argumentInSynopsis), ...options.map(optionInSynopsis)];
  return [`\`esign ${path.join(' ')}\``, ...words].join(' ');
}

function argumentInSynopsis({ name, optional, repeat }: ArgumentSpec): string {
  const inner = `${name.toUpperCase()}${repeat ? '...' : ''}`;
  return optional ? `[${inner}]` : inner;
}

function optionInSynopsis({ name, value, required, repeat }: OptionDescription): string {
  const inner = `--${name}${value === undefined ? '' : ` ${value}`}`;
  return `${required ? inner : `[${inner}]`}${repeat ? '...' : ''}`;
}

const sentence = (text: string): string => {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

const terms = (title: string, rows: [string, string][]): HelpSection[] =>
  rows.length === 0 ? [] : [{ title, blocks: [{ kind: 'terms', rows }] }];

const jsonOutput = (json: JsonOutput, path: readonly string[]): HelpSection => ({
  title: 'JSON OUTPUT',
  blocks: jsonBlocks(json, path, 'With `--json`, it prints: '),
});

const exitStatus = (): HelpSection => ({
  title: 'EXIT STATUS',
  blocks: [
    {
      kind: 'text',
      text: 'All commands use the same exit codes; some of them do not occur with every command.',
    },
    { kind: 'terms', rows: EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]) },
  ],
});

const examplesOf = (examples: readonly Example[]): HelpSection => ({
  title: 'EXAMPLES',
  blocks: [{ kind: 'examples', rows: examples.map(({ line, about }) => [line, about]) }],
});

function groupPages(tree: Tree, path: readonly string[] = []): ManPage[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    if (!isBranch(node)) return [];
    const here = [...path, name];
    const page: ManPage = {
      name: nameOf(here),
      section: 1,
      summary: node.summary,
      sections: [
        {
          title: 'SYNOPSIS',
          blocks: [{ kind: 'text', text: `\`esign ${here.join(' ')}\` COMMAND [ARGUMENT...] [OPTION...]` }],
        },
        section(
          'DESCRIPTION',
          [sentence(node.summary), ...(node.details ? [node.details] : [])].join('\n\n'),
        ),
        ...terms('COMMANDS', leaves(node.children, here)),
      ],
      seeAlso: ['esign(1)', ...Object.keys(node.children).map((child) => `${nameOf([...here, child])}(1)`)],
    };
    return [page, ...groupPages(node.children, here)];
  });
}

/** Lists every command below, as it is typed. */
const leaves = (tree: Tree, path: readonly string[]): [string, string][] =>
  Object.entries(tree).flatMap(([name, node]): [string, string][] => {
    const here = [...path, name];
    return isBranch(node) ? leaves(node.children, here) : [[`esign ${here.join(' ')}`, node.summary]];
  });

/** @param first examples of a command, which are run with it */
const rootPage = (tree: Tree, first: readonly Example[]): ManPage => ({
  name: 'esign',
  section: 1,
  summary: 'Send documents for signature, track them, and verify the signed PDFs',
  sections: [
    { title: 'SYNOPSIS', blocks: [{ kind: 'text', text: '`esign` COMMAND [ARGUMENT...] [OPTION...]' }] },
    section('DESCRIPTION', `${PROGRAM_SUMMARY}\n\n${ROOT_TEXT}`),
    ...terms('COMMANDS', leaves(tree, [])),
    ...terms('GLOBAL OPTIONS', globalOptionRows()),
    ...terms('TOPICS', topicRows()),
    exitStatus(),
    examplesOf(first),
  ],
  seeAlso: [...Object.keys(tree).map((name) => `${nameOf([name])}(1)`), ...TOPIC_PAGES],
});

const ROOT_TEXT = `\`esign\` sends documents for signature: it uploads files, creates a transaction, and asks the
recipients to sign one after
another. If no service is configured, commands use the offline sandbox, a complete service on this machine.

Results go to standard output, everything else to standard error. At a terminal, commands print tables and color and
prompt for missing
input. In a pipe, they print tab-separated lines with full IDs and never prompt. With \`--json\`, every command prints
JSON, and an
error is the last line of standard error. Where a file is expected, \`-\` stands for standard input or output.

A \`profile\` contains the connection settings of a service. An option overrides an environment variable, which overrides
the profile. \`esign help environment\` describes the exceptions.`;
