// Where the parts of a service are, for a program that knows the address of its API only (section B of docs/service.md). It is asked without a token.
export const ADDRESSES_PATH = '/.well-known/esign';

export type ServiceAddresses = {
  /** Where a user signs in and gives consent. */
  dashboard_url: string;
  /** Where recipients sign. */
  app_url: string;
};
