import { describe, expect, test } from 'vitest';
import {
  authorizationLink,
  type MissingState,
  newState,
  newVerifier,
  readPasted,
} from '../../../../src/cli/commands/login/authorization.ts';
import { callbackAddress, clientIdIn, scopesIn } from '../../../../src/cli/input/settings.ts';

const callback = new URL('http://127.0.0.1:8976/callback');
const application = {
  dashboardUrl: 'https://dashboard.example.com',
  clientId: 'a&b=c',
  scopes: ['transaction:read', 'file:create'],
  state: 'STATE',
  callback,
  sendsRedirectUri: false,
  verifier: undefined,
};

describe('the authorization link (spec §5)', () => {
  test('carries client_id, scopes with %20 between them, and a state', () => {
    expect(authorizationLink(application)).toBe(
      'https://dashboard.example.com/oauth/authorize?client_id=a%26b%3Dc&scopes=transaction%3Aread%20file%3Acreate&state=STATE',
    );
  });

  test('carries redirect_uri only where the service knows it (assumed: A23)', () => {
    const link = new URL(authorizationLink({ ...application, sendsRedirectUri: true }));
    expect(link.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:8976/callback');
  });

  test('carries the hash of the verifier, never itself, where the service knows PKCE', () => {
    // The example of RFC 7636, appendix B.
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const link = authorizationLink({ ...application, verifier });
    const { searchParams } = new URL(link);
    expect(searchParams.get('code_challenge')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(link).not.toContain(verifier);
    expect(Buffer.from(newVerifier(), 'base64url')).toHaveLength(32);
    expect(newVerifier()).not.toBe(newVerifier());
  });

  test('has a state of 256 bits that is another each time', () => {
    const states = new Set(Array.from({ length: 100 }, newState));
    expect(states.size).toBe(100);
    for (const state of states) expect(Buffer.from(state, 'base64url')).toHaveLength(32);
  });
});

describe('what a person pastes', () => {
  const read = (text: string, missingState: MissingState = 'ask') =>
    readPasted(text, { callback, state: 'STATE', missingState });

  test.each([
    ['the code', 'abc-DEF_123', { code: 'abc-DEF_123' }, 'typed'],
    ['the address', 'http://127.0.0.1:8976/callback?code=C&state=STATE', { code: 'C' }, 'right'],
    ['the address without a state', ' http://127.0.0.1:8976/callback?code=C \n', { code: 'C' }, 'missing'],
    [
      'a refusal',
      'http://127.0.0.1:8976/callback?error=access_denied&state=STATE',
      { error: 'access_denied', description: undefined },
      'right',
    ],
  ])('%s', (_, text, returned, proof) => {
    expect(read(text)).toEqual({ returned, proof });
  });

  test('needs the state of a service that echoes it, unless the person has said otherwise', () => {
    const address = 'http://127.0.0.1:8976/callback?code=C';
    expect(() => read(address, 'refuse')).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'state_missing', exit: 2 }) }),
    );
    expect(read(address, 'allow')).toEqual({ returned: { code: 'C' }, proof: 'missing' });
    expect(read('abc-DEF_123', 'refuse').proof).toBe('typed');
  });

  test.each([
    ['another state', 'http://127.0.0.1:8976/callback?code=C&state=OTHER', 'state_wrong'],
    ['another path', 'http://127.0.0.1:8976/other?code=C', 'callback_invalid'],
    ['another port', 'http://127.0.0.1:8977/callback?code=C', 'callback_invalid'],
    ['another host', 'http://localhost:8976/callback?code=C', 'callback_invalid'],
    ['no code', 'http://127.0.0.1:8976/callback', 'callback_invalid'],
    ['half an address', '127.0.0.1:8976/callback?code=C', 'callback_invalid'],
    ['nothing', '  ', 'callback_invalid'],
  ])('refuses %s', (_, text, code) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code, exit: 2 }) }),
    );
  });
});

describe('the values that a login takes', () => {
  test('takes scopes with spaces or commas, each once, in the order of the specification', () => {
    expect(scopesIn('file:create, transaction:read transaction:read', '--scopes')).toEqual([
      'transaction:read',
      'file:create',
    ]);
  });

  test.each([
    [() => scopesIn(' , ', '--scopes'), 'scope_missing'],
    [() => scopesIn('transaction:write', '--scopes'), 'scope_unknown'],
    [() => callbackAddress('--callback-url', 'ftp://127.0.0.1/x'), 'callback_invalid'],
    [() => callbackAddress('--callback-url', 'http://127.0.0.1/x#y'), 'callback_invalid'],
    [() => callbackAddress('--callback-url', 'http://u:p@127.0.0.1/x'), 'callback_invalid'],
    [() => callbackAddress('--callback-url', '/callback'), 'callback_invalid'],
    [() => clientIdIn('two words', '--client-id'), 'client_id_invalid'],
    [() => clientIdIn('', '--client-id'), 'client_id_invalid'],
  ])('refuses what it cannot use (%#)', (act, code) => {
    expect(act).toThrow(expect.objectContaining({ facts: expect.objectContaining({ code, exit: 2 }) }));
  });
});
