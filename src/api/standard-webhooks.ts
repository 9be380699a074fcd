// Signs and verifies events as Standard Webhooks describes (assumed: A30), by node:crypto. Sender and forwarder share this one
// implementation. Pure; must never store or print a secret.
import { createHmac } from 'node:crypto';
import {
  equalInConstantTime,
  keyOf,
  readDeliveryHeaders,
  SECRET_PREFIX,
  type SignedMessage,
  signedBytes,
  TOLERANCE_SECONDS,
} from './webhook-message.ts';

/** A secret of fewer bytes is guessed too easily, a longer one gains nothing. */
const SECRET_BYTES = { min: 24, max: 64 } as const;

/**
 * `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. Several are written with a space between them.
 * @throws TypeError for a secret without a key
 */
export function signatureOf(secret: string, message: SignedMessage): string {
  const key = keyOf(secret);
  if (!key) throw new TypeError('A secret has to contain a key in base64.');
  return `v1,${createHmac('sha256', key).update(signedBytes(message)).digest('base64')}`;
}

/** The three headers of a delivery. During a rotation two secrets sign. */
export function signedHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, message)).join(' '),
  };
}

/** `whsec_` and 24 to 64 bytes in base64. */
export function isSecret(text: string): boolean {
  const length = text.startsWith(SECRET_PREFIX) ? (keyOf(text)?.length ?? 0) : 0;
  return length >= SECRET_BYTES.min && length <= SECRET_BYTES.max;
}

/** @param bytes from a source of randomness, or derived from a secret */
export const secretOf = (bytes: Uint8Array): string =>
  `${SECRET_PREFIX}${Buffer.from(bytes).toString('base64')}`;

/**
 * True if one of the signatures in the headers is right and recent. No signature is right for a secret without a key.
 * @param headers by their names in lower case
 * @param nowSeconds since 1970
 */
export function verifySignature(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  nowSeconds: number,
): boolean {
  const read = readDeliveryHeaders(headers, nowSeconds, TOLERANCE_SECONDS);
  if (!read.ok || !keyOf(secret)) return false;
  const expected = signatureOf(secret, { id: read.id, timestamp: read.timestamp, body });
  return read.signatures.some((signature) => equalInConstantTime(signature, expected));
}
