// Where somebody goes on once they are signed in: at the page that sent them, and never at another site.
import type { Reply } from '../../api/transport.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { TRANSACTION_PAGE } from './paths.ts';

/** Pages that one has to be signed in for. */
const RETURN_PATHS = new Set([
  '/applications',
  '/applications/delete',
  '/consents',
  '/transactions',
  '/oauth/authorize',
]);

const isReturnPath = (path: string): boolean => RETURN_PATHS.has(path) || TRANSACTION_PAGE.test(path);

/** Only a path of ours that is on the list comes through; what is sent is built anew from its parts. */
export function returnPathOf(request: PageRequest): string | undefined {
  const next = request.url.searchParams.get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, request.origin)) return undefined;
  const { origin, pathname, search } = new URL(next, request.origin);
  return origin === request.origin && isReturnPath(pathname) ? pathname + search : undefined;
}

const withReturnPath = (path: string, returnPath: string | undefined): string =>
  returnPath === undefined ? path : `${path}?${new URLSearchParams({ next: returnPath })}`;

/** `/register`, or another page on the way, that goes on to the same place. */
export const onTheWay = (request: PageRequest, path: '/sign-in' | '/register'): string =>
  withReturnPath(path, returnPathOf(request));

/** To the page where one signs in, and back here afterwards. */
export const signInFirst = ({ url }: PageRequest): Reply =>
  sendTo(withReturnPath('/sign-in', url.pathname + url.search));
