import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'list what is set',
  details: 'Of every profile, or of the one that --profile names.',
  arguments: [],
  options: {},
  json: '{items: [{key, value}]}',
  examples: [{ line: 'esign config list --profile acme', about: 'everything about one service' }],
  async run(context) {
    const { listSettings } = await import('./stored-settings.ts');
    return listSettings(context);
  },
});
