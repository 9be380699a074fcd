// The rules of Standard Webhooks that need no cryptography (assumed: A30): what a secret is, what is signed, and how recent a
// message must be. The signature itself is made by node:crypto in standard-webhooks.ts, and by Web Crypto in the published client.
import { concatBytes } from '../common/concat-bytes.ts';

/** Every secret begins with it, so that people and scanners recognise one. */
export const SECRET_PREFIX = 'whsec_';

/** A message that is older, or from further ahead, may be a recorded one that an attacker sends again. */
export const TOLERANCE_SECONDS = 300;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A signature covers the id and body, which are the same at each attempt, and the time of the attempt in seconds since 1970. */
export type SignedMessage = { id: string; timestamp: number; body: string | Uint8Array };

/** @returns the key in a secret, with its prefix or without; undefined where it holds none, so that no message is signed with an empty key */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** `id.timestamp.body` */
export const signedBytes = ({ id, timestamp, body }: SignedMessage): Uint8Array<ArrayBuffer> =>
  concatBytes([
    new TextEncoder().encode(`${id}.${timestamp}.`),
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  ]);

/** The header for which a message is refused before its signature is checked. */
export type HeaderFault = 'headers' | 'timestamp';

/**
 * Reads the three headers of a delivery.
 * @param headers by their names in lower case
 * @param nowSeconds since 1970
 */
export function readDeliveryHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  nowSeconds: number,
  toleranceSeconds: number,
): { ok: true; id: string; timestamp: number; signatures: string[] } | { ok: false; fault: HeaderFault } {
  const id = headers['webhook-id'] ?? '';
  const written = headers['webhook-timestamp'] ?? '';
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((text) => text !== '');
  if (id === '' || !/^\d{1,12}$/.test(written) || signatures.length === 0)
    return { ok: false, fault: 'headers' };
  const timestamp = Number(written);
  if (!(Math.abs(nowSeconds - timestamp) <= toleranceSeconds)) return { ok: false, fault: 'timestamp' };
  return { ok: true, id, timestamp, signatures };
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
