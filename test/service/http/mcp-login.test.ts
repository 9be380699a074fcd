// The login of clients of the Model Context Protocol: `/mcp/authorize`, the page of consent, and `/mcp/token`, by the rules of OAuth 2.1.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchOver } from '../../../src/api/transport.ts';
import { type McpAnswers, withMcp } from '../../../src/service/http/mcp.ts';
import { type BrowserClient, openBrowserClient, registerUser } from '../../support/browser-client.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

const CALLBACK = 'http://127.0.0.1:8976/callback?a=b';
const ANSWERS: McpAnswers = { answer: async () => Response.json({}), close: async () => undefined };

let harness: Harness;
let origin: string;
let visitor: BrowserClient;
let stranger: BrowserClient;
let withSecret: Record<string, string>;
let withoutSecret: Record<string, string>;
const verifier = randomBytes(32).toString('base64url');
const PKCE = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

beforeAll(async () => {
  harness = await openHarness('in process');
  ({ origin } = harness.service);
  const served = { baseUrl: origin, transport: fetchOver(withMcp(harness.service, ANSWERS)) };
  [visitor, stranger] = [await registerUser(served), openBrowserClient(served)];
  const application = async (is_public: boolean) => {
    const { client_id, client_secret } = await harness.client['sandbox.add_client']({
      body: { name: 'Editor', callback_url: CALLBACK, is_public },
    });
    return { client_id, ...(client_secret !== undefined && { client_secret }) };
  };
  [withSecret, withoutSecret] = [await application(false), await application(true)];
});
afterAll(() => harness.close());

/** The query of an authorization request. Undefined omits a parameter. */
const linkWith = (changed: Record<string, string | undefined> = {}, rest = ''): string => {
  const all = {
    response_type: 'code',
    client_id: withSecret.client_id,
    scope: 'transaction:read file:create',
    resource: `${origin}/mcp`,
    ...PKCE,
    ...changed,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `/mcp/authorize?${new URLSearchParams(sent as [string, string][])}${rest}`;
};

/** Follows the link to the page of consent. */
async function toConsent(link: string, browser = visitor) {
  const { status, location } = await browser.get(link);
  expect(status).toBe(302);
  return browser.get(location ?? '');
}

async function consent(link: string, answer = 'allow'): Promise<URL> {
  const page = await visitor.send(await toConsent(link), '/oauth/authorize', { answer });
  return new URL(page.location ?? 'none:');
}

async function exchange(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await stranger.post('/mcp/token', new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  });
  return { ...answer, json: JSON.parse(answer.html) };
}

const grantOf = (to: URL) => ({
  grant_type: 'authorization_code',
  code: to.searchParams.get('code') ?? '',
  code_verifier: verifier,
});

describe('the answer to the client', () => {
  test.each([
    'a+b',
    'a%20b',
    'a%2Bb',
    '%2b%2B',
    '%E2%9C%93',
    '%',
    '%zz',
    '%25',
    '%2526',
    'a%26code%3Dx',
    'a=b==',
    '%00',
    '%0d%0aset-cookie:%20x',
    '%3Cscript%3E',
    '%22%27',
    '%ff',
    'a;b',
    '',
  ])('has the state %j byte for byte, also after signing in', async (state) => {
    const link = linkWith({}, `&state=${state}`);
    const rawState = (to: URL) => /&state=([^&]*)$/.exec(to.search)?.[1];
    expect(rawState(await consent(link))).toBe(state);
    expect(rawState(await consent(link, 'deny'))).toBe(state);
    const refused = await toConsent(linkWith({ code_challenge: undefined }, `&state=${state}`));
    expect(rawState(new URL(refused.location ?? 'none:'))).toBe(state);
    const { location } = await toConsent(link, stranger);
    const next = new URL(location ?? '', origin).searchParams.get('next') ?? '';
    expect(new URL(location ?? '', origin).pathname).toBe('/sign-in');
    expect(next.split('&').find((pair) => pair.startsWith('state='))).toBe(`state=${state}`);
  });

  test('has no state where a name only ends with that of the state', async () => {
    const { searchParams } = await consent(linkWith({}, '&?state=x'));
    expect([...searchParams.keys()]).toEqual(['a', 'code', 'iss']);
  });

  test('says who answers, beside what the registered address has', async () => {
    const allowed = await consent(linkWith());
    expect([...allowed.searchParams.keys()]).toEqual(['a', 'code', 'iss']);
    expect(allowed.searchParams.get('iss')).toBe(origin);
    const denied = await consent(linkWith(), 'deny');
    expect(Object.fromEntries(denied.searchParams)).toEqual({ a: 'b', error: 'access_denied', iss: origin });
  });
});

