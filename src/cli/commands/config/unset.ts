import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Remove a setting',
  details:
    'Changes the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). A ' +
    'profile without any settings is removed.',
  arguments: [
    {
      name: 'key',
      completes: 'setting',
      summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
    },
  ],
  options: {},
  json: '{key, removed}; removed is false if it was not set',
  examples: [
    {
      line: 'esign config unset routes.transaction.cancel',
      about: 'Restore the default path of an operation',
    },
  ],
  async run(context, { args }) {
    const { unsetSetting } = await import('./stored-settings.ts');
    return unsetSetting(context, args.key);
  },
});
