import { defineCommand } from '../../command/command.ts';
import { DATABASE_OPTIONS } from '../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'Update the tables of a team server',
  details:
    'Makes the tables of a new installation, or changes those of an older version. `esign serve` does the same when it starts, ' +
    'unless it is started with --no-migrate. Several nodes may run it at the same time: one of them makes the changes.',
  arguments: [],
  options: DATABASE_OPTIONS,
  json: '{installation, database}',
  examples: [
    {
      line: 'esign serve migrate',
      about: 'Create the tables in an empty database; it and the key come from ESIGN_SERVE_*',
    },
  ],
  async run(context, { options }) {
    const { installation, database } = await context.connections.openTeamServer({
      ...options,
      migrates: true,
    });
    return {
      kind: 'record',
      headline: 'The tables are up to date.',
      json: { installation, database },
      entries: [
        { key: 'installation', label: 'Installation', value: installation },
        { key: 'database', label: 'Database', value: database },
      ],
    };
  },
});
