import { defineCommand } from '../../command/command.ts';
import { PAGE_OPTIONS } from '../../command/page-options.ts';

export const command = defineCommand({
  summary: 'List webhooks, newest first',
  arguments: [],
  options: PAGE_OPTIONS,
  json: '{items: [{id, name, endpoint, events, enabled}], meta}; with --all one object per line',
  examples: [{ line: 'esign webhooks list', about: 'List the webhooks of your company' }],
  async run(context, { options }) {
    const { readPages } = await import('../../input/parse-input.ts');
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
      pageTable: {
        columns: ['NAME', 'ENABLED', 'ENDPOINT', 'ID', { name: 'EVENTS', fit: 'wraps' }],
        rows: items.map(({ id, name, endpoint, events, enabled }) => [
          name,
          enabled ? 'yes' : 'no',
          endpoint,
          id,
          (events ?? []).join(', '),
        ]),
      },
    };
  },
});
