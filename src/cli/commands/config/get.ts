import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Print a setting',
  details:
    'Reads the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). `esign config set --help` lists the keys.',
  arguments: [
    {
      name: 'key',
      completes: 'setting',
      summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
    },
  ],
  options: {},
  json: '{key, value}; key is the full key, as `esign config list` prints it',
  examples: [
    {
      line: 'esign config get base_url --profile acme',
      about: 'Print a setting; exits with 5 if it is not set',
    },
  ],
  async run(context, { args }) {
    const { getSetting } = await import('./stored-settings.ts');
    return getSetting(context, args.key);
  },
});
