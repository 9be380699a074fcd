// Reads the authorization link of spec §5, in the same way whether a page is shown or a form is sent.
import { LIMITS } from '../../api/contract/limits.ts';
import { AUTHORIZATION_PARAMETERS, isCodeChallenge } from '../../api/contract/oauth.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../api/contract/scopes.ts';
import { shortened } from '../../api/contract/values.ts';
import { CHALLENGE_METHOD } from './pkce.ts';

export type AuthorizationLink = {
  client_id: string;
  scopes: Scope[];
  /** Still encoded. */
  state: string | undefined;
  redirect_uri: string | undefined;
  code_challenge: string | undefined;
};

const NAMES = Object.keys(AUTHORIZATION_PARAMETERS);

/** @param search of the address, with its `?`; what is wrong with it is a sentence for the person who followed it */
export function readLink(search: string): { ok: true; link: AuthorizationLink } | { ok: false; why: string } {
  const given = new URLSearchParams(search);
  // RFC 6749 §3.1: no parameter more than once; two programs could take a different one each.
  const twice = NAMES.find((name) => given.getAll(name).length > 1);
  if (twice) return { ok: false, why: `The link contains more than one ${twice}.` };
  const client_id = given.get('client_id') ?? '';
  if (client_id === '')
    return { ok: false, why: 'The link does not name the application that requests access (client_id).' };
  const words = (given.get('scopes') ?? '').split(' ').filter(Boolean);
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
  const code_challenge = given.get('code_challenge') ?? undefined;
  const method = given.get('code_challenge_method') ?? undefined;
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
      redirect_uri: given.get('redirect_uri') ?? undefined,
    },
  };
}

/** A value exactly as the URL contains it: decoding and encoding it again may give other bytes. */
function rawValueOf(search: string, name: string): string | undefined {
  const pair = search
    .slice(1)
    .split('&')
    .find((one) => new URLSearchParams(one.split('=')[0]).has(name));
  return pair === undefined ? undefined : pair.slice(pair.indexOf('=') + 1 || pair.length);
}