describe('a request that OAuth 2.1 forbids', () => {
  const REPEATED = `&code_challenge=${PKCE.code_challenge}`;
  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, '', 'invalid_request'],
    ['with a short challenge', { code_challenge: 'abc' }, '', 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, '', 'invalid_request'],
    ['without the method', { code_challenge_method: undefined }, '', 'invalid_request'],
    ['with two challenges', {}, REPEATED, 'invalid_request'],
    ['without a type', { response_type: undefined }, '', 'invalid_request'],
    ['for a token', { response_type: 'token' }, '', 'unsupported_response_type'],
    ['with an unknown scope', { scope: 'everything “x”\u2028' }, '', 'invalid_scope'],
    ['for another resource', { resource: 'https://other.example/mcp' }, '', 'invalid_target'],
    ['for no resource', { resource: '/mcp' }, '', 'invalid_target'],
    ['for two resources', {}, '&resource=https://other.example/mcp', 'invalid_target'],
  ])('%s is refused at the application', async (_, changed, rest, error) => {
    for (const { client_id } of [withSecret, withoutSecret]) {
      const link = linkWith({ client_id, state: 's t', ...changed }, rest);
      const { status, location } = await toConsent(link);
      const to = new URL(location ?? 'none:');
      expect([status, `${to.origin}${to.pathname}`]).toEqual([303, 'http://127.0.0.1:8976/callback']);
      expect(Object.fromEntries(to.searchParams)).toEqual({
        a: 'b',
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+\.$/),
        iss: origin,
        state: 's t',
      });
      // Nobody is sent to another site before signing in.
      expect((await toConsent(link, stranger)).location).toMatch(/^\/sign-in\?/);
    }
  });

  test.each([
    ['to another address', { redirect_uri: 'https://evil.example/' }, ''],
    ['of an unknown application', { client_id: 'unknown' }, ''],
    ['of two applications', {}, '&client_id=x'],
    ['with two states', { state: 'x' }, '&state=y'],
  ])('%s is refused on a page', async (_, changed, rest) => {
    for (const challenge of [PKCE.code_challenge, undefined]) {
      const page = await toConsent(linkWith({ code_challenge: challenge, ...changed }, rest));
      expect([page.status, page.location]).toEqual([400, null]);
      expect(page.text).toContain('This link cannot be used');
    }
  });
});

describe('tokens', () => {
  test('come with the scopes that were granted, and are refreshed', async () => {
    const to = await consent(linkWith({ scope: undefined }));
    const first = await exchange({ ...withSecret, ...grantOf(to), resource: `${origin}/mcp` });
    expect(first.json).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: expect.stringContaining('transaction:create'),
    });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
    const second = await exchange({ ...withSecret, ...refresh });
    expect(second.json).toMatchObject({ token_type: 'Bearer', scope: first.json.scope });
    expect(second.headers.get('cache-control')).toBe('no-store');
  });

  test('of a public application come by PKCE alone', async () => {
    const to = await consent(linkWith({ client_id: withoutSecret.client_id }));
    expect((await exchange({ ...withoutSecret, ...grantOf(to) })).json).toMatchObject({
      scope: 'transaction:read file:create',
    });
  });

  test('of a public application come with an empty secret in the header, as with none', async () => {
    const { client_id = '' } = withoutSecret;
    const form = grantOf(await consent(linkWith({ client_id })));
    const authorization = `Basic ${Buffer.from(`${client_id}:`).toString('base64')}`;
    expect((await exchange(form, { authorization })).json).toMatchObject({ token_type: 'Bearer' });
  });

  test.each(['password', 'authorization_code'])('are not given for two types, %s first', async (first) => {
    const body = `grant_type=${first}&grant_type=authorization_code`;
    const { status, html } = await stranger.post('/mcp/token', body, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([status, JSON.parse(html)]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The request contains more than one grant_type.' },
    ]);
  });

  test('are given to a client that authenticates in the header', async () => {
    const { client_id = '', client_secret = '' } = withSecret;
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${client_id}:${encodeURIComponent(secret)}`).toString('base64')}`,
    });
    const form = grantOf(await consent(linkWith()));
    const wrong = await exchange(form, basic('wrong:+%'));
    expect([wrong.status, wrong.json.error]).toEqual([401, 'invalid_client']);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /);
    const twice = await exchange({ ...form, client_secret }, basic(client_secret));
    expect([twice.status, twice.json.error]).toEqual([400, 'invalid_request']);
    expect((await exchange(form, basic(client_secret))).json).toMatchObject({ token_type: 'Bearer' });
  });

  test.each([
    ['without a verifier', { code_verifier: '' }, 'invalid_request'],
    ['with another verifier', { code_verifier: 'y'.repeat(43) }, 'invalid_grant'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['without a code', { code: '' }, 'invalid_request'],
    ['with a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['without a client', { client_id: '' }, 'invalid_request'],
    ['of another type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('are not given %s, and the code stays good', async (_, changed, error) => {
    const form = { ...withSecret, ...grantOf(await consent(linkWith())) };
    const answer = await exchange({ ...form, ...changed });
    expect([answer.status, answer.json]).toEqual([
      error === 'invalid_client' ? 401 : 400,
      { error, error_description: expect.stringMatching(/\.$/) },
    ]);
    expect((await exchange(form)).json).toMatchObject({ token_type: 'Bearer' });
  });

  test('are not given for a code whose link had no challenge', async () => {
    const link = `/oauth/authorize?client_id=${withSecret.client_id}&scopes=transaction:read`;
    const page = await visitor.send(await visitor.get(link), '/oauth/authorize', { answer: 'allow' });
    const to = new URL(page.location ?? 'none:');
    expect([...to.searchParams.keys()]).toEqual(['a', 'code']);
    expect((await exchange({ ...withSecret, ...grantOf(to) })).json).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('are not given for a form that is too large', async () => {
    const answer = await exchange({ ...withSecret, grant_type: 'x'.repeat(17 * 1024) });
    expect([answer.status, answer.json.code]).toEqual([413, 'body_too_large']);
  });
});
