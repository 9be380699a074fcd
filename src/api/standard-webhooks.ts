// Signs and verifies events as Standard Webhooks describes (assumed: A30). Sender and forwarder share this one implementation.
// Pure; must never store or print a secret.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What stands before every secret, so that people and scanners recognise one. */
const PREFIX = 'whsec_';

/** A secret of fewer bytes is guessed too easily, a longer one gains nothing. */
const SECRET_BYTES = { min: 24, max: 64 } as const;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What is signed: the same id and body at each attempt, and the time of the attempt in seconds since 1970. */
export type SignedMessage = { id: string; timestamp: number; body: string | Uint8Array };

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. Several are written with a space between them. */
export function signatureOf(secret: string, { id, timestamp, body }: SignedMessage): string {
  const digest = createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  return `v1,${digest}`;
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
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  if (!BASE64.test(encoded)) return false;
  const { length } = Buffer.from(encoded, 'base64');
  return length >= SECRET_BYTES.min && length <= SECRET_BYTES.max;
}

/** @param bytes from a source of randomness, or derived from a secret */
export const secretOf = (bytes: Uint8Array): string => `${PREFIX}${Buffer.from(bytes).toString('base64')}`;

/** A message that is older, or from further ahead, may be a recorded one that an attacker sends again. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether one of the signatures in the headers is right, and recent.
 * @param headers by their names in lower case
 * @param nowSeconds since 1970
 */
export function verifySignature(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  nowSeconds: number,
): boolean {
  const id = headers['webhook-id'] ?? '';
  const timestamp = /^\d{1,12}$/.test(headers['webhook-timestamp'] ?? '')
    ? Number(headers['webhook-timestamp'])
    : Number.NaN;
  if (id === '' || !(Math.abs(nowSeconds - timestamp) <= TOLERANCE_SECONDS)) return false;
  const expected = Buffer.from(signatureOf(secret, { id, timestamp, body }));
  return (headers['webhook-signature'] ?? '').split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
