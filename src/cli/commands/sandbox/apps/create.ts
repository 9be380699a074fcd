import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'register a client application',
  details:
    'The callback URL is an http or https address without a name, password or # in it; after consent the browser goes ' +
    'nowhere else. Of http://127.0.0.1 and http://[::1] a program may choose the port, with redirect_uri in its link.',
  arguments: [{ name: 'name', summary: 'name of the application' }],
  options: {
    'callback-url': { value: 'URL', summary: 'where the browser comes back to with a code' },
  },
  json: '{id, name, callback_url, client_id, client_secret, created_at}; the secret is shown this once',
  examples: [
    {
      line: 'esign sandbox apps create Orders --callback-url http://127.0.0.1:8976/callback',
      about: 'get a client id and secret',
    },
  ],
  async run(context, { args, options }) {
    const { askFor } = await import('../../../input/ask-for.ts');
    const { value } = await askFor(context, {
      value: { what: 'Callback URL', flag: '--callback-url URL', given: options['callback-url'] },
    });
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { checked } = await import('../../../input/checked.ts');
    const body = { name: args.name, callback_url: value };
    checked(sandboxOperations['sandbox.add_client'].body, body, {
      name: 'NAME',
      callback_url: '--callback-url',
    });
    const { client } = await context.connections.sandbox();
    const made = await client['sandbox.add_client']({ body });
    return {
      kind: 'record',
      headline: 'Registered. The secret is shown this once.',
      json: made,
      entries: [
        { key: 'id', label: 'Application', value: made.id },
        { key: 'name', label: 'Name', value: made.name },
        { key: 'client_id', label: 'Client id', value: made.client_id },
        { key: 'client_secret', label: 'Client secret', value: made.client_secret },
        { key: 'callback_url', label: 'Callback', value: made.callback_url },
      ],
    };
  },
});
