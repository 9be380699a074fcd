import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Change a setting',
  details: `Changes the active profile, or the one given with --profile or in the key (profiles.NAME.KEY). A profile
that does not exist is created when you set its base_url. The keys of a profile are:

  base_url, dashboard_url, app_url   URLs of the service: https, or http on this machine
  sender                             Sender as "Name <email>"; must be the user the access token belongs to
  client_id, callback_url, scopes    What \`esign login\` uses, as registered for the OAuth application
  idempotency                        true if the service honors the Idempotency-Key header, so that requests can be retried safely; otherwise
                                     false
  field_values                       true if the service takes values of fields that the sender fills in, otherwise false
  preparations                       true if the service records what was removed from a file before its upload, otherwise false
  recipient_ids                      generate if the service accepts recipient IDs created by the client, otherwise none
  redirect_uri                       true if the service accepts redirect_uri in the authorization URL
  echoes_state                       true if the service returns the state of the authorization URL
  pkce                               true if the service knows PKCE and public applications
  routes.OPERATION                   "METHOD /path"; \`esign help routes\` lists the operations
  sealing.KEY                        How the sandbox seals documents; \`esign help config\` lists the keys
  mail.KEY                           How the sandbox sends email; \`esign help config\` lists the keys

The key profile sets the active profile. Secrets cannot be stored as settings.

The key aliases.NAME defines an alias: \`esign NAME\` runs the command line that it stands for. In the command line, $1 is
replaced with the first argument and $2 with the second; other arguments are appended. Put a command line that contains $1 in
single quotes, so that your shell does not replace it. An alias cannot replace a command.`,
  arguments: [
    {
      name: 'key',
      completes: 'setting',
      summary: 'Name of the setting, such as base_url, routes.OPERATION or profile',
    },
    { name: 'value', summary: 'New value' },
  ],
  options: {},
  json: '{key, value}; key is the full key, as `esign config list` prints it',
  examples: [
    {
      line: 'esign config set base_url https://api.example.com --profile acme',
      about: 'Create a profile by setting its base URL',
    },
    { line: 'esign config set profile acme', about: 'Switch the active profile' },
    {
      line: 'esign config set aliases.todo "tx list --status started"',
      about: 'Create an alias: `esign todo` lists the started transactions',
    },
    {
      line: 'esign config set routes.transaction.cancel "POST /v1/transaction/{transactionId}/cancellation"',
      about: 'Override the path of an operation',
    },
  ],
  async run(context, { args }) {
    const { setSetting } = await import('./stored-settings.ts');
    return setSetting(context, args.key, args.value);
  },
});
