// Says why a request to S3 failed and what to do, by the status and the code of the answer or the code of the system. No key is named, and
// no text of the server is repeated but its code.
import { UnavailableError } from '../../database/failure.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import { StoreError } from '../store/state/folder.ts';

/** The keys of a server of S3 may be written anew while the service runs. */
export type S3Keys = {
  accessKeyId: string;
  /** The key is a secret, as the token is, and must not be printed. */
  secretAccessKey: string;
  sessionToken: string | undefined;
};

export type S3Access = {
  /** The URL of the server; undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Whether the bucket is in the path of each URL instead of its host name. */
  isPathStyle: boolean;
  /** Reads the keys again; undefined where they cannot change. */
  readKeys?: (() => Promise<S3Keys>) | undefined;
} & S3Keys;

type Failed = Partial<HttpResponse>;

type Asked = { location: string; access: S3Access };

/** Codes of answers after which the same request may succeed (S3, "Error responses"). */
const TEMPORARY = ['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted'];

/** Codes of answers about keys, which are refused now (S3, "Error responses"). */
const KEYS_REFUSED = [
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
];

export const isAboutKeys = ({ status, body }: Failed): boolean =>
  status != null && status >= 400 && status < 500 && KEYS_REFUSED.includes(codeIn(body));

/** Codes of connections that were never made: the address is wrong, or nothing serves it. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
};

const isTlsCode = (code: string): boolean =>
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code);

export function isTemporary({ status, body, error, isLate }: Failed): boolean {
  if (isLate) return true;
  if (error) return !isTlsCode(codeOf(error));
  return status == null || status >= 500 || status === 429 || TEMPORARY.includes(codeIn(body));
}

/** @returns the error of a request that is not sent again */
export function explainFailure(failed: Failed, { location, access }: Asked): Error {
  const server = access.endpoint ?? `https://s3.${access.region}.amazonaws.com`;
  const { status, body, error, headers } = failed;
  if (error || failed.isLate || status == null) return explainConnection(failed, server);
  const code = codeIn(body);
  const bucket = new URL(location).hostname;
  if (code === 'NoSuchBucket' || (status === 404 && code === ''))
    return unusable(
      `The bucket "${bucket}" does not exist at ${server}.`,
      'Check --blobs and --s3-endpoint, or make the bucket.',
    );
  const region = regionIn(body, headers);
  if (isOtherRegion(status, code))
    return unusable(
      `The bucket "${bucket}" is not in the region ${access.region}${region === undefined ? '' : `, but in ${region}`}.`,
      `Set --s3-region${region === undefined ? ' to the region of the bucket' : ` to ${region}`}. For a server other than Amazon's, check --s3-endpoint and --s3-path-style as well.`,
    );
  if (code === 'RequestTimeTooSkewed')
    return unusable(
      'The server of the bucket refuses the time of this machine.',
      'Synchronize the clock of this machine.',
    );
  if (status === 401 || status === 403 || isAboutKeys(failed))
    return unusable(
      `The server of the bucket "${bucket}" refuses the keys, or they may not do this (${code || status}).`,
      'Check ESIGN_SERVE_S3_ACCESS_KEY_ID and ESIGN_SERVE_S3_SECRET_ACCESS_KEY. They need to read, write and delete objects of the bucket.',
    );
  if (status >= 500 || status === 429) return unavailable(`its server answers ${code || status}`);
  return unusable(
    `The bucket "${bucket}" at ${server} cannot be used: it answers ${status}${code && ` (${code})`}.`,
    'Check --blobs, --s3-endpoint, --s3-region and --s3-path-style.',
  );
}

const isOtherRegion = (status: number, code: string): boolean =>
  [301, 307].includes(status) ||
  ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'].includes(code);

function explainConnection({ error, isLate }: Failed, server: string): Error {
  const code = error ? codeOf(error) : '';
  if (isTlsCode(code))
    return unusable(
      `The certificate of ${server} cannot be verified, or it does not serve TLS (${code}).`,
      'Check --s3-endpoint. An authority of your own is trusted with ESIGN_CA_CERT.',
    );
  return unavailable(
    `${server} cannot be reached: ${isLate ? 'it does not respond in time' : (UNREACHED[code] ?? 'the connection broke')}`,
  );
}

const unusable = (message: string, hint: string): StoreError =>
  new StoreError('blobs_unusable', message, hint);

/** Clients of the service get the general reason, and the owner of the machine the message. */
const unavailable = (why: string): UnavailableError =>
  new UnavailableError(
    { kind: 'unavailable', why: 'the storage of files does not respond' },
    { message: `The bucket cannot be used now: ${why}.` },
  );

const codeOf = (error: Error & { code?: string }): string => error.code ?? '';

/** The `<Code>` of an error; empty where there is none. Only letters, so that it can be printed. */
const codeIn = (body: Uint8Array | undefined): string =>
  /<Code>([A-Za-z]{1,64})<\/Code>/.exec(textOf(body))?.[1] ?? '';

const textOf = (body: Uint8Array | undefined): string => new TextDecoder().decode(body ?? new Uint8Array());

function regionIn(
  body: Uint8Array | undefined,
  headers: HttpResponse['headers'] | undefined,
): string | undefined {
  const named = headers?.['x-amz-bucket-region'] ?? /<Region>([^<]*)<\/Region>/.exec(textOf(body))?.[1];
  return typeof named === 'string' && /^[a-z0-9-]{1,64}$/.test(named) ? named : undefined;
}
