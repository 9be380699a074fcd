// Checks whether a login belongs to the sender: only the user of its access token can send with it. Where the service tells the
// user, another sender is refused before anything is stored.
import { sameEmail } from '../../../api/contract/values.ts';
import { variable } from '../../../config/environment.ts';
import type { Profile } from '../../../config/profile.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { personText, userOfToken } from '../../connection/token-user.ts';
import { type Person, parsePerson } from '../../input/person.ts';

/**
 * @param given the sender that the login was given, by a flag or an answer
 * @returns the user of the token; undefined where the service does not tell
 */
export async function ownerOf(
  context: Uses<'connections' | 'process'>,
  profile: Profile,
  token: string,
  given: string | undefined,
): Promise<Person | undefined> {
  const user = await userOfToken(await context.connections.connectWithoutLogin(profile, token));
  context.process.checkpoint();
  const email = emailIn(given ?? profile.sender);
  if (user === undefined || email === undefined || sameEmail(user.email, email)) return user;
  const { variables } = context.process.environment;
  const isOfEnvironment = given === undefined && variable(variables, 'ESIGN_SENDER') !== undefined;
  throw cliError('login_of_another_user', {
    user: personText(user),
    email: user.email,
    sender: email,
    setting: isOfEnvironment ? 'ESIGN_SENDER' : '--sender',
  });
}

/** Reads the email of a sender. The command that sends reports one that cannot be read. */
export function emailIn(sender: string | undefined): string | undefined {
  try {
    return sender === undefined ? undefined : parsePerson(sender, '--sender').email;
  } catch {
    return undefined;
  }
}
