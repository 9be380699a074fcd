// Makes the error for an email address that no user of a team server has.
import { nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { TeamServer } from '../connection/connection.ts';

export async function unknownUser(
  email: string,
  users: Pick<TeamServer['users'], 'list'>,
): Promise<CliError> {
  const emails = (await users.list()).map((user) => user.email);
  return cliError('user_unknown', { email, meant: nearest(email, emails) });
}
