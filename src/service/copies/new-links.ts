// Makes new signing links for an imported sandbox whose export had none: one for each recipient who was invited, and one for each other letter.
import type { BulkRow } from '../../database/bulk.ts';
import { hashSecret } from '../store/keys.ts';

export type NewLinks = {
  /** The token that a recipient signs with, and that invitation and reminders lead to. */
  ofRecipient(recipientId: string, createdAt: string): string;
  /** @param mail the row of the letter */
  ofLetter(mail: BulkRow): string;
  /** The rows of all tokens that were made, in the order of the table. */
  rows(): BulkRow[];
};

/** Emails that lead to the page where the recipient signs, or has signed. */
const TO_SIGN: readonly unknown[] = ['invitation', 'reminder'];

export function createNewLinks(newToken: () => string): NewLinks {
  const tokens = new Map<string, string>();
  const made: BulkRow[] = [];
  const make = (recipient_id: string, created_at: string): string => {
    const token = newToken();
    made.push({ token_hash: hashSecret(token), recipient_id, created_at });
    return token;
  };
  const ofRecipient = (recipientId: string, createdAt: string): string => {
    const token = tokens.get(recipientId) ?? make(recipientId, createdAt);
    tokens.set(recipientId, token);
    return token;
  };
  return {
    ofRecipient,
    ofLetter({ kind, recipient_id, created }) {
      const link = TO_SIGN.includes(kind) ? ofRecipient : make;
      return link(`${recipient_id}`, `${created}`);
    },
    rows: () => made.toSorted((a, b) => (`${a.token_hash}` < `${b.token_hash}` ? -1 : 1)),
  };
}
