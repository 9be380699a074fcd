import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { nullable, object, prints, secret, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';

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
  json: prints(
    object({
      profile: text,
      service: text,
      access_token: secret('ESIGN_ACCESS_TOKEN'),
      expires_at: nullable(text),
    }),
    '; with --refresh-token ',
    object({ profile: text, service: text, refresh_token: secret('ESIGN_REFRESH_TOKEN') }),
    '; expires_at is null if the service has not said it',
  ),
  secrets: {
    again: 'Run the command again.',
    printed: (options) => [options['refresh-token'] ? 'refresh_token' : 'access_token'],
    isAll: () => true,
  },
  examples: [
    { line: 'esign token', about: 'Print the access token of the active profile' },
    {
      line: 'esign token --profile acme --refresh-token',
      about: 'Print the refresh token of another profile',
    },
  ],
  async run(context, { options }) {
    return printToken(context, options['refresh-token']);
  },
});

export async function printToken(
  { connections, terminal }: Uses<'connections' | 'terminal'>,
  isRefreshToken: boolean,
): Promise<Outcome> {
  const access = await connections.access();
  const { name: profile, remote } = await connections.profile();
  const service = remote?.baseUrl ?? null;
  const printed = (token: string, facts: object): Outcome => {
    // A pipe or a file gets the token alone. On a screen, others may see it, so it comes with a warning.
    if (terminal.streams.out.isTerminal)
      terminal.progress.warn(`This is a secret: everyone who has it can act as you at ${service}.`);
    return { kind: 'text', text: token, json: { profile, service, ...facts } };
  };
  if (!isRefreshToken) {
    const { access_token, expires_at = null } = await access.freshToken();
    return printed(access_token, { access_token, expires_at });
  }
  const refresh_token = await access.refreshToken();
  if (refresh_token === undefined)
    throw cliError('refresh_token_missing', {
      sentence: `The login of the profile "${profile}" has no refresh token.`,
      hint: 'Log in with `esign login`, or print the access token without --refresh-token.',
      next: [{ command: `esign login --profile ${profile}`, when: 'to get a refresh token' }],
    });
  return printed(refresh_token, { refresh_token });
}
