// How a recipient got their signing link: by the email of the service, or from the dashboard. The token alone does not tell, because the
// programs of the sender can read it as well (A38). So these links have a mark, which only this service can make, for one token and one way.
// The mark gives no right; without it, or with a wrong one, nothing is known.
import { hashSecret, isSameSecret, type Keys } from './store/keys.ts';

/** `user_id`: who was signed in to the dashboard when it showed the link. */
export type LinkOrigin = { by: 'email' } | { by: 'dashboard'; user_id: string };

const textOf = (origin: LinkOrigin): string =>
  origin.by === 'email' ? 'email' : `dashboard.${origin.user_id}`;

/** Of 132 bits. */
const PROOF_CHARACTERS = 22;

const proofOf = (keys: Pick<Keys, 'derive'>, token: string, text: string): string =>
  keys.derive(`signing link by ${text} of ${hashSecret(token)}`).slice(0, PROOF_CHARACTERS);

/** The value of the query parameter `by` of a signing link. */
export const markOf = (keys: Pick<Keys, 'derive'>, token: string, origin: LinkOrigin): string => {
  const text = textOf(origin);
  return `${text}.${proofOf(keys, token, text)}`;
};

const MARK = /^(email|dashboard\.([\w-]{1,64}))\.([\w-]{22})$/;

/** Undefined for what this service did not make for this token. */
export function readMark(
  keys: Pick<Keys, 'derive'>,
  token: string,
  mark: string | undefined,
): LinkOrigin | undefined {
  const [, text = '', user_id, proof = ''] = MARK.exec(mark ?? '') ?? [];
  if (text === '' || !isSameSecret(proof, proofOf(keys, token, text))) return undefined;
  return user_id === undefined ? { by: 'email' } : { by: 'dashboard', user_id };
}
