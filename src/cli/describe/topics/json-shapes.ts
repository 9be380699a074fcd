// `esign help json` and esign-json(7): what --json prints, of every command.
import type { Tree } from '../../command/tree.ts';
import { describeTree } from '../describe.ts';
import { rowsText } from '../rows.ts';

/** Raised when a property is removed, renamed, or comes to mean something else. */
export const JSON_VERSION = 1;

const ERROR_ROWS = [
  ['code', 'what went wrong, for a program: transaction_not_found'],
  ['message', 'the same for a person; its words may change'],
  ['hint', 'the way out, or null'],
  ['exit', 'the exit code'],
  ['retryable', 'whether the same command may work a little later'],
  ['errors', '[{path, message}], when single values were refused'],
  ['partial', '{id, plan}, when something exists already: the transaction, and the plan to resume'],
  ['http', '{status, request_id, method, path}, when a service said so'],
  ['next', '[{command, when}]: what can be done now'],
] as const;

export async function jsonShapes(tree: Tree): Promise<string> {
  const commands = await describeTree(tree);
  const shapes = commands.map(({ path, json }) => [`esign ${path.join(' ')}`, json] as const);
  return `With \`--json\` a command prints JSON on standard output: one line in a pipe, indented at a terminal. \`--select\` keeps
some properties of it. Standard output is empty or valid JSON whatever happens.

These shapes are version ${JSON_VERSION}. Properties may be added; none is removed, renamed or given another meaning without another
version. What a service answered is printed as it came, with properties that are not listed here.

Names that are the same everywhere:

${rowsText(
  [
    ['id', 'of the transaction, template, webhook: whatever the command is about'],
    ['status', 'as the service says it: draft, started, completed, rejected, expired'],
    ['outcome', 'draft, started, completed, rejected, expired, cancelled'],
    ['profile', 'name of the profile the command spoke to'],
    ['url', 'where whoever is asked now signs'],
    ['items', 'of a list, with meta {is_last_page, next_page}; with --all one object a line instead'],
  ],
  14,
)}

An error is the last line of standard error, {"error": {…}}, with these properties:

${rowsText(ERROR_ROWS, 14)}

Of each command:

${rowsText(shapes, 32)}`;
}
