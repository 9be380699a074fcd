import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'List all settings',
  details:
    'Lists the active profile, the settings of all profiles, and aliases. With --profile, lists only the ' +
    'settings of that profile.',
  arguments: [],
  options: {},
  json: '{items: [{key, value}]}',
  examples: [{ line: 'esign config list --profile acme', about: 'List the settings of one profile' }],
  async run(context) {
    const { listSettings } = await import('./stored-settings.ts');
    return listSettings(context);
  },
});
