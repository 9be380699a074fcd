import { defineCommand } from '../../command/command.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';

export const command = defineCommand({
  summary: 'list templates, newest first',
  arguments: [],
  options: { search: { value: 'TEXT', summary: 'only those whose name holds this' }, ...PAGE_OPTIONS },
  json: '{items: [{id, name}], meta}; with --all one {id, name} a line',
  examples: [{ line: 'esign templates list --search agreement', about: 'find one by its name' }],
  async run(context, { options }) {
    const { readPages } = await import('../../input/page.ts');
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
