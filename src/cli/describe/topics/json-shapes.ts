// `esign help json` and esign-json(7): what --json prints, of every command.
import type { Tree } from '../../command/tree.ts';
import { describeTree } from '../describe.ts';
import { rowsText } from '../rows.ts';

/** Raised when a property is removed, renamed, or comes to mean something else. */
export const JSON_VERSION = 1;

const ERROR_ROWS = [
  ['code', 'Identifies the error for programs, such as transaction_not_found'],
  ['message', 'Describes the error for people; the wording may change'],
  ['hint', 'What to do next, or null'],
  ['exit', 'The exit code'],
  ['retryable', 'Whether the same command may succeed later'],
  ['errors', '[{path, message}], if individual values were refused'],
  [
    'partial',
    '{id, plan}, if something was already created: the transaction, and the plan, if it can be resumed',
  ],
  ['http', '{status, request_id, method, path}, if a service responded with the error'],
  ['next', '[{command, when}]: commands that can be run now'],
] as const;

export async function jsonShapes(tree: Tree): Promise<string> {
  const commands = await describeTree(tree);
  const shapes = commands.map(({ path, json }) => [`esign ${path.join(' ')}`, json] as const);
  return `With \`--json\`, a command prints JSON on standard output: one line in a pipe, indented at a terminal. \`--select\` prints only
some of its properties. Standard output is empty, one JSON value, or, where a shape below says so, one JSON value per line.
With \`--jq\`, it contains the results of the expression instead.

With \`--jq EXPRESSION\`, jq filters the JSON; it is part of esign. Each result is printed on its own line: strings without quotes,
other values as JSON. If a command prints one object per line, as lists do with \`--all\`, the expression is applied to each
object. An invalid expression is rejected before the command does anything (exit code 2). If the expression does not fit the
output, the exit code is 1, and the command has already done its work. \`--jq\` and \`--select\` cannot be combined.

These shapes are version ${JSON_VERSION}. Properties may be added. No property is removed, renamed or given another
meaning without a new
version. The response of a service is printed with all its properties, including those that are not listed here. A transaction
has the same properties in the output of every command; \`tx show\` adds those of the response.

In a shape, a property with ? can be absent, and … stands for properties or entries that are not listed.

# COMMON PROPERTIES

${rowsText(
  [
    ['id', 'ID of the transaction, template or webhook that the command is about'],
    [
      'status',
      'Status as the service reports it: draft, started, completed, rejected or expired; a cancelled transaction is reported as expired',
    ],
    [
      'outcome',
      'Status as esign shows it: like status, but cancelled if the service says that the transaction was cancelled',
    ],
    ['profile', 'Name of the profile that was used'],
    ['url', 'Signing URL of the current recipient'],
    ['items', 'Entries of a list; with --all, one object per line instead'],
    [
      'meta',
      'Page of a list from the service: {is_last_page, next_page}; next_page is the number for --page. In `esign tx list`: {profile, service, total, refreshed}',
    ],
  ],
  14,
)}

# ERRORS

With \`--json\`, an error is printed as {"error": {…}} on the last line of standard error, with these properties:

${rowsText(ERROR_ROWS, 14)}

Some results end with an exit code other than 0 without an error, and are printed on standard output: a wait that ended with 8 or 9,
a file that is not valid (9), a receiver that failed (7).

# COMMANDS

${rowsText(shapes, 32)}`;
}
