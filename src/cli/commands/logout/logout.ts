import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'forget a login',
  details:
    'Removes the tokens of the profile from this machine. The service is not told: it has no way for that; revoke the ' +
    'consent in its dashboard.',
  arguments: [],
  options: {},
  json: '{profile, service, logged_out}',
  examples: [{ line: 'esign logout --profile acme', about: 'of this service' }],
  async run(context) {
    const { logout } = await import('./log-out.ts');
    return logout(context);
  },
});
