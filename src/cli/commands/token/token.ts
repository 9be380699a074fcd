import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Print an access token or refresh token of the login',
  details:
    'Prints the token that commands use for the service of the profile: that of the login, or that of the ' +
    'environment. An access token that has expired is refreshed before. Store it as a secret of a CI system, ' +
    'or use it with another program, such as curl. Everyone who has the token can act as you until it is ' +
    'revoked in the dashboard of the service. `esign sandbox token` creates tokens of the sandbox.',
  arguments: [],
  options: {
    'refresh-token': {
      summary: 'Print the refresh token instead, for ESIGN_REFRESH_TOKEN; it gets new access tokens',
    },
  },
  json: '{profile, service, access_token, expires_at}; with --refresh-token {profile, service, refresh_token}; expires_at is null if the service has not said it',
  examples: [
    { line: 'esign token', about: 'Print the access token of the active profile' },
    {
      line: 'esign token --profile acme --refresh-token',
      about: 'Print the refresh token of another profile',
    },
  ],
  async run(context, { options }) {
    const { printToken } = await import('./print-token.ts');
    return printToken(context, options['refresh-token']);
  },
});
