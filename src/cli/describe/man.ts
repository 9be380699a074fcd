// The man pages: one a command, one a group, one a topic, all from the command tree and the topics.
import type { ArgumentSpec, CommandDescription, Example, OptionDescription } from '../command/description.ts';
import { EXIT_MEANINGS } from '../command/errors.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../command/global-options.ts';
import { isBranch, nodeAt, type Tree } from '../command/tree.ts';
import type { Block } from './blocks.ts';
import { describeOptions, describeTree } from './describe.ts';
import { type Edition, type ManPage, roff, type Section, section } from './roff.ts';
import { TOPICS } from './topics.ts';

/** When a version was released: the date of its pages. */
export const RELEASED: Record<string, string> = { '0.1.0': '2026-11-20' };

/** Name of the file → what is in it. */
export async function manPages(tree: Tree, edition: Edition): Promise<Map<string, string>> {
  const commands = await describeTree(tree);
  const topics = await Promise.all(
    TOPICS.map(
      async ({ page, section: number, summary, text }): Promise<ManPage> => ({
        name: page,
        section: number,
        summary,
        sections: [section('DESCRIPTION', await text(tree))],
        seeAlso: ['esign(1)'],
      }),
    ),
  );
  const sending = commands.find(({ path }) => path.join(' ') === 'tx send')?.examples ?? [];
  const pages = [
    rootPage(tree, sending),
    ...groupPages(tree),
    ...commands.map((command) => commandPage(tree, command)),
    ...topics,
  ];
  return new Map(pages.map((page) => [`${page.name}.${page.section}`, roff(page, edition)]));
}

const nameOf = (path: readonly string[]): string => ['esign', ...path].join('-');

const TOPIC_PAGES = TOPICS.map(({ page, section: number }) => `${page}(${number})`);

function commandPage(tree: Tree, command: CommandDescription): ManPage {
  const { path, summary, details, json, examples } = command;
  const node = nodeAt(path, tree)?.node;
  return {
    name: nameOf(path),
    section: 1,
    summary,
    sections: [
      { title: 'SYNOPSIS', blocks: [{ kind: 'text', text: synopsis(command) }] },
      section('DESCRIPTION', [`${sentence(summary)}`, ...(details ? [details] : [])].join('\n\n')),
      ...(node && isBranch(node) ? terms('COMMANDS', leaves(node.children, path)) : []),
      ...terms('ARGUMENTS', command.arguments.map(argumentRow)),
      ...terms('OPTIONS', command.options.map(optionRow)),
      ...terms('OPTIONS FOR EVERY COMMAND', GLOBAL_ROWS),
      section('JSON', `With \`--json\` it prints: ${json}\n\nSee \`esign help json\`.`),
      exitStatus(),
      { title: 'EXAMPLES', blocks: examples.flatMap(({ line, about }) => example(line, about)) },
    ],
    seeAlso: [
      'esign(1)',
      ...(path.length > 1 ? [`${nameOf(path.slice(0, -1))}(1)`] : []),
      'esign-environment(7)',
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

const argumentRow = ({ name, summary, repeat, choices }: ArgumentSpec): [string, string] => [
  name.toUpperCase(),
  [summary, ...choicesNote(choices), ...(repeat ? ['may be given again'] : [])].join('; '),
];

function optionRow({
  name,
  short,
  value,
  summary,
  repeat,
  required,
  choices,
  ...rest
}: OptionDescription): [string, string] {
  const notes = [
    ...choicesNote(choices),
    ...(rest.default === undefined ? [] : [`${rest.default} when it is left out`]),
    ...(required ? ['must be given'] : []),
    ...(repeat ? ['may be given again'] : []),
  ];
  const flags = `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`;
  return [flags, [summary, ...notes].join('; ')];
}

const choicesNote = (choices: readonly string[] | undefined): string[] =>
  choices ? [`one of ${choices.join(', ')}`] : [];

const GLOBAL_ROWS = describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION }).map(optionRow);

const terms = (title: string, rows: [string, string][]): Section[] =>
  rows.length === 0 ? [] : [{ title, blocks: [{ kind: 'terms', rows }] }];

const exitStatus = (): Section => ({
  title: 'EXIT STATUS',
  blocks: [{ kind: 'terms', rows: EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]) }],
});

const example = (line: string, about: string): Block[] => [
  { kind: 'text', text: `${sentence(about).replace(/\.$/, '')}:` },
  { kind: 'lines', lines: [line] },
];

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
          blocks: [{ kind: 'text', text: `\`esign ${here.join(' ')}\` COMMAND [ARGUMENT...] [--OPTION...]` }],
        },
        section('DESCRIPTION', sentence(node.summary)),
        ...terms('COMMANDS', leaves(node.children, here)),
      ],
      seeAlso: ['esign(1)', ...Object.keys(node.children).map((child) => `${nameOf([...here, child])}(1)`)],
    };
    return [page, ...groupPages(node.children, here)];
  });
}

/** Every command below, by what has to be typed. */
const leaves = (tree: Tree, path: readonly string[]): [string, string][] =>
  Object.entries(tree).flatMap(([name, node]): [string, string][] => {
    const here = [...path, name];
    return isBranch(node) ? leaves(node.children, here) : [[`esign ${here.join(' ')}`, node.summary]];
  });

/** @param first examples of a command, which are run with it */
const rootPage = (tree: Tree, first: readonly Example[]): ManPage => ({
  name: 'esign',
  section: 1,
  summary: 'electronic signatures from the command line, with the whole service inside',
  sections: [
    { title: 'SYNOPSIS', blocks: [{ kind: 'text', text: '`esign` COMMAND [ARGUMENT...] [--OPTION...]' }] },
    section('DESCRIPTION', ROOT_TEXT),
    ...terms('COMMANDS', leaves(tree, [])),
    ...terms('OPTIONS FOR EVERY COMMAND', GLOBAL_ROWS),
    exitStatus(),
    { title: 'EXAMPLES', blocks: first.flatMap(({ line, about }) => example(line, about)) },
  ],
  seeAlso: [...Object.keys(tree).map((name) => `${nameOf([name])}(1)`), ...TOPIC_PAGES],
});

const ROOT_TEXT = `\`esign\` sends documents for signature: it creates a transaction, uploads the files, asks the recipients one
after another and tells where they sign. As long as no service is configured, the one that is inside answers, and nothing leaves
the machine.

What was asked for goes to standard output, everything else to standard error. At a terminal a person gets tables, colour and
questions; a pipe gets lines with tabs, whole ids and no question. With \`--json\` every command prints JSON, and an error is
the last line of standard error. A lone \`-\` stands for standard input or output wherever a file is taken.

A \`profile\` names a service. A flag is stronger than a variable of the environment, a variable is stronger than a profile.`;
