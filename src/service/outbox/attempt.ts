// Describes the result of one attempt to deliver something, over HTTP or SMTP, as it is recorded and shown.

export type AttemptResult = {
  ok: boolean;
  /** The status is that of HTTP or SMTP; null says that no answer came. */
  status: number | null;
  /** The reason why it failed is the end of a sentence: `it responded with HTTP status 500`. Null when it did not. */
  why: string | null;
  /** Only the beginning of the answer is kept, as text without controls, with at most 1,000 characters. */
  answer: string;
  /** The mail server is named as `smtp.example.com:587`, and absent where none was asked. */
  server?: string;
  durationMs: number;
  /** The receiver asked for this pause in Retry-After. At most a day counts. */
  retryAfterMs?: number;
  /** Nothing was sent and it counts as no attempt: it is due again after this time. */
  postponedMs?: number;
  /** Further attempts would fail as well: the answer was 410, or SMTP 5xx. */
  isFinal?: boolean;
};

export const failedAttempt = (
  why: string,
  more: Pick<AttemptResult, 'isFinal' | 'postponedMs'> = {},
): AttemptResult => ({
  ok: false,
  status: null,
  why,
  answer: '',
  durationMs: 0,
  ...more,
});

// --- Why there was no answer ---

/** Its message is a reason that people may read. */
export class NotDelivered extends Error {}

const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'was issued by a certificate authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'was issued by an unknown certificate authority, or an intermediate certificate is missing',
  UNABLE_TO_GET_ISSUER_CERT:
    'was issued by an unknown certificate authority, or an intermediate certificate is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'was issued by an unknown certificate authority, or an intermediate certificate is missing',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  UNSPECIFIED: 'is not trusted',
};

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused (ECONNREFUSED)',
  ETIMEDOUT: 'the connection timed out (ETIMEDOUT)',
  ENETUNREACH: 'the network of the host cannot be reached (ENETUNREACH)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ECONNRESET: 'the connection was closed before a response arrived',
  EPIPE: 'the connection was closed before a response arrived',
};

/** @returns the end of a sentence, with no more of a system error than its code */
export function failureReasonOf(error: unknown): string {
  if (error instanceof NotDelivered) return error.message;
  const { code = 'unknown' } = (error ?? {}) as { code?: string };
  const certificate = CERTIFICATE[code];
  if (certificate) return `its certificate ${certificate} (${code})`;
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return `TLS failed (${code})`;
  return CONNECTION[code] ?? `the connection failed (${code})`;
}
