import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Delete a profile and its stored login',
  arguments: [{ name: 'name', summary: 'Name of the profile', completes: 'profile' }],
  options: {},
  json: '{name, deleted: true, logged_out}',
  examples: [{ line: 'esign profile delete acme --yes', about: 'Delete a profile without confirmation' }],
  async run(context, { args }) {
    const { deleteProfile } = await import('./profiles.ts');
    return deleteProfile(context, args.name);
  },
});
