// Where somebody goes on once they are signed in: at the page that sent them, and never at another site.
import type { Reply } from '../../api/transport.ts';
import { sendTo } from './replies.ts';
import type { Visit } from './visit.ts';

/** Pages that one has to be signed in for. */
const GOALS = new Set(['/applications', '/applications/delete', '/consents', '/oauth/authorize']);

/** Only a path of ours that is on the list comes through; what is sent is built anew from its parts. */
export function goalOf(visit: Visit): string | undefined {
  const next = visit.url.searchParams.get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, visit.origin)) return undefined;
  const { origin, pathname, search } = new URL(next, visit.origin);
  return origin === visit.origin && GOALS.has(pathname) ? pathname + search : undefined;
}

const withGoal = (path: string, goal: string | undefined): string =>
  goal === undefined ? path : `${path}?${new URLSearchParams({ next: goal })}`;

/** `/register`, or another page on the way, that goes on to the same place. */
export const onTheWay = (visit: Visit, path: '/sign-in' | '/register'): string =>
  withGoal(path, goalOf(visit));

/** To the page where one signs in, and back here afterwards. */
export const signInFirst = ({ url }: Visit): Reply => sendTo(withGoal('/sign-in', url.pathname + url.search));
