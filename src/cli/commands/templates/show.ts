import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Show a template and its fields',
  arguments: [{ name: 'id', completes: 'template', summary: 'ID of the template' }],
  options: {},
  json: '{id, name, description, recipients: [{id, name, email, role, index}], fields: [{id, label, type, recipient: {id, name, email, role}}]}',
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
});
