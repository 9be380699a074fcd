// Finds and matches the people of a transaction. Several recipients may have the same address: a sender who also signs, or two people who share
// a mailbox (assumed: A45). They are distinguished by name and role, then by their order. The sender is that of `--sender`, else of the
// environment or profile, else the user of the sandbox or of the access token, else an answer.
import type { Role } from '../../api/contract/recipients.ts';
import { sameEmail } from '../../api/contract/values.ts';
import type { Uses } from '../command/context.ts';
import { reportOf } from '../command/error-report.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { type Person, parsePerson } from '../input/person.ts';

/** A recipient of a request. The role may be one that only the service knows. */
export type RecipientSpec<R extends string = string> = Person & { role: R; id?: string | undefined };

/** `id`: made by the client, where the service takes such (assumed: A20). */
export type PlannedRecipient = RecipientSpec<Role>;

type Named = Person & { role?: string | null | undefined; id?: string | undefined };

/** The comparisons from the strictest to the loosest; all require the same email. */
const LIKENESSES: ((wanted: Named, candidate: Named) => boolean)[] = [
  (wanted, candidate) => wanted.id !== undefined && wanted.id === candidate.id,
  (wanted, candidate) => wanted.role === candidate.role && wanted.name === candidate.name,
  (wanted, candidate) => wanted.name === candidate.name,
  (wanted, candidate) => wanted.role === candidate.role,
  () => true,
];

/** Pairs each wanted recipient with a different one of those present. */
export function pairRecipients<A extends Named, B extends Named>(
  wanted: readonly A[],
  present: readonly B[],
): Map<A, B> {
  const pairs = new Map<A, B>();
  const free = new Set(present);
  for (const isAlike of LIKENESSES)
    for (const recipient of wanted) {
      const match = pairs.has(recipient)
        ? undefined
        : [...free].find(
            (candidate) => sameEmail(candidate.email, recipient.email) && isAlike(recipient, candidate),
          );
      if (match === undefined) continue;
      pairs.set(recipient, match);
      free.delete(match);
    }
  return pairs;
}

/**
 * Pairs the recipients of a draft with those that replace them, who keep their fields: by ID, by email, then by name, then, where as many
 * act as before, in their order. So a corrected address, or another person in the same place, loses nothing.
 */
export function pairReplaced<A extends Named, B extends Named>(
  wanted: readonly A[],
  present: readonly B[],
): Map<A, B> {
  const pairs = new Map<A, B>();
  for (const recipient of wanted) {
    const match = present.find(({ id }) => id !== undefined && id === recipient.id);
    if (match) pairs.set(recipient, match);
  }
  const unnamed = present.filter((candidate) => ![...pairs.values()].includes(candidate));
  for (const [recipient, match] of pairRecipients(
    wanted.filter((candidate) => !pairs.has(candidate)),
    unnamed,
  ))
    pairs.set(recipient, match);
  const pairRest = (isAlike: (wanted: Named, present: Named) => boolean) => {
    for (const recipient of wanted.filter((candidate) => !pairs.has(candidate))) {
      const paired = new Set(pairs.values());
      const match = present.find((candidate) => !paired.has(candidate) && isAlike(recipient, candidate));
      if (match) pairs.set(recipient, match);
    }
  };
  const act = ({ role }: Named) => role !== 'sender';
  pairRest((recipient, candidate) => act(recipient) === act(candidate) && sameName(recipient, candidate));
  if (wanted.filter(act).length === present.filter(act).length)
    pairRest((recipient, candidate) => act(recipient) === act(candidate));
  return pairs;
}

/** Spaces and case do not make another name. */
export const sameName = ({ name }: Named, { name: other }: Named): boolean =>
  plainName(name) === plainName(other);

const plainName = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Adds the sender. A recipient with the sender's address becomes the sender, and signs: the one with the sender's name, or the
 * first. Otherwise the sender comes first and does not act.
 */
export function withSender<R extends string>(
  to: readonly RecipientSpec<R>[],
  sender: Person | undefined,
): RecipientSpec<R | 'sender'>[] {
  const planned = to.map(({ name, email, role }) => ({ name, email, role }));
  if (!sender) return planned;
  const candidates = planned.filter(({ email }) => sameEmail(email, sender.email));
  const self = candidates.find(({ name }) => name === sender.name) ?? candidates[0];
  return self
    ? planned.map(
        (recipient): RecipientSpec<R | 'sender'> =>
          recipient === self ? { ...recipient, role: 'sender' } : recipient,
      )
    : [{ name: sender.name, email: sender.email, role: 'sender' }, ...planned];
}

