// Makes the authorization link of spec §5, and reads the answer: from a redirect, or pasted by a person.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseUrl } from '../../../common/parse-url.ts';
import { cliError } from '../../command/errors.ts';

export type Authorization = {
  dashboardUrl: string;
  clientId: string;
  scopes: readonly string[];
  state: string;
  callback: URL;
  /** The service knows `redirect_uri` (assumed: A23). */
  sendsRedirectUri: boolean;
  /** The exchange of the code sends it; undefined where the service does not know PKCE. */
  verifier: string | undefined;
};

const SECRET_BYTES = 32;

/** assumed: A23. 256 random bits. */
export const newState = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** RFC 7636 §4.1: 256 random bits. It leaves this machine with the exchange only; the link has its hash. */
export const newVerifier = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Makes the link. Scopes are separated by %20, as spec §5 shows. The program adds `state` (assumed: A23). */
export function authorizationLink(authorization: Authorization): string {
  const { dashboardUrl, clientId, scopes, state, callback, sendsRedirectUri, verifier } = authorization;
  const query = [
    ['client_id', clientId],
    ['scopes', scopes.join(' ')],
    ['state', state],
    ...(sendsRedirectUri ? [['redirect_uri', callback.href]] : []),
    ...(verifier === undefined
      ? []
      : [
          ['code_challenge', createHash('sha256').update(verifier).digest('base64url')],
          ['code_challenge_method', 'S256'],
        ]),
  ];
  const text = query.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${dashboardUrl}/oauth/authorize?${text}`;
}

/** The redirect has these parameters. */
export type Returned = { code: string } | { error: string; description: string | undefined };

/**
 * What to do with an answer that lacks the `state` of this login. An attacker can make a browser open the
 * Callback URL with a code of theirs, which would link this machine to their account (RFC 6749 §10.12).
 * `refuse`: the service echoes `state`; `ask`: the person decides; `allow`: they have said so with a flag.
 */
export type MissingState = 'refuse' | 'ask' | 'allow';

/** `right`: it carried the state of this login. `typed`: a person copied the bare code, which has no state. */
export type Proof = 'right' | 'missing' | 'typed';

export type RedirectReading =
  | { kind: 'returned'; returned: Returned; proof: 'right' | 'missing' }
  | { kind: 'wrong_state' }
  | { kind: 'nothing'; why: string };

const CODE = /^[\x21-\x7e]{1,2048}$/;

/** Reads the parameters of the redirect. It refuses a parameter that is given twice, because it is unknown which value is meant. */
export function readReturned(query: URLSearchParams, state: string): RedirectReading {
  const values = (name: string) => query.getAll(name);
  if (['code', 'state', 'error'].some((name) => values(name).length > 1))
    return { kind: 'nothing', why: 'It contains a parameter twice.' };
  const [returnedState] = values('state');
  if (returnedState !== undefined && !isSame(returnedState, state)) return { kind: 'wrong_state' };
  const proof = returnedState === undefined ? 'missing' : 'right';
  const [error] = values('error');
  if (error !== undefined)
    return {
      kind: 'returned',
      returned: { error, description: query.get('error_description') ?? undefined },
      proof,
    };
  const [code = ''] = values('code');
  if (!CODE.test(code)) return { kind: 'nothing', why: 'It contains no code.' };
  return { kind: 'returned', returned: { code }, proof };
}

function isSame(returnedState: string, state: string): boolean {
  const [a, b] = [Buffer.from(returnedState), Buffer.from(state)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export type PasteOptions = { callback: URL; state: string; missingState: MissingState };

export type Pasted = { returned: Returned; proof: Proof };

export const stateMissing = () =>
  cliError('state_missing', {
    sentence:
      'The callback has no state parameter, so esign cannot tell whether it belongs to this login. It may be forged, to log this machine in to an account that is not yours.',
    hint: 'Open the printed link and consent again. If your service never returns the state, add --allow-missing-state.',
  });

/**
 * Reads a pasted answer: the address that the browser ended at, or the code alone.
 * @throws CliError with exit 2 for what is neither, belongs to another login, or lacks the state it must have
 */
export function readPasted(text: string, { callback, state, missingState }: PasteOptions): Pasted {
  const pasted = text.trim();
  if (CODE.test(pasted) && !/[:/?&=]/.test(pasted)) return { returned: { code: pasted }, proof: 'typed' };
  const url = parseUrl(pasted);
  const isCallback = url?.origin === callback.origin && url.pathname === callback.pathname;
  if (!url || !isCallback)
    throw cliError('callback_invalid', {
      sentence: 'This is neither a code nor the URL that the browser was sent back to.',
      hint: `Copy the whole URL. It begins with ${callback.origin}${callback.pathname} and contains code=.`,
    });
  const reading = readReturned(url.searchParams, state);
  if (reading.kind === 'returned') {
    const { returned, proof } = reading;
    if (proof === 'missing' && missingState === 'refuse') throw stateMissing();
    return { returned, proof };
  }
  throw reading.kind === 'wrong_state'
    ? cliError('state_wrong', {
        sentence: 'This URL belongs to another login.',
        hint: 'Open the link that was printed last, and copy the URL that the browser ends at.',
      })
    : cliError('callback_invalid', {
        sentence: `This URL does not complete a login. ${reading.why}`,
        hint: 'Copy the whole URL.',
      });
}
