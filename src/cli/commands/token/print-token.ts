// `esign token`: prints a token of the login, for a program that has no login of its own.
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';

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
  if (refresh_token === undefined) throw cliError('refresh_token_missing', { profile });
  return printed(refresh_token, { refresh_token });
}
