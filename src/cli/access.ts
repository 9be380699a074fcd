// The access token for a remote service: where it comes from.
import type { Profile } from '../config/profile.ts';
import { CliError, EXIT } from './errors.ts';
import type { RemoteParts } from './remote-parts.ts';

export type Access = { token(): Promise<string> | string };

export async function accessOf(
  _profile: Profile,
  remote: NonNullable<Profile['remote']>,
  { environment }: RemoteParts,
): Promise<Access> {
  const token = environment.variables.ESIGN_ACCESS_TOKEN;
  if (!token)
    throw new CliError(`There is no access token for ${remote.baseUrl}.`, {
      code: 'not_logged_in',
      exit: EXIT.access,
      hint: 'Set ESIGN_ACCESS_TOKEN to an access token of this service.',
    });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CliError('ESIGN_ACCESS_TOKEN holds a character that no token has.', {
      code: 'variable_invalid',
      exit: EXIT.usage,
      hint: 'Look for a line end or a space in it.',
    });
  return { token: () => token };
}