/** Checks that no two are the same. @throws CliError exit 2 where role, name and email are the same twice */
export function checkDistinct(recipients: readonly Named[], { isTyped = false } = {}): void {
  for (const [index, { role, name, email }] of recipients.entries())
    if (
      recipients
        .slice(0, index)
        .some((other) => sameEmail(other.email, email) && other.name === name && other.role === role)
    )
      throw cliError('recipient_twice', {
        sentence: isTyped
          ? `You have already entered ${name} <${email}>.`
          : `--to contains ${name} <${email}> twice.`,
        hint: 'Add each recipient once. Two people with the same email address need different names.',
      });
}

/**
 * Finds the recipient that an email names for a field; those who act come before the sender. Undefined when none has it.
 * @param among in the order that positions count
 * @throws CliError exit 2 when several have it
 */
export function findRecipientByEmail<T extends Person>(
  among: readonly T[],
  email: string,
  source: string,
): T | undefined {
  const [match, another] = among.filter((recipient) => sameEmail(recipient.email, email));
  if (!another) return match;
  throw cliError('field_recipient_ambiguous', {
    sentence: `The field "${source}" is for ${email}, and more than one recipient has this email address.`,
    hint: `Use the number of the recipient: ${among
      .flatMap((recipient, index) =>
        sameEmail(recipient.email, email) ? [`=${index + 1} for ${recipient.name}`] : [],
      )
      .join(', ')}.`,
  });
}

/** Merges recipients. Existing ones stay in their order; one that is named again gets the new name and role. */
export function mergeRecipients<R extends string>(
  present: readonly RecipientSpec<R>[],
  named: readonly PlannedRecipient[],
): RecipientSpec<R | Role>[] {
  const pairs = pairRecipients(named, present);
  const nameOf = new Map([...pairs].map(([person, recipient]) => [recipient, person]));
  const hasSender = present.some(({ role }) => role === 'sender');
  const existing = present.map((recipient): RecipientSpec<R> => {
    const { name, email } = nameOf.get(recipient) ?? recipient;
    return { name, email, role: recipient.role, id: recipient.id };
  });
  const added = named.filter((person) => !pairs.has(person));
  return [...existing, ...added.filter(({ role }) => !(role === 'sender' && hasSender))];
}

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
  if (named && user && !sameEmail(named.email, user.email)) throw notTheUser(named, user, connection);
  if (named && connection.refusedSenders?.some((email) => sameEmail(email, named.email)))
    throw cliError('sender_refused_before', {
      sentence: `The sender is ${named.email}, but the login of the profile "${connection.profile}" belongs to another user: ${connection.service} has refused this sender before.`,
      hint: 'Nothing was sent. Specify the user you logged in as with --sender, or log in as the sender with `esign login`.',
      next: [{ command: `esign login --profile ${connection.profile}`, when: 'to log in as the sender' }],
    });
  const sender = named ?? user;
  if (sender) return sender;
  if (!context.prompts.canAsk)
    throw cliError('sender_missing', {
      sentence: 'No sender given.',
      hint: 'Add --sender "Name <email>" or set ESIGN_SENDER. The sender is the user that the access token belongs to.',
    });
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

/** Makes the error for a sender who is not the user that the access token belongs to. */
function notTheUser(
  sender: Person,
  user: Person,
  { isSandbox, profile, rememberRefusedSender }: Connection,
): CliError {
  if (isSandbox)
    return cliError('sender_email_mismatch', {
      sentence: `The sender is ${sender.email}, but the user of the sandbox is ${user.email}.`,
      hint: 'Leave the sender out. In the sandbox, its own user sends.',
    });
  const isOfLogin = rememberRefusedSender !== undefined;
  return cliError('sender_email_mismatch', {
    sentence: `The sender is ${sender.email}, but the access token belongs to ${user.email}.`,
    hint: `Nothing was sent. Use --sender ${user.email}, or leave out --sender and ESIGN_SENDER: the user of the token sends.`,
    next: isOfLogin ? [{ command: `esign login --profile ${profile}`, when: 'to log in as the sender' }] : [],
  });
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
