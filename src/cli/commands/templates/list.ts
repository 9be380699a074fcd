import { defineCommand } from '../../command/command.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';

export const command = defineCommand({
  summary: 'List templates, newest first',
  arguments: [],
  options: {
    search: { value: 'TEXT', summary: "Text that the template's name must contain (default: all templates)" },
    ...PAGE_OPTIONS,
  },
  json: '{items: [{id, name}], meta}; with --all one {id, name} per line',
  examples: [{ line: 'esign templates list --search agreement', about: 'Find a template by its name' }],
  async run(context, { options }) {
    const { readPages } = await import('../../input/parse-input.ts');
    const { search } = options;
    const { items, json, lines } = await readPages(options, async (query) => {
      const { client } = await context.connections.connect();
      return client['template.list']({ query: { ...query, ...(search !== undefined && { search }) } });
    });
    return {
      kind: 'list',
      json,
      ...(lines && { lines }),
      empty: 'No templates.',
      table: { columns: ['ID', 'NAME'], rows: items.map(({ id, name }) => [id, name]) },
    };
  },
});
