import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Open the dashboard of the sandbox in the browser',
  details:
    'Opens the dashboard and signs you in as the default user of the sandbox. The browser opens only when you are at a ' +
    'terminal. Otherwise a sign-in URL is printed: it works once, within two minutes, on this machine. The dashboard ' +
    'is available while `esign sandbox serve` is running.',
  arguments: [],
  options: {},
  json: '{url, sign_in_url, opened: false}',
  examples: [{ line: 'esign sandbox open', about: 'Open the list of transactions in the browser' }],
  async run(context) {
    const { openDashboard } = await import('../../sending/browse.ts');
    return openDashboard(context, 'Dashboard', {});
  },
});
