import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'print where settings are stored',
  arguments: [],
  options: {},
  json: '{path}',
  examples: [{ line: 'esign config path', about: 'the file; it is made by the first setting' }],
  async run({ config }) {
    return { kind: 'text', text: config.file, json: { path: config.file } };
  },
});
