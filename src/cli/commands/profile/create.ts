import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'make a profile of a service',
  arguments: [{ name: 'name', summary: 'what it is called from now on' }],
  options: {
    'base-url': { value: 'URL', summary: 'address of the service' },
    'dashboard-url': { value: 'URL', summary: 'address of its dashboard' },
    'app-url': { value: 'URL', summary: 'address of its signing application' },
    'client-id': { value: 'ID', summary: 'Client Application ID to log in with' },
    'callback-url': { value: 'URL', summary: 'Callback URL as it is registered' },
    scopes: { value: 'SCOPE,…', summary: 'what a login asks for', completes: 'scope' },
    sender: { value: 'PERSON', summary: 'who sends: "Name <email>"' },
    use: { summary: 'use it from now on' },
  },
  json: '{name, base_url, dashboard_url?, app_url?, client_id?, callback_url?, scopes?, sender?, is_current}',
  examples: [
    {
      line: 'esign profile create orders --base-url https://api.example.com --dashboard-url https://dashboard.example.com --app-url https://sign.example.com',
      about: 'then `esign login --profile orders`',
    },
  ],
  async run(context, { args, options }) {
    const { createProfile } = await import('./profiles.ts');
    return createProfile(context, args.name, options);
  },
});
