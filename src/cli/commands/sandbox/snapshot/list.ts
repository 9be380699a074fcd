import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'List the snapshots of the sandbox',
  arguments: [],
  options: {},
  json: '[{name, saved_at}]',
  examples: [{ line: 'esign sandbox snapshot list', about: 'List the saved states' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { items } = await client['sandbox.list_snapshots']();
    return {
      kind: 'list',
      json: items,
      empty: 'There are no snapshots. To save one, run `esign sandbox snapshot save NAME`.',
      table: {
        columns: ['Name', 'Saved'],
        rows: items.map(({ name, saved_at }) => [name, { instant: saved_at }]),
      },
    };
  },
});
