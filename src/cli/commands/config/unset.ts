import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'remove a setting',
  details: 'Of the profile in use. A profile without any setting is removed.',
  arguments: [{ name: 'key', completes: 'setting', summary: 'base_url, routes.OPERATION, profile, …' }],
  options: {},
  json: '{key, removed}; false when it was not set',
  examples: [{ line: 'esign config unset routes.transaction.cancel', about: 'back to the usual address' }],
  async run(context, { args }) {
    const { unsetSetting } = await import('./stored-settings.ts');
    return unsetSetting(context, args.key);
  },
});
