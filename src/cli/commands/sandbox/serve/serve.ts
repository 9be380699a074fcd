import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'answer at the address of the sandbox until stopped',
  details:
    'The sandbox has one address, chosen when it was made and kept, so that signing addresses stay true. While this ' +
    'runs, recipients sign in a browser at their signing addresses, other programs use the API, and the dashboard shows your ' +
    'transactions (`esign sandbox users password` prints what to sign in with). Ctrl-C stops it once the requests under way are answered.',
  arguments: [],
  options: {
    port: { value: 'N', summary: 'another port; 0 takes any that is free' },
    host: { value: 'ADDRESS', summary: 'another address to listen on (default 127.0.0.1)' },
  },
  json: '{base_url, app_url, dashboard_url, client_id, sender}, as soon as it answers',
  examples: [
    { line: 'esign sandbox serve', about: 'sign in a browser, use the API and the dashboard' },
    { line: 'esign sandbox serve --port 0 --json', about: 'for a test: read base_url from the first line' },
  ],
  async run(context, { options }) {
    const { serveSandbox } = await import('./serve-sandbox.ts');
    return serveSandbox(context, options);
  },
});
