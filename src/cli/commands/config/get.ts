import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'print a setting',
  details: 'Of the profile in use. See `esign config set --help` for the keys.',
  arguments: [{ name: 'key', completes: 'setting', summary: 'base_url, routes.OPERATION, profile, …' }],
  options: {},
  json: '{key, value}; key is the whole one, as `config list` prints it',
  examples: [{ line: 'esign config get base_url --profile acme', about: 'exit 5 when it is not set' }],
  async run(context, { args }) {
    const { getSetting } = await import('./stored-settings.ts');
    return getSetting(context, args.key);
  },
});
