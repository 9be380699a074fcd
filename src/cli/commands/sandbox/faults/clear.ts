import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Remove all faults of the sandbox',
  arguments: [],
  options: {},
  json: '{removed}',
  examples: [{ line: 'esign sandbox faults clear', about: 'Let everything work again' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.clear_faults']();
    return {
      kind: 'record',
      headline: 'The sandbox has no faults any more.',
      json,
      entries: [{ key: 'removed', label: 'Removed', value: json.removed }],
    };
  },
});
