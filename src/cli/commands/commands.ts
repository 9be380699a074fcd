import { defineCommand } from '../command/command.ts';
import { GLOBAL_OPTIONS } from '../command/global-options.ts';
import { boolean, list, nameOnly, object, prints, text } from '../command/json-output.ts';
import { describeOptions } from '../describe/describe.ts';

const ARGUMENT = object({
  name: text,
  summary: text,
  'repeat?': boolean,
  'optional?': boolean,
  'choices?': list(text),
  'completes?': text,
});

const OPTION = object({
  name: text,
  summary: text,
  'details?': text,
  'value?': text,
  'short?': text,
  'repeat?': boolean,
  'required?': boolean,
  'choices?': list(text),
  'default?': text,
  'completes?': text,
  'group?': text,
});

export const command = defineCommand({
  summary: 'List all commands',
  arguments: [],
  options: {},
  json: prints(
    object({
      global_options: nameOnly(list(OPTION)),
      commands: list(
        object({
          path: nameOnly(list(text)),
          usage: text,
          summary: text,
          'details?': text,
          'manual?': text,
          arguments: nameOnly(list(ARGUMENT)),
          options: nameOnly(list(OPTION)),
          json: text,
          examples: nameOnly(list(object({ line: text, about: text }))),
        }),
      ),
    }),
  ),
  examples: [{ line: 'esign commands --json', about: 'Print the whole command tree for a program' }],
  async run(context) {
    const commands = await context.program.commands();
    return {
      kind: 'list',
      json: { global_options: describeOptions(GLOBAL_OPTIONS), commands },
      empty: '',
      table: {
        columns: ['COMMAND', { name: '', fit: 'wraps' }],
        rows: commands.map(({ usage, summary }) => [usage, summary]),
      },
    };
  },
});
