import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import { boolean, list, object, prints, secret, text } from '../../command/json-output.ts';
import { forPipes, listRecords, showRecord, time } from '../../command/record.ts';
import { askFor } from '../../input/ask-for.ts';
import { checkValue } from '../../input/check-value.ts';

export const commands = {
  create: defineCommand({
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
      'callback-url': {
        value: 'URL',
        summary: 'Callback URL that receives the authorization code (required)',
      },
      public: {
        summary:
          'Create a public application, which has no client secret: for programs on the computers of users',
      },
    },
    json: prints(
      object({
        id: text,
        name: text,
        callback_url: text,
        is_public: boolean,
        client_id: text,
        'client_secret?': secret('CLIENT_SECRET'),
        notification_secret: secret('NOTIFICATION_SECRET'),
        created_at: text,
      }),
      '; the secrets are shown only once',
    ),
    secrets: {
      again: 'Delete the application with `esign sandbox apps delete ID`, and create it again.',
      printed: (options) => [...(options.public ? [] : ['client_secret']), 'notification_secret'],
    },
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
      const { body: shape } = sandboxOperations['sandbox.add_client'];
      const { value } = await askFor(context, {
        value: {
          what: 'Callback URL',
          flag: '--callback-url URL',
          value: options['callback-url'],
          accept: (text) =>
            checkValue(
              shape,
              { name: 'x', callback_url: text, is_public: options.public },
              { callback_url: 'This' },
            ),
        },
      });
      const body = { name: args.name, callback_url: value, is_public: options.public };
      checkValue(shape, body, {
        name: 'NAME',
        callback_url: '--callback-url',
      });
      const { client } = await context.connections.sandbox();
      const application = await client['sandbox.add_client']({ body });
      return showRecord(
        application,
        {
          id: 'Application',
          name: 'Name',
          client_id: 'Client ID',
          client_secret: 'Client secret',
          notification_secret: 'Notification secret',
          callback_url: 'Callback URL',
        },
        { headline: 'Registered the OAuth application. The secrets are not shown again.' },
      );
    },
  }),

  list: defineCommand({
    summary: 'List the OAuth applications',
    arguments: [],
    options: {},
    json: prints(
      object({
        items: list(
          object({
            id: text,
            name: text,
            callback_url: text,
            is_public: boolean,
            client_id: text,
            created_at: text,
          }),
        ),
      }),
    ),
    examples: [
      { line: 'esign sandbox apps list', about: 'List the OAuth applications with their client IDs' },
    ],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const { items } = await client['sandbox.list_clients']();
      return listRecords(items, 'No OAuth applications.', {
        ID: 'id',
        NAME: 'name',
        TYPE: (app) => (app.is_public === true ? 'public' : 'with secret'),
        'CLIENT ID': 'client_id',
        CALLBACK: 'callback_url',
      });
    },
  }),

  rotate: defineCommand({
    summary: 'Replace the secret that signs the notifications of an OAuth application',
    details:
      'The new secret is shown only once. For one day, events are signed with both the old and the new ' +
      'secret, so that the receiver can switch at any time.',
    arguments: [{ name: 'id', completes: 'application', summary: 'ID of the OAuth application' }],
    options: {},
    json: prints(
      object({
        client_id: text,
        notification_secret: secret('NOTIFICATION_SECRET'),
        previous_valid_until: text,
      }),
    ),
    secrets: { again: 'Run the command again.' },
    examples: [{ line: 'esign sandbox apps rotate ID', about: 'Replace a secret that may have leaked' }],
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      const rotated = await client['sandbox.rotate_notification_secret']({
        params: { clientId: args.id },
        body: {},
      });
      return showRecord(
        rotated,
        {
          client_id: 'Client ID',
          notification_secret: 'Notification secret',
          previous_valid_until: time('Previous secret valid until'),
        },
        { headline: 'Replaced the notification secret. The new secret is not shown again.' },
      );
    },
  }),

  delete: defineCommand({
    summary: 'Delete an OAuth application',
    details: 'All tokens issued to the OAuth application stop working.',
    arguments: [{ name: 'id', completes: 'application', summary: 'ID of the OAuth application' }],
    options: {},
    json: prints(object({ id: text, removed: boolean })),
    examples: [{ line: 'esign sandbox apps delete ID', about: 'Delete an OAuth application and its tokens' }],
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      const { removed } = await client['sandbox.delete_client']({ params: { clientId: args.id } });
      return showRecord(
        { id: args.id, removed },
        { id: 'Application', removed: forPipes },
        { headline: 'Deleted the OAuth application.' },
      );
    },
  }),
};
