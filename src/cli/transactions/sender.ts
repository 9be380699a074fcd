// Finds the sender: `--sender`, else environment or profile, else the user of the sandbox or of the access token, else an answer.
import { sameEmail } from '../../api/contract/values.ts';
import type { Uses } from '../command/context.ts';
import { reportOf } from '../command/error-report.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { Person } from '../input/person.ts';
import { parsePerson } from '../input/person.ts';

/** Finds the sender. @param mayBeLeft a template or a draft may bring the sender */
export async function resolveSender(
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
  if (!named && mayBeLeft) return undefined;
  const user = await userOf(connection, named);
  if (named && user && !sameEmail(named.email, user.email))
    throw cliError('sender_email_mismatch', {
      given: named.email,
      own: user.email,
      tokenOf: tokenOf(connection),
    });
  if (named && connection.refusedSenders?.some((email) => sameEmail(email, named.email)))
    throw cliError('sender_refused_before', {
      given: named.email,
      profile: connection.profile,
      service: connection.service,
    });
  const sender = named ?? user;
  if (sender) return sender;
  if (!context.prompts.canAsk) throw cliError('sender_missing');
  const text = await context.prompts.ask('Sender ("Name <email>")', '--sender', {
    accept: (typed) => parsePerson(typed, 'The sender'),
  });
  return parsePerson(text, '--sender');
}

/**
 * Finds the user that the access token belongs to, who alone can send. A sender that the service may refuse only after a draft is
 * made is worth a request; the login has the user where the service told it.
 */
async function userOf(
  { ownUser, isUserUntold, requestOwnUser }: Connection,
  named: Person | undefined,
): Promise<Person | undefined> {
  if (ownUser) return ownUser;
  return isUserUntold && named ? undefined : requestOwnUser?.();
}

function tokenOf({ isSandbox, profile, rememberRefusedSender }: Connection) {
  if (isSandbox) return 'sandbox' as const;
  return rememberRefusedSender ? { profile } : ('environment' as const);
}

/**
 * Stores a sender that the service has refused as not being the user of the token, so that the next send with this login is
 * refused before it makes a draft. It ignores an error of storing it.
 */
export async function rememberRefusal(
  { rememberRefusedSender }: Connection,
  sender: Person | null,
  error: unknown,
): Promise<void> {
  if (sender && reportOf(error).code === 'sender_email_mismatch')
    await rememberRefusedSender?.(sender.email).catch(() => undefined);
}
