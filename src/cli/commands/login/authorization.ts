// The authorization link of spec §5, and what comes back from it: as a redirect, or pasted by a person.
import { timingSafeEqual } from 'node:crypto';
import { usageError } from '../../command/errors.ts';

export type Authorization = {
  dashboardUrl: string;
  clientId: string;
  scopes: readonly string[];
  state: string;
  callback: URL;
  /** The service knows `redirect_uri` (assumed: A23). */
  sendsRedirectUri: boolean;
};

/** Scopes are separated by %20, as spec §5 shows. `state` is ours (assumed: A23). */
export function authorizationLink(authorization: Authorization): string {
  const { dashboardUrl, clientId, scopes, state, callback, sendsRedirectUri } = authorization;
  const query = [
    ['client_id', clientId],
    ['scopes', scopes.join(' ')],
    ['state', state],
    ...(sendsRedirectUri ? [['redirect_uri', callback.href]] : []),
  ];
  const text = query.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${dashboardUrl}/oauth/authorize?${text}`;
}

/** What the service sent the browser back with. */
export type Returned = { code: string } | { error: string; description: string | undefined };

export type Reading =
  | { kind: 'returned'; returned: Returned; state: 'right' | 'missing' }
  | { kind: 'wrong_state' }
  | { kind: 'nothing'; why: string };

const CODE = /^[\x21-\x7e]{1,2048}$/;

/** A parameter that stands there twice is nothing: which of them is meant is anybody's guess. */
export function readReturned(query: URLSearchParams, state: string): Reading {
  const values = (name: string) => query.getAll(name);
  if (['code', 'state', 'error'].some((name) => values(name).length > 1))
    return { kind: 'nothing', why: 'It names something twice.' };
  const [given] = values('state');
  if (given !== undefined && !isSame(given, state)) return { kind: 'wrong_state' };
  const seen = given === undefined ? 'missing' : 'right';
  const [error] = values('error');
  if (error !== undefined)
    return {
      kind: 'returned',
      returned: { error, description: query.get('error_description') ?? undefined },
      state: seen,
    };
  const [code = ''] = values('code');
  if (!CODE.test(code)) return { kind: 'nothing', why: 'It holds no code.' };
  return { kind: 'returned', returned: { code }, state: seen };
}

function isSame(given: string, state: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(state)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The address a browser was sent back to, or the code alone.
 * @throws CliError with exit 2 for what is neither, or belongs to another login
 */
export function readPasted(text: string, { callback, state }: { callback: URL; state: string }): Returned {
  const pasted = text.trim();
  if (CODE.test(pasted) && !/[:/?&=]/.test(pasted)) return { code: pasted };
  const url = URL.canParse(pasted) ? new URL(pasted) : undefined;
  const isCallback = url?.origin === callback.origin && url.pathname === callback.pathname;
  if (!url || !isCallback)
    throw usageError(
      'callback_invalid',
      'This is neither a code nor the address the browser was sent back to.',
      `Copy the whole address: it begins with ${callback.origin}${callback.pathname} and holds code=.`,
    );
  const reading = readReturned(url.searchParams, state);
  if (reading.kind === 'returned') return reading.returned;
  throw reading.kind === 'wrong_state'
    ? usageError(
        'state_wrong',
        'This address belongs to another login.',
        'Follow the link that was printed last, and copy the address it ends at.',
      )
    : usageError(
        'callback_invalid',
        `This address does not finish a login. ${reading.why}`,
        'Copy the whole address.',
      );
}
