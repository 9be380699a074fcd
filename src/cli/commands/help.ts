import { defineCommand } from '../command.ts';

export const command = defineCommand({
  summary: 'help on a command or a topic',
  arguments: [
    {
      name: 'topic',
      repeat: true,
      optional: true,
      completes: 'command',
      summary: 'a command, or environment, exit-codes, fields, events, routes',
    },
  ],
  options: {},
  json: '{topic, text}',
  examples: [
    { line: 'esign help tx send', about: 'a command' },
    { line: 'esign help exit-codes', about: 'a topic' },
  ],
  async run(app, { args }) {
    const { topicText } = await import('../describe/topics.ts');
    const [topic = '', another] = args.topic;
    const text =
      (another === undefined ? await topicText(topic) : undefined) ??
      (await commandHelp(args.topic, app.version));
    return { kind: 'text', text, json: { topic: args.topic.join(' ') || null, text } };
  },
});

async function commandHelp(path: readonly string[], version: string): Promise<string> {
  const { helpOf } = await import('../program.ts');
  return helpOf(path, version);
}
