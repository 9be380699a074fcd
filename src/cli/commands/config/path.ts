import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Print the location of the configuration file',
  arguments: [],
  options: {},
  json: '{path}',
  examples: [
    { line: 'esign config path', about: 'Print the path; the file is created with the first setting' },
  ],
  async run({ config }) {
    return { kind: 'text', text: config.file, json: { path: config.file } };
  },
});
