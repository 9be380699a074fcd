import { defineCommand } from '../../command/command.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';

export const command = defineCommand({
  summary: 'list webhooks, newest first',
  arguments: [],
  options: PAGE_OPTIONS,
  json: '{items: [{id, name, endpoint, events, enabled}], meta}; with --all one object a line',
  examples: [{ line: 'esign webhooks list', about: 'where events are sent' }],
  async run(context, { options }) {
    const { readPages } = await import('../../input/page.ts');
    const { items, json, lines } = await readPages(options, async (query) => {
      const { client } = await context.connections.connect();
      return client['webhook.list']({ query });
    });
    return {
      kind: 'list',
      json,
      ...(lines && { lines }),
      empty: 'No webhooks.',
      table: {
        columns: ['ID', 'NAME', 'ENDPOINT', 'EVENTS', 'ENABLED'],
        rows: items.map(({ id, name, endpoint, events, enabled }) => [
          id,
          name,
          endpoint,
          (events ?? []).join(','),
          enabled ? 'yes' : 'no',
        ]),
      },
    };
  },
});
