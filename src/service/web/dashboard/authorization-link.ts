// Reads the authorization link of spec §5, in the same way whether a page is shown or a form is sent, and decides where the browser goes after
// consent: only to a registered address, with the answer added to the parameters of that address.
import { LIMITS } from '../../../api/contract/limits.ts';
import {
  AUTHORIZATION_PARAMETERS,
  describeError,
  isCodeChallenge,
  isMcpResource,
  mcpResourceOf,
  STRICT_RULES,
} from '../../../api/contract/oauth.ts';
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
  /** It came by OAuth 2.1. */
  isStrict: boolean;
  /** The application is told instead of the user being asked. Only a strict link has it. */
  error: AuthorizationError | undefined;
};

/** What an application is told about its link (RFC 6749 §4.1.2.1, RFC 8707 §2). */
export type AuthorizationError = {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  error_description: string;
};

const NAMES = Object.keys(AUTHORIZATION_PARAMETERS);

/** Who gets an answer, and which one, has to be certain before an application is told anything. */
const NAMES_OF_ANSWER = ['client_id', 'redirect_uri', 'state', STRICT_RULES.name];

/**
 * @param search of the address, with its `?`; what is wrong with it is a sentence for the person who followed it
 * @param origin of the service
 */
export function readLink(
  search: string,
  origin: string,
): { ok: true; link: AuthorizationLink } | { ok: false; why: string } {
  const parameters = new URLSearchParams(search);
  const isStrict = parameters.getAll(STRICT_RULES.name).includes(STRICT_RULES.value);
  // RFC 6749 §3.1: no parameter more than once; two programs could take a different one each.
  const twice = repeatedName(parameters, isStrict ? NAMES_OF_ANSWER : NAMES);
  if (twice) return { ok: false, why: `The link contains more than one ${twice}.` };
  const client_id = parameters.get('client_id') ?? '';
  if (client_id === '')
    return { ok: false, why: 'The link does not name the application that requests access (client_id).' };
  const state = rawValueOf(search, 'state');
  if (state !== undefined && state.length > LIMITS.stateLength)
    return {
      ok: false,
      why: `The state parameter of the link is longer than ${LIMITS.stateLength} characters.`,
    };
  const words = scopesIn(parameters);
  const wrong = (isStrict ? wrongRequest(parameters, origin) : undefined) ?? wrongContent(parameters, words);
  if (wrong && !isStrict) return { ok: false, why: wrong.why };
  return {
    ok: true,
    link: {
      client_id,
      state,
      redirect_uri: parameters.get('redirect_uri') ?? undefined,
      scopes: ALL_SCOPES.filter((scope) => words.includes(scope)),
      code_challenge: parameters.get('code_challenge') ?? undefined,
      isStrict,
      error: wrong && { error: wrong.error, error_description: describeError(wrong.why) },
    },
  };
}

type Wrong = { error: AuthorizationError['error']; why: string };

const repeatedName = (parameters: URLSearchParams, names: readonly string[]): string | undefined =>
  names.find((name) => parameters.getAll(name).length > 1);

const scopesIn = (parameters: URLSearchParams): string[] =>
  (parameters.get('scopes') ?? '').split(' ').filter(Boolean);

/** Finds what is wrong with the scopes and the challenge of a link. */
function wrongContent(parameters: URLSearchParams, words: readonly string[]): Wrong | undefined {
  if (words.length === 0)
    return {
      error: 'invalid_scope',
      why: 'The link does not name the permissions that are requested (scopes).',
    };
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined)
    return {
      error: 'invalid_scope',
      why: `“${shortened(unknown)}” is not a scope. The scopes are ${ALL_SCOPES.join(', ')}.`,
    };
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge !== null && !isCodeChallenge(challenge))
    return {
      error: 'invalid_request',
      why: 'The code_challenge of the link is not a SHA-256 in base64url, which has 43 characters.',
    };
  // RFC 7636 §4.3: a challenge without a method is the verifier itself.
  if ((challenge === null) !== (method === null) || (method ?? CHALLENGE_METHOD) !== CHALLENGE_METHOD)
    return {
      error: 'invalid_request',
      why: `A link with a code_challenge needs code_challenge_method=${CHALLENGE_METHOD}, the only method that is accepted.`,
    };
  return undefined;
}

/** Finds what OAuth 2.1 forbids besides: a request without PKCE (§4.1.1), for another resource, or for something else than a code. */
function wrongRequest(parameters: URLSearchParams, origin: string): Wrong | undefined {
  const twice = repeatedName(parameters, [...NAMES, 'response_type']);
  if (twice) return { error: 'invalid_request', why: `The request contains more than one ${twice}.` };
  const type = parameters.get('response_type');
  if (type !== 'code')
    return {
      error: type === null ? 'invalid_request' : 'unsupported_response_type',
      why: 'The request needs response_type=code.',
    };
  if (!parameters.has('code_challenge'))
    return { error: 'invalid_request', why: 'The request needs a code_challenge (PKCE).' };
  if (parameters.getAll('resource').some((resource) => !isMcpResource(resource, origin)))
    return {
      error: 'invalid_target',
      why: `The resource of the request is not that of this service, which is ${mcpResourceOf(origin)}.`,
    };
  return undefined;
}

/** Returns a value exactly as the URL contains it: decoding and encoding it again may give other bytes. */
function rawValueOf(search: string, name: string): string | undefined {
  const pair = search
    .slice(1)
    .split('&')
    // The constructor drops a question mark at the beginning, which belongs to the name here: `?state` is no `state`.
    .find((text) => new URLSearchParams(`?${text.split('=')[0]}`).has(name));
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

export type ConsentAnswer = { code: string } | { error: 'access_denied' } | AuthorizationError;

/**
 * @param state as it stood in the link, still encoded: it goes back byte for byte
 * @param issuer whose answer it is, where the application has learned that it is told (RFC 9207)
 */
export function addressWith(
  callback: string,
  answer: ConsentAnswer,
  state: string | undefined,
  issuer?: string,
): string {
  const url = new URL(callback);
  const pairs = Object.entries({ ...answer, ...(issuer !== undefined && { iss: issuer }) });
  const told = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (state !== undefined) told.push(`state=${state}`);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${told.join('&')}`;
  return url.href;
}
