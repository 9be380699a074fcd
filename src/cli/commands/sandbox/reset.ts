import { defineCommand } from '../../command/command.ts';
import { CliError, EXIT } from '../../command/errors.ts';

export const command = defineCommand({
  summary: 'empty the sandbox',
  details: 'Its address, its keys and its own user stay. Without a terminal it wants --yes.',
  arguments: [],
  options: {},
  json: '{reset: true}',
  examples: [{ line: 'esign sandbox reset --yes', about: 'begin anew' }],
  async run(context) {
    if (!(await context.prompts.confirm('Delete everything in the sandbox?')))
      throw new CliError('Nothing was deleted.', { code: 'not_confirmed', exit: EXIT.interrupted });
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.reset']({ body: {} });
    return {
      kind: 'record',
      json,
      headline: 'The sandbox is empty.',
      entries: [{ key: 'reset', value: true }],
    };
  },
});
