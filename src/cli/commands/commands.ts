import { defineCommand } from '../command/command.ts';
import { GLOBAL_OPTIONS } from '../command/global-options.ts';
import { describeOptions } from '../describe/describe.ts';

export const command = defineCommand({
  summary: 'List all commands',
  arguments: [],
  options: {},
  json: '{global_options, commands: [{path, summary, details, manual, arguments, options, json, examples}]}',
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
