// Gets timestamps of an authority on the web (RFC 3161 over HTTP). Every answer is checked before it is used.
import { randomBytes } from 'node:crypto';
import { LIMITS } from '../../api/contract/limits.ts';
import { sendRequest } from '../../http/send-request.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import type { TimestampAuthority } from '../../pdf/sign/seal.ts';
import { wholeChain } from '../../pdf/sign/seal-chain.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import type { DigestName } from '../../pdf/sign/signing-key.ts';
import { readTimestampResponse, signerOfToken, writeTimestampRequest } from '../../pdf/sign/timestamp.ts';

export type WebAuthority = {
  url: string;
  digest: DigestName;
  policy: string | undefined;
  /**
   * They are certificates in DER. Where there are any, the certificate of a timestamp has to go back to one of them.
   */
  certificates: readonly Uint8Array[];
};

/** The `time` is in milliseconds since 1970. */
type WebTimestamp = { token: Uint8Array; time: number };

const NONCE_BYTES = 16;

export const webTimestamps = (authority: WebAuthority): TimestampAuthority => ({
  digest: authority.digest,
  certificates: authority.certificates,
  timestamp: async (imprint) => (await askForTimestamp(authority, imprint)).token,
});

/** @throws SealingUnavailable when there is no answer, or not one that counts */
export async function askForTimestamp(authority: WebAuthority, imprint: Uint8Array): Promise<WebTimestamp> {
  const { url, digest, policy } = authority;
  const nonce = Buffer.from(randomBytes(NONCE_BYTES));
  // A number whose first bit is set would be one byte longer on its way back.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const question = { digest, imprint, nonce, ...(policy !== undefined && { policy }) };
  const answer = await sendWebRequest({
    url,
    post: { type: 'application/timestamp-query', body: writeTimestampRequest(question) },
    maxBytes: LIMITS.timestampAnswerBytes,
    timeoutMs: LIMITS.authorityAnswerMs,
  });
  if (!answer.ok) throw unavailable(url, answer.why);
  const read = readTimestampResponse(answer.body, question);
  if (!read.ok) throw unavailable(url, read.why);
  assertTrusted(read.token, authority);
  return { token: read.token, time: read.time };
}

function assertTrusted(token: Uint8Array, { url, certificates }: WebAuthority): void {
  if (certificates.length === 0) return;
  const { signer, certificates: sent } = signerOfToken(token)!;
  const trusted = certificates.flatMap((der) => readCertificate(der) ?? []);
  const chain = wholeChain(signer, [...trusted, ...sent], 'the timestamp authority');
  if (!chain.some(({ der }) => trusted.some((certificate) => certificate.der.equals(der))))
    throw unavailable(url, 'its certificate was not issued by any certificate in sealing.tsa_certificates');
}

const unavailable = (url: string, why: string) =>
  new SealingUnavailable(
    'timestamps',
    `The timestamp authority ${url} gave no usable timestamp: ${why}.`,
    'Try again later, or set another timestamp authority (sealing.tsa).',
  );

// --- Requests ---

type WebResponse =
  | { ok: true; body: Buffer; type: string }
  /** The reason why there is none is the end of a sentence. */
  | { ok: false; why: string };

type WebRequest = {
  url: string;
  /** Without a body the method is GET. */
  post?: { type: string; body: Uint8Array };
  maxBytes: number;
  timeoutMs: number;
};

/** Sends one request to an authority on the web, with limits on time and size, and without following redirects. */
export async function sendWebRequest({ url, post, maxBytes, timeoutMs }: WebRequest): Promise<WebResponse> {
  const { status, headers, body, isTooLarge, error, isLate } = await sendRequest({
    url,
    method: post ? 'POST' : 'GET',
    headers: post ? { 'content-type': post.type, 'content-length': String(post.body.length) } : {},
    body: post?.body,
    timeoutMs,
    maxBytes: (received) => (received === OK ? maxBytes : 0),
  });
  const no = (why: string): WebResponse => ({ ok: false, why });
  if (status !== null && status !== OK) return no(`it responded with HTTP status ${status}`);
  if (isLate) return no(`it did not respond within ${timeoutMs / 1000} s`);
  if (error) return no(`it cannot be reached (${error.code ?? 'unknown'})`);
  if (isTooLarge) return no(`its response is larger than ${maxBytes} bytes`);
  return { ok: true, body, type: headers['content-type'] ?? '' };
}

const OK = 200;
