// Where the parts of a service are, for a program that knows the address of its API only (section B of docs/service.md). It is asked without a token.
export const ADDRESSES_PATH = '/.well-known/esign';

export type ServiceAddresses = {
  /** Where a user signs in and gives consent. */
  dashboard_url: string;
  /** Where recipients sign. */
  app_url: string;
  /** What the service can do beyond its specification, for the profile of a login. Those that a program does not know are to be ignored. */
  extensions: readonly ServiceExtension[];
  /** The application whose ID the request has as `client_id`; absent where there is none. A public one has no secret. */
  application?: { is_public: boolean };
};

/**
 * Keys of repeated requests; values of fields by the sender; what was done to a file before its upload; recipients with IDs of the client; codes
 * that only the program can exchange that asked for them (RFC 7636), and applications without a secret.
 */
export const SERVICE_EXTENSIONS = [
  'idempotency',
  'field_values',
  'preparations',
  'recipient_ids',
  'pkce',
] as const;

export type ServiceExtension = (typeof SERVICE_EXTENSIONS)[number];
