import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'delete a profile and its login',
  arguments: [{ name: 'name', summary: 'of the profile', completes: 'profile' }],
  options: {},
  json: '{name, deleted: true, logged_out}',
  examples: [{ line: 'esign profile delete acme --yes', about: 'without a question' }],
  async run(context, { args }) {
    const { deleteProfile } = await import('./profiles.ts');
    return deleteProfile(context, args.name);
  },
});
