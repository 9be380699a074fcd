import { expect, test } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../src/api/contract/operation.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { refusalOf } from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

const MINUTE_MS = 60_000;
const EXCHANGE = 'POST /v1/oauth/exchange/code';
const REFRESH = 'POST /v1/oauth/refresh/token';

describeSharedService('OAuth', (harness) => {
  /** A registered application with a code of its own. */
  async function granted(scopes: Scope[] = [...ALL_SCOPES]) {
    const { client_id, client_secret } = await harness().client['sandbox.add_client']({
      body: { name: 'Orders', callback_url: 'https://orders.example.com/callback' },
    });
    const { code = '', expires_in } = await harness().client['sandbox.token']({
      body: { client_id, scopes, kind: 'code' },
    });
    return { client_id, client_secret, code, expires_in };
  }
  const anonymous = () => harness().clientWith(undefined);
  const works = async (token: string) =>
    (await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1', { token })).status;

  test('exchanges a code for an access token, a refresh token and a lifetime in seconds, without a header', async () => {
    const { expires_in, ...body } = await granted();
    expect(expires_in).toBe(600);
    const answered = await sendRequest(harness(), EXCHANGE, { json: body, token: null });
    expect(answered).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 3600 },
    });
    expect(Object.keys(answered.body as object).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
    ]);
    expect(await works((answered.body as { access_token: string }).access_token)).toBe(200);
  });

  test('gives exactly the scopes that were granted', async () => {
    const { expires_in, ...body } = await granted(['transaction:read']);
    const { access_token } = await anonymous()['oauth.exchange_code']({ body });
    const problem = await problemFrom(harness(), 'GET /v1/webhook?limit=1&page=1', { token: access_token });
    expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(problem.detail).toContain('webhook:read');
    expect(problem.detail).toContain('transaction:read');
    expect(problem.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="webhook:read"',
    );
  });

  test('takes a code until ten minutes are over, to the millisecond', async () => {
    const [early, late] = [await granted(), await granted()];
    harness().clock.advance(10 * MINUTE_MS - 1);
    await anonymous()['oauth.exchange_code']({ body: early });
    harness().clock.advance(1);
    const no = await assertUnchanged(harness(), () =>
      refusalOf(anonymous()['oauth.exchange_code']({ body: late })),
    );
    expect(no).toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(no.message).toContain('expired');
  });

  test('takes a code once; the second time revokes everything that came of it', async () => {
    const body = await granted();
    const { access_token, refresh_token } = await anonymous()['oauth.exchange_code']({ body });
    const refreshed = await anonymous()['oauth.refresh_token']({ body: { ...body, refresh_token } });
    expect([await works(access_token), await works(refreshed.access_token)]).toEqual([200, 200]);
    harness().clock.advance(1000);
    const no = await refusalOf(anonymous()['oauth.exchange_code']({ body }));
    expect(no).toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(no.message).toContain('already used');
    expect([await works(access_token), await works(refreshed.access_token)]).toEqual([401, 401]);
    expect(
      await problemFrom(harness(), 'GET /v1/webhook?limit=1&page=1', { token: access_token }),
    ).toMatchObject({ code: 'token_invalid' });
    expect(
      await refusalOf(anonymous()['oauth.refresh_token']({ body: { ...body, refresh_token } })),
    ).toMatchObject({ code: 'invalid_grant' });
  });

  test('gives one of 64 exchanges of a code at the same moment its tokens', async () => {
    const body = await granted();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, () => anonymous()['oauth.exchange_code']({ body })),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  test('leaves the tokens of an exchange good when the same client sends it again within a second', async () => {
    const body = await granted();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => anonymous()['oauth.exchange_code']({ body })),
    );
    harness().clock.advance(999);
    const no = await refusalOf(anonymous()['oauth.exchange_code']({ body }));
    expect(no).toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(no.message).toBe('The code was already used a moment ago. Use the tokens from that exchange.');
    const [won] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(await works(won?.access_token ?? '')).toBe(200);
    harness().clock.advance(1);
    await refusalOf(anonymous()['oauth.exchange_code']({ body }));
    expect(await works(won?.access_token ?? '')).toBe(401);
  });

  test('revokes what came of a code that is used again after the clock was set back', async () => {
    const body = await granted();
    const { access_token } = await anonymous()['oauth.exchange_code']({ body });
    harness().clock.advance(-24 * 60 * MINUTE_MS);
    await refusalOf(anonymous()['oauth.exchange_code']({ body }));
    expect(await works(access_token)).toBe(401);
    harness().clock.advance(24 * 60 * MINUTE_MS);
  });

  test.each(
    sampleOf(
      [
        ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
        ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
        ['an unknown code', { code: 'nothing' }, 400, 'invalid_grant'],
        ["another application's code", { code: 'OTHER' }, 400, 'invalid_grant'],
      ],
      2,
    ),
  )('refuses %s, and the code stays good', async (_, wrong, status, code) => {
    const { expires_in, ...body } = await granted();
    const other = await granted();
    const json = { ...body, ...wrong };
    if (json.code === 'OTHER') json.code = other.code;
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), EXCHANGE, { json, token: null }),
    );
    expect(problem).toMatchObject({ status, code });
    await anonymous()['oauth.exchange_code']({ body });
    await anonymous()['oauth.exchange_code']({ body: other });
  });

  for (const [what, names] of [
    [EXCHANGE, ['client_id', 'client_secret', 'code']],
    [REFRESH, ['client_id', 'client_secret', 'refresh_token']],
  ] as const)
    test.each(sampleOf(names, 3))(`${what} refuses a missing, empty or wrong-typed %s`, async (name) => {
      const { client_id } = await granted();
      const full: Record<string, unknown> = {
        ...Object.fromEntries(names.map((one) => [one, 'x'])),
        client_id,
      };
      for (const [value, message] of [
        [undefined, 'is required'],
        ['', 'must not be empty'],
        [7, 'must be a string'],
      ]) {
        const problem = await problemFrom(harness(), what, {
          json: { ...full, [name]: value },
          token: null,
        });
        expect(problem).toMatchObject({
          status: 422,
          code: 'validation_failed',
          errors: [{ path: name, message }],
        });
        expect(problem.detail).toContain(name);
      }
    });

  test('refreshes with the same refresh token again and again, which never expires and is not issued anew', async () => {
    const body = await granted(['webhook:read']);
    const { refresh_token, access_token } = await anonymous()['oauth.exchange_code']({ body });
    harness().clock.advance(400 * 24 * 60 * MINUTE_MS);
    const json = { client_id: body.client_id, client_secret: body.client_secret, refresh_token };
    const first = await sendRequest(harness(), REFRESH, { json, token: null });
    expect(first).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), expires_in: 3600 },
    });
    expect(Object.keys(first.body as object).sort()).toEqual(['access_token', 'expires_in']);
    const second = await anonymous()['oauth.refresh_token']({ body: json });
    const tokens = [(first.body as { access_token: string }).access_token, second.access_token];
    expect(new Set([...tokens, access_token]).size).toBe(3);
    for (const token of tokens) expect(await works(token)).toBe(200);
    expect(
      await problemFrom(harness(), 'GET /v1/template?limit=1&page=1', { token: second.access_token }),
    ).toMatchObject({
      code: 'insufficient_scope',
    });
  });

  test('lets an access token live for 3600 seconds, to the millisecond; a refreshed one as well', async () => {
    const body = await granted();
    const { access_token, refresh_token } = await anonymous()['oauth.exchange_code']({ body });
    harness().clock.advance(3_600_000 - 1);
    expect(await works(access_token)).toBe(200);
    const refreshed = await anonymous()['oauth.refresh_token']({ body: { ...body, refresh_token } });
    harness().clock.advance(1);
    const problem = await problemFrom(harness(), 'GET /v1/webhook?limit=1&page=1', { token: access_token });
    expect(problem).toMatchObject({ status: 401, code: 'token_expired' });
    expect(problem.detail).toContain(new Date(harness().clock.now).toISOString());
    expect(problem.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    harness().clock.advance(3_600_000 - 2);
    expect(await works(refreshed.access_token)).toBe(200);
    harness().clock.advance(1);
    expect(await works(refreshed.access_token)).toBe(401);
  });

  test.each([
    ['an unknown refresh token', { refresh_token: 'nothing' }, 400, 'invalid_grant'],
    ['an access token', { refresh_token: 'ACCESS' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['another application', { client_id: 'esign-sandbox' }, 401, 'invalid_client'],
  ])('refuses to refresh with %s', async (_, wrong, status, code) => {
    const body = await granted();
    const { access_token, refresh_token } = await anonymous()['oauth.exchange_code']({ body });
    const { client_id, client_secret } = body;
    const json = { client_id, client_secret, refresh_token, ...wrong };
    if (json.refresh_token === 'ACCESS') json.refresh_token = access_token;
    expect(
      await assertUnchanged(harness(), () => problemFrom(harness(), REFRESH, { json, token: null })),
    ).toMatchObject({ status, code });
  });

  test('keeps no code, secret or token as it is', async () => {
    const body = await granted();
    const { access_token, refresh_token } = await anonymous()['oauth.exchange_code']({ body });
    const rows = await harness().store.database.read(async (db) => [
      await db.selectFrom('token').selectAll().execute(),
      await db.selectFrom('authorization_code').selectAll().execute(),
      await db.selectFrom('client').selectAll().execute(),
    ]);
    for (const secret of [access_token, refresh_token, body.code, body.client_secret])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('forgets everything that was issued to an application that is deleted', async () => {
    const body = await granted();
    const { access_token, refresh_token } = await anonymous()['oauth.exchange_code']({ body });
    await harness().client['sandbox.delete_client']({ params: { clientId: body.client_id } });
    expect(await works(access_token)).toBe(401);
    expect(
      await refusalOf(anonymous()['oauth.refresh_token']({ body: { ...body, refresh_token } })),
    ).toMatchObject({ code: 'invalid_client' });
  });
});
