// The user that an access token belongs to, where the service tells. `user.me` is an extension: a service of the
// specification lacks it, so whatever goes wrong means that it is not known.
import type { Client } from '../../api/client.ts';
import { type Person, parsePerson } from '../input/person.ts';

/** @param client with the token; a signal that came meanwhile is the caller's to look for */
export async function userOfToken(client: Client): Promise<Person | undefined> {
  try {
    const { name, email } = await client['user.me']({}, { isBrief: true });
    return personIn(`${name ?? ''} <${email}>`) ?? personIn(email);
  } catch {
    return undefined;
  }
}

/** A name that no sender may have, with control characters or brackets, is left out. */
function personIn(text: string): Person | undefined {
  try {
    return parsePerson(text, 'user.me');
  } catch {
    return undefined;
  }
}

/** As a person is typed. */
export const personText = ({ name, email }: Person): string =>
  name === email ? email : `${name} <${email}>`;
