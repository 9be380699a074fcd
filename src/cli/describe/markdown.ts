// Generates Markdown: the page of all commands, and the tables of exit codes, settings, choices and extensions.
import { hasServeOption, SERVE_SETTINGS } from '../../config/serve-settings.ts';
import { EXIT_MEANINGS } from '../command/exit-codes.ts';
import { isBranch, type Tree } from '../command/tree.ts';
import { ASSUMED_POINTS } from './assumed-points.ts';
import { describeTree } from './describe.ts';
import { groupVariables, serverVariables } from './topics/tables.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Renders docs/commands.md: a section for each command that has subcommands, then the others. */
export async function commandsPage(tree: Tree): Promise<string> {
  const sections = await Promise.all(
    Object.entries(tree)
      .filter(([, node]) => isBranch(node))
      .map(
        async ([name, node]) => `## ${name}\n\n${node.summary}.\n\n${await commandTable({ [name]: node })}\n`,
      ),
  );
  const others = Object.fromEntries(Object.entries(tree).filter(([, node]) => !isBranch(node)));
  return `${INTRODUCTION}\n${sections.join('\n')}\n## Other commands\n\n${await commandTable(others)}\n`;
}

const INTRODUCTION = `# Commands

\`esign help COMMAND\` and the man page (\`man esign-tx-send\`) describe each command with its options, examples and JSON.
If the \`[ID]\` of a transaction is left out, esign prompts for it at a terminal; a script has to give one, or \`@\` for the
transaction used last.

At a prompt, Esc goes back to the one before it and offers its answer again. At the first prompt, and at one that stands alone, such as a
confirmation, it does nothing: Ctrl-C ends the command.
`;

async function commandTable(tree: Tree): Promise<string> {
  const rows = (await describeTree(tree)).map(
    ({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`,
  );
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}

export function choiceTable(): string {
  const rows = Object.entries(ASSUMED_POINTS).map(
    ([number, { about, choice }]) => `| ${number} | ${cell(about)} | ${cell(choice)} |`,
  );
  return ['| Number | About | Choice |', '|---|---|---|', ...rows].join('\n');
}

export function exitCodeTable(): string {
  const rows = EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`);
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n');
}

/** Lists the settings of a team server with their options and variables. */
export function serveSettingTable(): string {
  const options = Object.keys(SERVE_SETTINGS).map((name) => (hasServeOption(name) ? `--${name}` : ''));
  const groups = groupVariables();
  const rows = [...serverVariables(), ...groups].map(
    ([variables, meaning], index) =>
      `| ${options[index] ? `\`${options[index]}\`` : ''} | ${variables.replaceAll(/[A-Z0-9_]+/g, '`$&`')} | ${cell(meaning)} |`,
  );
  return ['| Option | Variables | Meaning |', '|---|---|---|', ...rows].join('\n');
}

type Marked = { description?: string; 'x-extension'?: true };
type Operation = Marked & {
  operationId: string;
  summary: string;
  parameters?: (Marked & { name: string; in: string })[];
};
type Described = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, Marked>;
    schemas: Record<string, { properties?: Record<string, Marked> }>;
  };
};

/** Lists what the OpenAPI document marks as an extension: properties, parameters and headers, then whole operations. */
export function extensionTables(document: Record<string, unknown>): string {
  const { paths, webhooks, components } = document as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const deliveries = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  const rows = [
    ...Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([property, marked]) => ({
        where: `\`${name}\``,
        name: property,
        marked,
      })),
    ),
    ...operations.flatMap(({ operation }) => parametersOf(operation, 'requests')),
    ...deliveries.flatMap((operation) => parametersOf(operation, 'deliveries')),
    ...Object.entries(components.headers).map(([name, marked]) => ({
      where: 'header of responses',
      name,
      marked,
    })),
  ].filter(({ marked }) => marked['x-extension']);
  const lines = rows.map(
    ({ where, name, marked }) => `| ${where} | \`${name}\` | ${cell(marked.description ?? '')} |`,
  );
  return [
    '| In | Name | Meaning |',
    '|---|---|---|',
    ...new Set(lines),
    '',
    '| Operation | Method and path | What it does |',
    '|---|---|---|',
    ...operations
      .filter(({ operation }) => operation['x-extension'])
      .map(
        ({ route, operation }) =>
          `| \`${operation.operationId}\` | \`${route}\` | ${cell(operation.summary)} |`,
      ),
  ].join('\n');
}

const parametersOf = ({ operationId, parameters = [] }: Operation, of: string) =>
  parameters.map((marked) => ({
    where: marked.in === 'header' ? `header of ${of}` : `${marked.in} of \`${operationId}\``,
    name: marked.name,
    marked,
  }));
