import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'List connection profiles',
  arguments: [],
  options: {},
  json: '{items: [{name, base_url, is_current, logged_in, stored_in}]}',
  examples: [{ line: 'esign profile list', about: 'List the services configured on this machine' }],
  async run(context) {
    const { listProfiles } = await import('./profiles.ts');
    return listProfiles(context);
  },
});
