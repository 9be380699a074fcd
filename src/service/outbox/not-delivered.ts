// Describes why an attempt failed before there was an answer, as the end of a sentence. Never shows more of a system error than
// its code.

/** A reason that people may read. */
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

export function failureReasonOf(error: unknown): string {
  if (error instanceof NotDelivered) return error.message;
  const { code = 'unknown' } = (error ?? {}) as { code?: string };
  const certificate = CERTIFICATE[code];
  if (certificate) return `its certificate ${certificate} (${code})`;
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return `TLS failed (${code})`;
  return CONNECTION[code] ?? `the connection failed (${code})`;
}
