// Says in words what kept an answer from coming: the connection, its time, a certificate, TLS, or an answer that cannot be read.
// Shared by remote.ts and fetch-transport.ts. Runs wherever `fetch` runs.
import { TIMEOUTS } from './timeouts.ts';
import { ConnectionError } from './transport.ts';

/** undici wraps the system's error; a host with several addresses wraps one per address. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (errors?.length) return reasonOf(errors[0]);
  return cause.cause === undefined ? 'unknown' : reasonOf(cause.cause);
}

const UNKNOWN_AUTHORITY = 'was issued by a certificate authority that this machine does not trust';

/** What is wrong with a certificate, by the names that OpenSSL and Node give to it. */
const CERTIFICATE_FAULTS: Record<string, string> = {
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, and this machine does not trust it',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet; the clock of this machine may be wrong',
  CERT_REVOKED: 'was revoked',
  CERT_UNTRUSTED: 'is not trusted',
  CERT_REJECTED: 'was rejected',
  CERT_SIGNATURE_FAILURE: 'has an invalid signature',
  CERT_CHAIN_TOO_LONG: 'has a certificate chain that is too long',
  INVALID_CA: 'was not issued by a certificate authority',
  INVALID_PURPOSE: 'is not intended for a server',
  HOSTNAME_MISMATCH: 'is for another host name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};

export const isAboutTls = (reason: string): boolean =>
  Object.hasOwn(CERTIFICATE_FAULTS, reason) || /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(reason);

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * What is known of a request that failed.
 * @property isUnsent the service cannot have seen it
 * @property isOver the caller does not wait any longer
 */
export type RequestFacts = { isUnsent: boolean; isOver: boolean };

/** Says what kept an answer from coming. @param cause the error of undici, or of `fetch` */
export function connectionErrorOf(cause: unknown, url: URL, { isUnsent, isOver }: RequestFacts): Error {
  if (cause instanceof ConnectionError) return cause;
  const isGarbled = isNamed(cause, 'HTTPParserError');
  const reason = isGarbled ? 'NOT_HTTP' : reasonOf(cause);
  const facts = { delivery: isUnsent ? ('not_sent' as const) : ('unknown' as const), reason, cause };
  const fault = Object.hasOwn(CERTIFICATE_FAULTS, reason) ? CERTIFICATE_FAULTS[reason] : undefined;
  if (fault !== undefined)
    return new ConnectionError(`The certificate of ${url.host} ${fault} (${reason}).`, {
      ...facts,
      kind: 'certificate',
      isWorthAnotherTry: false,
    });
  if (isAboutTls(reason))
    return new ConnectionError(`The TLS connection to ${url.host} could not be established (${reason}).`, {
      ...facts,
      kind: 'tls',
      isWorthAnotherTry: false,
    });
  if (isGarbled)
    return new ConnectionError(`The response of ${url.origin} is not HTTP.`, {
      ...facts,
      kind: 'answer_unreadable',
      isWorthAnotherTry: false,
    });
  return new ConnectionError(`${url.origin} did not respond (${reason}).`, {
    ...facts,
    ...(isOver && { isWorthAnotherTry: false }),
    ...(TIMEOUT_CODES.has(reason) && { kind: 'timeout' as const }),
  });
}

/** `fetch` wraps the errors of the connection below it. */
function isNamed(cause: unknown, name: string): boolean {
  return cause instanceof Error && (cause.name === name || isNamed(cause.cause, name));
}

export const tooLargeAnswer = (origin: string): ConnectionError =>
  new ConnectionError(
    `The response of ${origin} is larger than ${TIMEOUTS.answerBytes / 1024 / 1024} MiB. The rest was not read.`,
    { delivery: 'unknown', reason: 'TOO_LARGE', kind: 'answer_too_large', isWorthAnotherTry: false },
  );

export const endlessAnswer = (origin: string): ConnectionError =>
  new ConnectionError(`The response of ${origin} does not end. The rest was not read.`, {
    delivery: 'unknown',
    reason: 'ENDLESS',
    kind: 'timeout',
  });
