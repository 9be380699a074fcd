import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'use a profile from now on',
  arguments: [{ name: 'name', summary: 'of a profile; sandbox is one', completes: 'profile' }],
  options: {},
  json: '{name, base_url, is_current: true}',
  examples: [{ line: 'esign profile use sandbox', about: 'nothing leaves this machine' }],
  async run(context, { args }) {
    const { useProfile } = await import('./profiles.ts');
    return useProfile(context, args.name);
  },
});
