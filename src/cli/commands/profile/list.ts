import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'list the profiles',
  arguments: [],
  options: {},
  json: '{items: [{name, base_url, is_current, logged_in, stored_in}]}',
  examples: [{ line: 'esign profile list', about: 'which services this machine knows' }],
  async run(app) {
    const { listProfiles } = await import('../../flows/profiles.ts');
    return listProfiles(app);
  },
});
