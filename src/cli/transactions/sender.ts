// Who sends: `--sender`, else environment or profile, else the user of the sandbox, else whoever answers.
import { sameEmail } from '../../api/contract/values.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { Person } from '../input/person.ts';
import { parsePerson } from '../input/person.ts';

/** @param mayBeLeft a template or a draft may bring the sender */
export async function senderOf(
  context: Uses<'prompts'>,
  connection: Connection,
  flag: string | undefined,
  mayBeLeft: boolean,
): Promise<Person | undefined> {
  const named =
    flag !== undefined
      ? parsePerson(flag, '--sender')
      : connection.sender !== undefined
        ? parsePerson(connection.sender, 'ESIGN_SENDER')
        : undefined;
  const { ownUser } = connection;
  if (named && ownUser && !sameEmail(named.email, ownUser.email))
    throw cliError('sender_email_mismatch', { given: named.email, own: ownUser.email });
  if (named) return named;
  if (mayBeLeft) return undefined;
  if (ownUser) return ownUser;
  if (!context.prompts.canAsk) throw cliError('sender_missing');
  return parsePerson(await context.prompts.ask('Sender ("Name <email>")', '--sender'), '--sender');
}
