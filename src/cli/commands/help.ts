import { defineCommand } from '../command/command.ts';

export const command = defineCommand({
  summary: 'help on a command or a topic',
  arguments: [
    {
      name: 'topic',
      repeat: true,
      optional: true,
      completes: 'command',
      summary: 'a command, or environment, exit-codes, json, config, sandbox, fields, events, routes',
    },
  ],
  options: {},
  json: '{topic, text}',
  examples: [
    { line: 'esign help tx send', about: 'a command' },
    { line: 'esign help exit-codes', about: 'a topic' },
  ],
  async run(context, { args }) {
    const text = await context.program.help(args.topic);
    return { kind: 'text', text, json: { topic: args.topic.join(' ') || null, text } };
  },
});
