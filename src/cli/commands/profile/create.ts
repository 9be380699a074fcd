import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Create a connection profile',
  arguments: [{ name: 'name', summary: 'Name of the new profile' }],
  options: {
    'base-url': { value: 'URL', summary: "Base URL of the service's API (required)" },
    'dashboard-url': { value: 'URL', summary: "URL of the service's dashboard" },
    'app-url': { value: 'URL', summary: "URL of the service's signing pages" },
    'client-id': { value: 'ID', summary: 'Client ID of the OAuth application, for logging in' },
    'callback-url': { value: 'URL', summary: 'Callback URL as registered for the OAuth application' },
    scopes: {
      value: 'SCOPE,…',
      summary: 'Scopes to request when logging in (default: all scopes)',
      completes: 'scope',
    },
    sender: { value: 'PERSON', summary: 'Sender as "Name <email>"' },
    use: { summary: 'Make it the active profile' },
  },
  json: '{name, base_url, dashboard_url?, app_url?, client_id?, callback_url?, scopes?, sender?, is_current}',
  examples: [
    {
      line: 'esign profile create orders --base-url https://api.example.com --dashboard-url https://dashboard.example.com --app-url https://sign.example.com',
      about: 'Create a profile; then log in with `esign login --profile orders`',
    },
  ],
  async run(context, { args, options }) {
    const { createProfile } = await import('./profiles.ts');
    return createProfile(context, args.name, options);
  },
});
