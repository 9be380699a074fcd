// What a page says when a request for it failed, and when a browser asks again.
import type { Call } from '../../api/transport.ts';

export type PageFailure = {
  /** For whoever reports the problem. */
  requestId: string;
  /** The database does not answer. That passes, and another node may be able to answer at once. */
  isUnavailable: boolean;
};

const AGAIN_AFTER_S = 5;

/** Lets proxies ask another node, and browsers load the page again. A form is never sent again by itself. */
export const headersUntilAvailable = ({ method }: Call): Record<string, string> => ({
  'retry-after': String(AGAIN_AFTER_S),
  ...(method !== 'POST' && { refresh: String(AGAIN_AFTER_S) }),
});
