import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Switch the active profile',
  arguments: [
    { name: 'name', summary: 'Name of a profile; sandbox is the offline sandbox', completes: 'profile' },
  ],
  options: {},
  json: '{name, base_url, is_current: true}',
  examples: [{ line: 'esign profile use sandbox', about: 'Use the offline sandbox by default' }],
  async run(context, { args }) {
    const { useProfile } = await import('./profiles.ts');
    return useProfile(context, args.name);
  },
});
