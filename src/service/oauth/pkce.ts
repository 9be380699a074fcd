// Binds a code to the program that asked for it (RFC 7636): the link carries the hash of a random verifier, and only the program that has
// the verifier can exchange the code. The method `plain` is refused, because whoever sees the link could then exchange the code.
import { createHash } from 'node:crypto';
import { isSameSecret } from '../store/keys.ts';

export const CHALLENGE_METHOD = 'S256';

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/**
 * Checks the verifier of an exchange. A code and a verifier that do not belong together are refused in both directions: a verifier for a code
 * without a challenge means that somebody removed the challenge from the link (RFC 9700 §4.8.2).
 * @returns why the exchange is refused; undefined where it is not
 */
export function verifierRefusal(challenge: string | null, verifier: string | undefined): string | undefined {
  if (challenge === null)
    return verifier === undefined
      ? undefined
      : 'The authorization link of this code had no code_challenge, so a code_verifier is not accepted. Log in again.';
  if (verifier === undefined)
    return 'The authorization link of this code had a code_challenge. Send its code_verifier with the code.';
  return isSameSecret(challengeOf(verifier), challenge)
    ? undefined
    : 'The code_verifier does not match the code_challenge of the authorization link. Log in again.';
}
