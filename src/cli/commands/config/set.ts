import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'change a setting',
  details: `Of the profile in use, or the one that --profile or the key names (profiles.NAME.KEY):

  base_url, dashboard_url, app_url   addresses of the service: https, or http on this machine
  sender                             who sends: "Name <email>"
  client_id, callback_url, scopes    what \`esign login\` uses, as the application is registered
  idempotency                        true when the service honours Idempotency-Key, else false
  recipient_ids                      generate when the service takes ids of recipients made here, else none
  redirect_uri                       true when the service knows it on the authorization link
  echoes_state                       true when the service sends back the state of the authorization link
  routes.OPERATION                   "METHOD /path"; \`esign help routes\` lists the operations
  sealing.KEY                        what the sandbox seals documents with; \`esign help config\` lists the keys

Of all: profile, the one that is used when none is named. A profile that does not exist is made by its base_url.
Secrets are not settings.`,
  arguments: [
    { name: 'key', completes: 'setting', summary: 'base_url, routes.OPERATION, profile, …' },
    { name: 'value', summary: 'what it is from now on' },
  ],
  options: {},
  json: '{key, value}; key is the whole one, as `config list` prints it',
  examples: [
    { line: 'esign config set base_url https://api.example.com --profile acme', about: 'a profile' },
    { line: 'esign config set profile acme', about: 'use it from now on' },
    {
      line: 'esign config set routes.transaction.cancel "POST /v1/transaction/{transactionId}/cancellation"',
      about: 'this service has another address for it',
    },
  ],
  async run(context, { args }) {
    const { setSetting } = await import('./stored-settings.ts');
    return setSetting(context, args.key, args.value);
  },
});
