// Decides where a user continues after signing in: at the page that required it, and never at another site.
import { parseUrl } from '../../api/contract/parse-url.ts';
import type { Reply } from '../../api/transport.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { PAGES_OF_ONE } from './paths.ts';

/** Pages that one has to be signed in for. */
const RETURN_PATHS = new Set([
  '/applications',
  '/applications/delete',
  '/applications/rotate',
  '/consents',
  '/transactions',
  '/templates',
  '/webhooks',
  '/webhooks/new',
  '/mailbox',
  '/oauth/authorize',
]);

const isReturnPath = (path: string): boolean =>
  RETURN_PATHS.has(path) || PAGES_OF_ONE.some((pages) => pages.test(path));

/** Only a path of ours that is on the list comes through; what is sent is built anew from its parts. */
export function returnPathOf(request: PageRequest): string | undefined {
  const next = request.url.searchParams.get('next');
  const url = next?.startsWith('/') ? parseUrl(next, request.origin) : undefined;
  if (!url) return undefined;
  const { origin, pathname, search } = url;
  return origin === request.origin && isReturnPath(pathname) ? pathname + search : undefined;
}

const withReturnPath = (path: string, returnPath: string | undefined): string =>
  returnPath === undefined ? path : `${path}?${new URLSearchParams({ next: returnPath })}`;

/** `/register`, or another page in between, which leads to the same place afterwards. */
export const withReturnTo = (request: PageRequest, path: '/sign-in' | '/register'): string =>
  withReturnPath(path, returnPathOf(request));

/** To the page where one signs in, and back here afterwards. */
export const redirectToSignIn = ({ url }: PageRequest): Reply =>
  sendTo(withReturnPath('/sign-in', url.pathname + url.search));
