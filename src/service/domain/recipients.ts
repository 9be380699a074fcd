// Reads the recipients of a draft, and tells who acts and whose turn it is (assumed: A12, A20, A45).
import type { z } from 'zod';
import { type FieldError, type Refusal, refusal } from '../../api/contract/problems.ts';
import { colorAt, type recipientInput } from '../../api/contract/recipients.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { type EditContext, idErrors, indexErrors } from './ids.ts';
import type { CompanyUser, Content, DecisionContext, Recipient } from './transaction.ts';

type RecipientInput = z.output<typeof recipientInput>;

export const personOf = ({ email, id, name, role }: Recipient) => ({ email, id, name, role });

export const submittedPersonOf = (recipient: Recipient) => ({
  ...personOf(recipient),
  submitted_at: recipient.submitted_at,
});

/**
 * Lists the recipients who have to act, in order. A sender without fields is skipped; others without fields approve (A12).
 */
export function actorsOf(content: Content): Recipient[] {
  const withFields = new Set(content.fields.map((field) => field.recipient_id));
  return content.recipients
    .filter((recipient) => recipient.role !== 'sender' || withFields.has(recipient.id))
    .sort((a, b) => a.index - b.index);
}

export const currentOf = (content: Content): Recipient | undefined =>
  content.recipients.find((recipient) => recipient.is_current);

/** Hands the turn to the first actor who has not submitted. `invited` is undefined when all have. */
export function passTurn(
  content: Content,
  context: DecisionContext,
): { recipients: Recipient[]; invited: Recipient | undefined } {
  const next = actorsOf(content).find((recipient) => recipient.submitted_at === null);
  const recipients = content.recipients.map((recipient): Recipient => {
    if (recipient.id === next?.id)
      return { ...recipient, is_current: true, token: context.newToken(), updated_at: context.now };
    return recipient.is_current ? { ...recipient, is_current: false, token: null } : recipient;
  });
  return { recipients, invited: recipients.find((recipient) => recipient.is_current) };
}

/** Ends all turns: no recipient is current any longer, so signing links stop working (assumed: A38). */
export const endTurns = (recipients: Recipient[]): Recipient[] =>
  recipients.map((recipient) =>
    recipient.is_current ? { ...recipient, is_current: false, token: null } : recipient,
  );

type RecipientsRead =
  | { ok: true; recipients: Recipient[] }
  | { ok: false; refusal?: Refusal; errors: FieldError[] };

/**
 * Reads the recipients of an update; positions become 0, 1, 2 … in the order of `index`. spec §4: the recipient with role
 * sender has the email of the requesting user.
 */
export function readRecipients(
  inputs: RecipientInput[],
  content: Content,
  user: CompanyUser,
  context: EditContext,
): RecipientsRead {
  const errors = [
    ...idErrors('recipients', inputs, content, context.takenIds),
    ...indexErrors('recipients', inputs),
    ...duplicateErrors(inputs),
  ];
  if (errors.length > 0) return { ok: false, errors };
  const stranger = inputs.find((input) => input.role === 'sender' && !sameEmail(input.email, user.email));
  if (stranger) {
    const error = { path: `recipients.${inputs.indexOf(stranger)}.email`, message: `must be ${user.email}` };
    return {
      ok: false,
      errors: [],
      refusal: refusal('sender_email_mismatch', { email: stranger.email, expected: user.email }, [error]),
    };
  }
  const ordered = [...inputs].sort((a, b) => a.index - b.index);
  const matches = matchRecipients(ordered, content.recipients);
  const recipients = ordered.map((input, index): Recipient => {
    const match = matches.get(input);
    const color = input.color ?? match?.color ?? colorAt(index);
    const named = { role: input.role, color, index, name: input.name, email: input.email };
    if (match) return { ...match, ...named, updated_at: context.now };
    return {
      ...named,
      id: input.id ?? context.newId(),
      token: null,
      submitted_at: null,
      opened_at: null,
      is_current: false,
      created_at: context.now,
      updated_at: context.now,
    };
  });
  return { ok: true, recipients };
}

/**
 * Finds the recipient of the draft for each of a request (A20): the one with its id; without an id the one with the same email
 * and role. Where two share a mailbox the name decides, and then the order.
 */
function matchRecipients(inputs: RecipientInput[], recipients: Recipient[]): Map<RecipientInput, Recipient> {
  const isMeant: Likeness<RecipientInput, Recipient> = (input, { role, email }) =>
    input.id === undefined && input.role === role && sameEmail(input.email, email);
  return pairUp(inputs, recipients, [
    (input, { id }) => input.id === id,
    (input, recipient) => isMeant(input, recipient) && input.name === recipient.name,
    isMeant,
  ]);
}

/**
 * Refuses recipients that cannot be distinguished (assumed: A45). Several may share a mailbox, as long as role or name differs.
 */
function duplicateErrors(inputs: RecipientInput[]): FieldError[] {
  return inputs.flatMap((input, position): FieldError[] => {
    const isTwice = inputs
      .slice(0, position)
      .some(
        ({ role, name, email }) =>
          role === input.role && name === input.name && sameEmail(email, input.email),
      );
    if (!isTwice) return [];
    const message = `"${input.email}" is given twice with the role ${input.role} and the name "${input.name}". Change the name or the role`;
    return [{ path: `recipients.${position}.email`, message }];
  });
}

export type Likeness<A, B> = (a: A, b: B) => boolean;

/** @param rules from the closest likeness to the loosest; each element is paired at most once */
export function pairUp<A, B>(ones: readonly A[], others: readonly B[], rules: Likeness<A, B>[]): Map<A, B> {
  const pairs = new Map<A, B>();
  const free = new Set(others);
  for (const isAlike of rules)
    for (const item of ones) {
      const other = pairs.has(item) ? undefined : [...free].find((candidate) => isAlike(item, candidate));
      if (other === undefined) continue;
      pairs.set(item, other);
      free.delete(other);
    }
  return pairs;
}
