import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'print a setting',
  details: 'Of the profile in use. See `esign config set --help` for the keys.',
  arguments: [{ name: 'key', completes: 'setting', summary: 'base_url, routes.OPERATION, profile, …' }],
  options: {},
  json: '{key, value}; key is the whole one, as `config list` prints it',
  examples: [{ line: 'esign config get base_url --profile acme', about: 'exit 5 when it is not set' }],
  async run(app, { args }) {
    const { getSetting } = await import('../../flows/config.ts');
    return getSetting(app, args.key);
  },
});
