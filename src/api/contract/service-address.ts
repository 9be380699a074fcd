// Decides which URL may be the address of a service: https or this machine, because an access token is sent there. Then the answer in which a
// service names its other addresses.
import { parseUrl } from '../../common/parse-url.ts';

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The way out of an address that is refused. */
export const SERVICE_ADDRESS_HINT =
  'Use https://HOST[/PATH]. For this machine (127.0.0.1, [::1], localhost), http:// is accepted too.';

/** @returns the address without a slash at its end; undefined where it is none */
export function parseServiceAddress(text: string): string | undefined {
  const url = parseUrl(text);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return undefined;
  return text.replace(/\/+$/, '');
}

/** The path of the other addresses, for a program that knows only that of the API (section B of docs/service.md). It needs no token. */
export const ADDRESSES_PATH = '/.well-known/esign';

export type ServiceAddresses = {
  /** A user signs in and gives consent there. */
  dashboard_url: string;
  /** Recipients sign there. */
  app_url: string;
  /** Abilities beyond the specification, for the profile of a login. A program ignores those that it does not know. */
  extensions: readonly ServiceExtension[];
  /** The application whose ID the request has as `client_id`; absent where there is none. A public one has no secret. */
  application?: { is_public: boolean };
};

/**
 * In this order: keys of repeated requests; values of fields by the sender; statements about a file before its upload; recipients with IDs of the
 * client; codes that only the program can exchange that requested them (RFC 7636), together with applications without a secret.
 */
export const SERVICE_EXTENSIONS = [
  'idempotency',
  'field_values',
  'preparations',
  'recipient_ids',
  'pkce',
] as const;

export type ServiceExtension = (typeof SERVICE_EXTENSIONS)[number];
