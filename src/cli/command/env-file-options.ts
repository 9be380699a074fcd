// The options of commands with secrets. command.ts adds them, so that no command with a secret lacks them.
import type { OptionSpec } from './description.ts';
import { type JsonOutput, savedOf, secretsOf } from './json-output.ts';

const GROUP = 'Secrets';

const ENV_FILE_OPTIONS = {
  'env-path': {
    short: 'E',
    value: 'FILE',
    completes: 'file',
    group: GROUP,
    summary: 'File to write the secret to as NAME=value, such as .env, instead of printing it',
    details:
      'Everything else in the file keeps its bytes. Only you can read the file afterwards. Before anything is created, the command checks that ' +
      'the file can be written.',
  },
  'env-name': {
    value: 'NAME',
    group: GROUP,
    summary: 'Name of the variable',
    details:
      'Of several secrets, it is the beginning of their names: with ORDERS, ORDERS_CLIENT_SECRET and ORDERS_NOTIFICATION_SECRET.',
  },
  replace: { group: GROUP, summary: 'Replace a variable that the file has already' },
} as const satisfies Record<string, OptionSpec>;

type Documented = { options: Readonly<Record<string, OptionSpec>>; json: JsonOutput };

/** Adds the options of a command with secrets, and the JSON that is printed when they are used. */
export function withEnvFile<C extends Documented>(command: C): C {
  const names = [...new Set(secretsOf(command.json).values())].filter((name) => name !== '*');
  const name = { ...ENV_FILE_OPTIONS['env-name'] };
  const standard = names.length === 0 ? '' : ` (default: ${names.join(', ')})`;
  return {
    ...command,
    options: {
      ...command.options,
      ...ENV_FILE_OPTIONS,
      'env-name': { ...name, summary: `${name.summary}${standard}` },
    },
    json: [...command.json, ...savedOf(command.json)],
  };
}
