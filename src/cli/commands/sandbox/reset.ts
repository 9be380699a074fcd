import { defineCommand } from '../../command/command.ts';
import { cliError } from '../../command/errors.ts';

export const command = defineCommand({
  summary: 'Delete all data in the sandbox',
  details:
    'Keeps the URL, the keys and the default user of the sandbox. Without a terminal, --yes is required.',
  arguments: [],
  options: {},
  json: '{reset: true}',
  examples: [{ line: 'esign sandbox reset --yes', about: 'Start again with an empty sandbox' }],
  async run(context) {
    if (!(await context.prompts.confirm('Delete everything in the sandbox?')))
      throw cliError('not_confirmed');
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.reset']({ body: {} });
    return {
      kind: 'record',
      json,
      headline: 'Deleted all data in the sandbox.',
      entries: [{ key: 'reset', value: true }],
    };
  },
});
