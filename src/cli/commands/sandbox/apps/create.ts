import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Register an OAuth application',
  details:
    'The callback URL is an http or https URL without a user name, password or fragment; after consent, ' +
    'browsers are redirected only there. With http://127.0.0.1 and http://[::1], the application may ' +
    'choose the port in redirect_uri. The notification secret signs events sent to notification URLs of ' +
    'transactions that this application creates.\n\n' +
    'A public application has no client secret: its users log in with `esign login --client-id ID` alone. Only the program that ' +
    'began a login can end it (PKCE), and each refresh token works once. Its callback URL begins with ' +
    'http://127.0.0.1 or http://[::1].',
  arguments: [{ name: 'name', summary: 'Name of the OAuth application' }],
  options: {
    'callback-url': { value: 'URL', summary: 'Callback URL that receives the authorization code (required)' },
    public: {
      summary:
        'Create a public application, which has no client secret: for programs on the computers of users',
    },
  },
  json: '{id, name, callback_url, is_public, client_id, client_secret, notification_secret, created_at}; the secrets are shown only once',
  examples: [
    {
      line: 'esign sandbox apps create Orders --callback-url http://127.0.0.1:8976/callback',
      about: 'Create a client ID and secret',
    },
    {
      line: 'esign sandbox apps create Terminal --callback-url http://127.0.0.1:8976/callback --public',
      about: 'Create an application whose users need no secret',
    },
  ],
  async run(context, { args, options }) {
    const { askFor } = await import('../../../input/ask-for.ts');
    const { sandboxOperations } = await import('../../../../api/contract/sandbox.ts');
    const { parseWith: checked } = await import('../../../input/parse-input.ts');
    const { body: shape } = sandboxOperations['sandbox.add_client'];
    const { value } = await askFor(context, {
      value: {
        what: 'Callback URL',
        flag: '--callback-url URL',
        given: options['callback-url'],
        accept: (text) =>
          checked(
            shape,
            { name: 'x', callback_url: text, is_public: options.public },
            { callback_url: 'This' },
          ),
      },
    });
    const body = { name: args.name, callback_url: value, is_public: options.public };
    checked(shape, body, {
      name: 'NAME',
      callback_url: '--callback-url',
    });
    const { client } = await context.connections.sandbox();
    const made = await client['sandbox.add_client']({ body });
    return {
      kind: 'record',
      headline: 'Registered the OAuth application. The secrets are not shown again.',
      json: made,
      entries: [
        { key: 'id', label: 'Application', value: made.id },
        { key: 'name', label: 'Name', value: made.name },
        { key: 'client_id', label: 'Client ID', value: made.client_id },
        { key: 'client_secret', label: 'Client secret', value: made.client_secret ?? undefined },
        { key: 'notification_secret', label: 'Notification secret', value: made.notification_secret },
        { key: 'callback_url', label: 'Callback URL', value: made.callback_url },
      ],
    };
  },
});
