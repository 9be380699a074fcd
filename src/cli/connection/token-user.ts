// Requests the user that an access token belongs to. `user.me` is an extension: a service of the
// specification lacks it, so an error of the service means that the user is not known.
import type { Client } from '../../api/client.ts';
import { CliError } from '../command/errors.ts';
import { type Person, parsePerson } from '../input/person.ts';

/** Requests the user. @param client with the token. The caller has to check for a signal afterwards */
export async function userOfToken(client: Client): Promise<Person | undefined> {
  try {
    const { name, email } = await client['user.me']({}, { isBrief: true });
    return personIn(`${name ?? ''} <${email}>`) ?? personIn(email);
  } catch (error) {
    // The login has ended, which this machine knows: the next request would say less.
    if (error instanceof CliError) throw error;
    return undefined;
  }
}

/** Reads the user. Undefined for a name that no sender may have, with control characters or brackets. */
function personIn(text: string): Person | undefined {
  try {
    return parsePerson(text, 'user.me');
  } catch {
    return undefined;
  }
}

/** Writes a person as a user would type one. */
export const personText = ({ name, email }: Person): string =>
  name === email ? email : `${name} <${email}>`;
