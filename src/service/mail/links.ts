// Makes the addresses of pages that people receive. A signing link says how the recipient got it: by the email of the
// service, from its mailbox, which shows the email to others as well, or from the dashboard. The token alone does not tell,
// because the programs of the sender can read it as well (A38). So these links have a mark, which only this service can
// make, for one token and one way. The mark gives no right; without it, or with a wrong one, nothing is known.
import { hashSecret, isSameSecret, type Keys } from '../store/keys.ts';

/**
 * Makes a signing link. The specification (§4, Start) puts it under {app_url}, with the token in the query.
 * @param mark says how the recipient gets this link
 */
export const signingUrl = (origin: string, token: string | null, mark?: string): string =>
  `${origin}/sign?token=${token}${mark === undefined ? '' : `&by=${mark}`}`;

export const transactionUrl = (origin: string, id: string): string => `${origin}/transactions/${id}`;

/** Makes a link that signs in to the dashboard once. The token is in the query, which is never logged. */
export const signInUrl = (origin: string, token: string): string =>
  `${origin}/sign-in/link?${new URLSearchParams({ token })}`;

/**
 * `user_id` names the user who was signed in to the dashboard when it showed the link. A program of the sandbox reads the
 * mailbox without signing in.
 */
export type LinkOrigin =
  | { by: 'email' }
  | { by: 'mailbox'; user_id?: string | undefined }
  | { by: 'dashboard'; user_id: string };

const textOf = (origin: LinkOrigin): string =>
  origin.by === 'email' || origin.user_id === undefined ? origin.by : `${origin.by}.${origin.user_id}`;

/** So many characters have 132 bits. */
const PROOF_CHARACTERS = 22;

const proofOf = (keys: Pick<Keys, 'derive'>, token: string, text: string): string =>
  keys.derive(`signing link by ${text} of ${hashSecret(token)}`).slice(0, PROOF_CHARACTERS);

/** @returns the value of the query parameter `by` of a signing link */
export const markOf = (keys: Pick<Keys, 'derive'>, token: string, origin: LinkOrigin): string => {
  const text = textOf(origin);
  return `${text}.${proofOf(keys, token, text)}`;
};

/** The service makes no mark of an email with a user, and none of the dashboard without one, so that their proofs are wrong. */
const MARK = /^((email|mailbox|dashboard)(?:\.([\w-]{1,64}))?)\.([\w-]{22})$/;

/** @returns undefined for what this service did not make for this token */
export function readMark(
  keys: Pick<Keys, 'derive'>,
  token: string,
  mark: string | undefined,
): LinkOrigin | undefined {
  const [, text = '', by, user_id, proof = ''] = MARK.exec(mark ?? '') ?? [];
  if (text === '' || !isSameSecret(proof, proofOf(keys, token, text))) return undefined;
  return { by, user_id } as LinkOrigin;
}
