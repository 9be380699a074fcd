// Verifies the deliveries of webhooks and notifications by Web Crypto (Standard Webhooks, assumed: A30). It gives the same answers as
// api/standard-webhooks.ts, by the same rules. It never puts a secret into an error.
import { jsonOrUndefined } from '../api/codec.ts';
import { readReceived } from '../api/contract/lenient.ts';
import {
  equalInConstantTime,
  type HeaderFault,
  keyOf,
  readDeliveryHeaders,
  signedBytes,
  TOLERANCE_SECONDS,
} from '../api/webhook-message.ts';
import { isTooDeep } from '../common/json.ts';
import type { ServiceKind, WebhookEvent } from './contract.ts';
import { epochMs } from './edges.ts';
import { EsignError } from './errors.ts';
import { eventReader } from './operations.ts';

/** The headers of a request: those of `fetch`, or of `node:http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the time of the message may be from now, in seconds. Default: 300. */
  tolerance?: number | undefined;
  /** The time now, in milliseconds since 1970. Default: the clock of this machine. */
  now?: number | undefined;
};

/**
 * Verifies the signature and the time of a delivery, and returns its event.
 * @param body exactly as it was received: parsed and written again, it has another signature
 * @param secret that of the webhook, `whsec_…`; during a rotation, both
 * @throws {EsignError} `webhook_headers_invalid`, `webhook_timestamp_invalid`, `webhook_signature_invalid`, `webhook_secret_invalid`, `webhook_body_invalid`
 */
export async function verifyWebhook<S extends ServiceKind = 'esign'>(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent<S>> {
  const keys = keysOf(secret);
  const nowSeconds = Math.floor((options.now ?? epochMs()) / 1000);
  const read = readDeliveryHeaders(namedIn(headers), nowSeconds, options.tolerance ?? TOLERANCE_SECONDS);
  if (!read.ok) throw refused(FAULTS[read.fault]);
  const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
  const message = signedBytes({ id: read.id, timestamp: read.timestamp, body: bytes });
  const expected = await Promise.all(keys.map((key) => signatureBy(key, message)));
  const isSigned = read.signatures.some((signature) =>
    expected.some((valid) => equalInConstantTime(signature, valid)),
  );
  if (!isSigned) throw refused('webhook_signature_invalid');
  // The reader checks that the type is a text; the contract says which types there are.
  return eventIn(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)) as WebhookEvent<S>;
}

const FAULTS: Record<HeaderFault, keyof typeof MESSAGES> = {
  headers: 'webhook_headers_invalid',
  timestamp: 'webhook_timestamp_invalid',
};

const MESSAGES = {
  webhook_headers_invalid:
    'The request has no valid headers webhook-id, webhook-timestamp and webhook-signature.',
  webhook_timestamp_invalid:
    'The time of the message is too far from now. It may be a recorded one that is sent again, or a clock is wrong.',
  webhook_signature_invalid:
    'The signature is not valid for this body and secret. Pass the body exactly as it was received.',
  webhook_secret_invalid:
    'The secret of the webhook is missing or not valid. Pass the text that begins with whsec_.',
  webhook_body_invalid: 'The body is signed, but it is not an event.',
} as const;

const refused = (code: keyof typeof MESSAGES): EsignError => new EsignError(MESSAGES[code], { code });

/** A list with a secret that is not valid is refused as a whole: it comes from a setting that is wrong. */
function keysOf(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const keys = [secret].flat().map((text) => (typeof text === 'string' ? keyOf(text) : undefined));
  if (keys.length === 0) throw refused('webhook_secret_invalid');
  return keys.map((key) => {
    if (!key) throw refused('webhook_secret_invalid');
    return key;
  });
}

async function signatureBy(key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/** Returns headers by their names in lower case. A header that came several times cannot be trusted and is absent. */
function namedIn(headers: WebhookHeaders): Record<string, string | undefined> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? value : undefined]),
  );
}

function eventIn(text: string): unknown {
  const read = isTooDeep(text) ? undefined : readReceived(eventReader, jsonOrUndefined(text));
  if (!read?.ok) throw refused('webhook_body_invalid');
  return read.value;
}
