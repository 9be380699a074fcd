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

/**
 * What is done with an answer that comes back without the `state` of this login. Anybody can make a browser open the
 * Callback URL with a code of their own, which would link this machine to their account (RFC 6749 §10.12).
 * `refuse`: the service echoes `state`; `ask`: the person decides; `allow`: they have said so with a flag.
 */
export type MissingState = 'refuse' | 'ask' | 'allow';

/** `right`: it carried the state of this login. `typed`: a person copied the bare code, which has no state. */
export type Proof = 'right' | 'missing' | 'typed';

export type Reading =
  | { kind: 'returned'; returned: Returned; proof: 'right' | 'missing' }
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
  const proof = given === undefined ? 'missing' : 'right';
  const [error] = values('error');
  if (error !== undefined)
    return {
      kind: 'returned',
      returned: { error, description: query.get('error_description') ?? undefined },
      proof,
    };
  const [code = ''] = values('code');
  if (!CODE.test(code)) return { kind: 'nothing', why: 'It holds no code.' };
  return { kind: 'returned', returned: { code }, proof };
}

function isSame(given: string, state: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(state)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export type PasteOptions = { callback: URL; state: string; missingState: MissingState };

export type Pasted = { returned: Returned; proof: Proof };

export const stateMissing = () =>
  usageError(
    'state_missing',
    'This answer does not carry the state of this login, so it may belong to somebody else: another page could have made the browser open this address, to link this machine to an account that is not yours.',
    'Follow the link that was printed and consent again. If your service never sends back the state, say --allow-missing-state.',
  );

/**
 * The address a browser was sent back to, or the code alone.
 * @throws CliError with exit 2 for what is neither, belongs to another login, or lacks the state it must have
 */
export function readPasted(text: string, { callback, state, missingState }: PasteOptions): Pasted {
  const pasted = text.trim();
  if (CODE.test(pasted) && !/[:/?&=]/.test(pasted)) return { returned: { code: pasted }, proof: 'typed' };
  const url = URL.canParse(pasted) ? new URL(pasted) : undefined;
  const isCallback = url?.origin === callback.origin && url.pathname === callback.pathname;
  if (!url || !isCallback)
    throw usageError(
      'callback_invalid',
      'This is neither a code nor the address the browser was sent back to.',
      `Copy the whole address: it begins with ${callback.origin}${callback.pathname} and holds code=.`,
    );
  const reading = readReturned(url.searchParams, state);
  if (reading.kind === 'returned') {
    const { returned, proof } = reading;
    if (proof === 'missing' && missingState === 'refuse') throw stateMissing();
    return { returned, proof };
  }
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
