import { defineCommand } from '../command/command.ts';
import type { ProgramDescription, Uses } from '../command/context.ts';
import { brief, nullable, object, open, prints, text } from '../command/json-output.ts';
import { aliasHelp } from '../describe/alias-help.ts';
import { markdownPage } from '../describe/markdown-page.ts';
import { plainText } from '../terminal/page-layout.ts';

/** Settings that cannot be read contain no aliases. */
async function aliasNamed({ config }: Uses<'config'>, name = ''): Promise<string | undefined> {
  const { aliases = {} } = await config.read().catch(() => ({ aliases: {} as Record<string, string> }));
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

export const command = defineCommand({
  summary: 'Show help for a command or topic',
  arguments: [
    {
      name: 'topic',
      repeat: true,
      optional: true,
      completes: 'command',
      summary: 'Command or topic; `esign help topics` lists the topics',
    },
  ],
  options: {
    format: {
      value: 'FORMAT',
      summary: 'Format of the page; md is Markdown, with everything that the man page has',
      choices: ['text', 'md'],
      default: 'text',
    },
  },
  json: prints(
    object({ topic: nullable(text), text: text }),
    '; for json COMMAND ',
    brief(open(object({}))),
    ', the JSON Schema',
  ),
  examples: [
    { line: 'esign help tx send', about: 'Show help for a command' },
    { line: 'esign help exit-codes', about: 'Show a topic' },
    { line: 'esign help json tx send', about: 'Print the JSON Schema of what a command prints' },
    { line: 'esign help tx send --format md', about: 'Print the whole page as Markdown' },
    { line: 'esign help topics', about: 'List the topics' },
  ],
  async run(context, { args, options }) {
    const [topic, ...words] = args.topic;
    const isMarkdown = options.format === 'md';
    const schema = topic === 'json' && words.length > 0 ? await context.program.jsonSchema(words) : undefined;
    if (schema) {
      const lines = JSON.stringify(schema, null, 2);
      return { kind: 'text', text: isMarkdown ? `\`\`\`json\n${lines}\n\`\`\`` : lines, json: schema };
    }
    const help: ProgramDescription['help'] = (path) =>
      context.program.help(path, isMarkdown ? 'complete' : 'brief');
    const sections = await help(args.topic).catch(async (unknown) => {
      const [name, another] = args.topic;
      const line = another === undefined ? await aliasNamed(context, name) : undefined;
      if (name === undefined || line === undefined) throw unknown;
      return aliasHelp(name, line, help);
    });
    const page = args.topic.join(' ');
    if (isMarkdown) {
      const markdown = markdownPage(sections, page === '' ? 'esign' : `esign ${page}`).trimEnd();
      return { kind: 'text', text: markdown, json: { topic: page || null, text: markdown } };
    }
    return { kind: 'page', sections, json: { topic: page || null, text: plainText(sections) } };
  },
});
