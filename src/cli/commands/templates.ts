import { defineCommand } from '../command/command.ts';
import { list, number, object, prints, text } from '../command/json-output.ts';
import { PAGE_OPTIONS } from '../command/page-options.ts';
import { listRecords } from '../command/record.ts';
import { PAGE_META } from '../command/shared-json.ts';
import { readPages } from '../input/parse-input.ts';

export const commands = {
  list: defineCommand({
    summary: 'List templates, newest first',
    arguments: [],
    options: {
      search: {
        value: 'TEXT',
        summary: "Text that the template's name must contain (default: all templates)",
      },
      ...PAGE_OPTIONS,
    },
    json: prints(
      object({
        items: list(object({ id: text, name: text })),
        meta: PAGE_META,
      }),
      '; with --all one ',
      object({ id: text, name: text }),
      ' per line',
    ),
    examples: [{ line: 'esign templates list --search agreement', about: 'Find a template by its name' }],
    async run(context, { options }) {
      const { search } = options;
      const { items, json, lines } = await readPages(options, async (query) => {
        const { client } = await context.connections.connect();
        return client['template.list']({ query: { ...query, ...(search !== undefined && { search }) } });
      });
      return listRecords(items, 'No templates.', { ID: 'id', NAME: 'name' }, { json, lines });
    },
  }),

  show: defineCommand({
    summary: 'Show a template and its fields',
    arguments: [{ name: 'id', completes: 'template', summary: 'ID of the template' }],
    options: {},
    json: prints(
      object({
        id: text,
        name: text,
        description: text,
        recipients: list(object({ id: text, name: text, email: text, role: text, index: number })),
        fields: list(
          object({
            id: text,
            label: text,
            type: text,
            recipient: object({ id: text, name: text, email: text, role: text }),
          }),
        ),
      }),
    ),
    examples: [{ line: 'esign templates show ID', about: 'Show the recipients and fields of a template' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const template = await client['template.detail']({ params: { templateId: args.id } });
      return {
        kind: 'record',
        headline: template.name,
        json: template,
        entries: [
          { key: 'id', label: 'Template', value: template.id },
          { key: 'name', value: template.name },
          { key: 'description', label: 'Description', value: template.description || undefined },
        ],
        tables: [
          {
            key: 'field',
            columns: ['FIELD', 'TYPE', 'FOR', 'ID'],
            rows: (template.fields ?? []).map(({ id, label, type, recipient }) => [
              label,
              type,
              recipient?.email,
              id,
            ]),
          },
        ],
      };
    },
  }),
};
