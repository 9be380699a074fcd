// Reads the authorization link of spec §5, in the same way whether a page is shown or a form is sent, and decides where the browser goes after
// consent: only to a registered address, with the answer added to the parameters of that address.
import { LIMITS } from '../../../api/contract/limits.ts';
import { AUTHORIZATION_PARAMETERS, isCodeChallenge } from '../../../api/contract/oauth.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../../api/contract/operation.ts';
import { shortened } from '../../../api/contract/values.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import { CHALLENGE_METHOD } from '../../operations/oauth.ts';

export type AuthorizationLink = {
  client_id: string;
  scopes: Scope[];
  /** The state stays encoded, because it goes back byte for byte. */
  state: string | undefined;
  redirect_uri: string | undefined;
  code_challenge: string | undefined;
};

const NAMES = Object.keys(AUTHORIZATION_PARAMETERS);

/** @param search of the address, with its `?`; what is wrong with it is a sentence for the person who followed it */
export function readLink(search: string): { ok: true; link: AuthorizationLink } | { ok: false; why: string } {
  const parameters = new URLSearchParams(search);
  // RFC 6749 §3.1: no parameter more than once; two programs could take a different one each.
  const twice = NAMES.find((name) => parameters.getAll(name).length > 1);
  if (twice) return { ok: false, why: `The link contains more than one ${twice}.` };
  const client_id = parameters.get('client_id') ?? '';
  if (client_id === '')
    return { ok: false, why: 'The link does not name the application that requests access (client_id).' };
  const words = (parameters.get('scopes') ?? '').split(' ').filter(Boolean);
  if (words.length === 0)
    return { ok: false, why: 'The link does not name the permissions that are requested (scopes).' };
  const wrong = words.find((word) => !isScope(word));
  if (wrong !== undefined)
    return {
      ok: false,
      why: `“${shortened(wrong)}” is not a scope. The scopes are ${ALL_SCOPES.join(', ')}.`,
    };
  const state = rawValueOf(search, 'state');
  if (state !== undefined && state.length > LIMITS.stateLength)
    return {
      ok: false,
      why: `The state parameter of the link is longer than ${LIMITS.stateLength} characters.`,
    };
  const code_challenge = parameters.get('code_challenge') ?? undefined;
  const method = parameters.get('code_challenge_method') ?? undefined;
  if (code_challenge !== undefined && !isCodeChallenge(code_challenge))
    return {
      ok: false,
      why: 'The code_challenge of the link is not a SHA-256 in base64url, which has 43 characters.',
    };
  // RFC 7636 §4.3: a challenge without a method is the verifier itself.
  if (
    (code_challenge === undefined) !== (method === undefined) ||
    (method ?? CHALLENGE_METHOD) !== CHALLENGE_METHOD
  )
    return {
      ok: false,
      why: `A link with a code_challenge needs code_challenge_method=${CHALLENGE_METHOD}, the only method that is accepted.`,
    };
  return {
    ok: true,
    link: {
      code_challenge,
      client_id,
      scopes: ALL_SCOPES.filter((scope) => words.includes(scope)),
      state,
      redirect_uri: parameters.get('redirect_uri') ?? undefined,
    },
  };
}

/** Returns a value exactly as the URL contains it: decoding and encoding it again may give other bytes. */
function rawValueOf(search: string, name: string): string | undefined {
  const pair = search
    .slice(1)
    .split('&')
    .find((text) => new URLSearchParams(text.split('=')[0]).has(name));
  return pair === undefined ? undefined : pair.slice(pair.indexOf('=') + 1 || pair.length);
}

/** RFC 8252 §7.3: a program on the user's computer takes any free port. Names, `localhost` too, stay exact. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?=[/?]|$)/;

/**
 * assumed: A23. The addresses are compared as text, so that no two programs can read one address differently.
 * @param requested the extension `redirect_uri` of the link
 * @returns the address to go to, or undefined when it is not the registered one
 */
export function callbackOf(registered: string, requested: string | undefined): string | undefined {
  if (requested === undefined || requested === registered) return registered;
  const [ours, theirs] = [LOOPBACK.exec(registered), LOOPBACK.exec(requested)];
  if (!ours || !theirs || !parseUrl(requested)) return undefined;
  const withoutPort = (address: string, [start, port]: RegExpExecArray) =>
    (port === undefined ? start : start.slice(0, -port.length - 1)) + address.slice(start.length);
  return withoutPort(registered, ours) === withoutPort(requested, theirs) ? requested : undefined;
}

export type ConsentAnswer = { code: string } | { error: 'access_denied' };

/** @param state as it stood in the link, still encoded: it goes back byte for byte */
export function addressWith(callback: string, answer: ConsentAnswer, state: string | undefined): string {
  const url = new URL(callback);
  const [[name, value] = ['', '']] = Object.entries(answer);
  const echoed = state === undefined ? '' : `&state=${state}`;
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${name}=${encodeURIComponent(value)}${echoed}`;
  return url.href;
}
