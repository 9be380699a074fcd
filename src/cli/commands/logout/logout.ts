import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Log out of a signature service',
  details:
    'Removes the stored tokens of the profile from this machine. The tokens are not revoked at the ' +
    'service; to revoke them, withdraw the consent in its dashboard.',
  arguments: [],
  options: {},
  json: '{profile, service, logged_out}',
  examples: [{ line: 'esign logout --profile acme', about: 'Log out of the service of a profile' }],
  async run(context) {
    const { logout } = await import('./log-out.ts');
    return logout(context);
  },
});
