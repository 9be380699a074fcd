// Applications without a secret, and codes that belong to one program (RFC 7636, 8252 and 9700; decision 0010). Where a test is about an attacker,
// the attacker has everything but the verifier: the link, the code and the ID of the application.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ALL_SCOPES } from '../../../src/api/contract/operation.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import { refusalOf } from '../../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../../support/http-client.ts';

const CALLBACK = 'http://127.0.0.1:8976/callback';
const EXCHANGE = 'POST /v1/oauth/exchange/code';
const DAY_MS = 24 * 3600 * 1000;

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

describeSharedService('a public application', (harness) => {
  const anonymous = () => harness().clientWith(undefined);
  const exchange = (json: object) => sendRequest(harness(), EXCHANGE, { json, token: null });
  const exchangeRefused = (json: object) => problemFrom(harness(), EXCHANGE, { json, token: null });
  const works = async (token: string) =>
    (await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1', { token })).status === 200;

  const register = (is_public = true) =>
    harness().client['sandbox.add_client']({
      body: { name: 'Terminal', callback_url: CALLBACK, is_public },
    });

  /** A code of an application, and the verifier that its link had the hash of. */
  async function granted({ client_id }: { client_id: string }, verifier: string | undefined = newVerifier()) {
    const code_challenge = challengeOf(verifier);
    const { code = '' } = await harness().client['sandbox.token']({
      body: { client_id, scopes: [...ALL_SCOPES], kind: 'code', code_challenge },
    });
    return { client_id, code, code_verifier: verifier };
  }

  async function loggedIn() {
    const request = await granted(await register());
    const tokens = await anonymous()['oauth.exchange_code']({ body: request });
    return { client_id: request.client_id, request, ...tokens, refresh_token: tokens.refresh_token ?? '' };
  }

  const refresh = (client_id: string, refresh_token: string | undefined = '') =>
    anonymous()['oauth.refresh_token']({ body: { client_id, refresh_token } });

  test('has no client secret, and exchanges a code with the verifier of its link', async () => {
    const application = await register();
    expect(application).toMatchObject({ is_public: true, notification_secret: expect.any(String) });
    expect(application).not.toHaveProperty('client_secret');
    const answer = await exchange(await granted(application));
    expect(answer).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } });
    expect(await works((answer.body as { access_token: string }).access_token)).toBe(true);
  });

  test('is listed as public, beside those with a secret', async () => {
    const [open, closed] = [await register(), await register(false)];
    const { items } = await harness().client['sandbox.list_clients']();
    const kinds = Object.fromEntries(items.map(({ id, is_public }) => [id, is_public]));
    expect([kinds[open.id], kinds[closed.id]]).toEqual([true, false]);
  });

  test('is named as public by the well-known document, to everyone who has its ID', async () => {
    const [open, closed] = [await register(), await register(false)];
    const ask = (query: string) =>
      sendRequest(harness(), `GET /.well-known/esign${query}`, { token: null }).then(({ body }) => body);
    expect(await ask('')).toMatchObject({ extensions: expect.arrayContaining(['pkce']) });
    expect(await ask('')).not.toHaveProperty('application');
    expect(await ask(`?client_id=${open.client_id}`)).toMatchObject({ application: { is_public: true } });
    expect(await ask(`?client_id=${closed.client_id}`)).toMatchObject({ application: { is_public: false } });
    for (const nobody of ['nobody', '', '%00', '%FF', "'--"])
      expect(await ask(`?client_id=${nobody}`)).toMatchObject({ extensions: expect.anything() });
    expect(await ask('?client_id=nobody')).not.toHaveProperty('application');
  });

  test.each([
    'https://orders.example.com/callback',
    'http://orders.example.com/callback',
    'https://127.0.0.1:8976/callback',
    'http://localhost:8976/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://10.0.0.1/callback',
  ])('is refused with the callback URL %s', async (callback_url) => {
    const body = { name: 'Terminal', callback_url, is_public: true };
    const no = await assertUnchanged(harness(), () =>
      refusalOf(harness().client['sandbox.add_client']({ body })),
    );
    expect(no).toMatchObject({ status: 422, errors: [{ path: 'callback_url' }] });
  });

  test('takes a callback URL on the loopback addresses, as numbers', async () => {
    for (const callback_url of ['http://127.0.0.1:1/', 'http://[::1]/callback'])
      expect(
        await harness().client['sandbox.add_client']({
          body: { name: 'A', callback_url, is_public: true },
        }),
      ).toMatchObject({ callback_url, is_public: true });
  });

  test('gives an intercepted code to nobody without the verifier, and the code stays good for its owner', async () => {
    const request = await granted(await register());
    const { client_id, code } = request;
    for (const json of [
      { client_id, code },
      { client_id, code, code_verifier: newVerifier() },
      { client_id, code, code_verifier: challengeOf(request.code_verifier) },
      { client_id, code, code_verifier: `${request.code_verifier}A` },
      { client_id, code, code_verifier: request.code_verifier.toLowerCase() },
    ])
      expect(await assertUnchanged(harness(), () => exchangeRefused(json))).toMatchObject({
        status: 400,
        code: 'invalid_grant',
      });
    expect(await exchange(request)).toMatchObject({ status: 200 });
  });

  test('keeps its login when somebody sends the used code without the verifier, and loses it with the verifier', async () => {
    const { request, access_token } = await loggedIn();
    harness().clock.advance(1000);
    for (const code_verifier of [undefined, newVerifier()])
      await assertUnchanged(harness(), () => exchangeRefused({ ...request, code_verifier }));
    expect(await works(access_token)).toBe(true);
    const no = await exchangeRefused(request);
    expect(no.detail).toContain('already used');
    expect(await works(access_token)).toBe(false);
  });

  test('gives one of 32 exchanges of a code at the same moment its tokens', async () => {
    const body = await granted(await register());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, () => anonymous()['oauth.exchange_code']({ body })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test("exchanges no code of another application, with either one's verifier", async () => {
    const [own, other] = [await granted(await register()), await granted(await register())];
    for (const code_verifier of [own.code_verifier, other.code_verifier])
      expect(
        await assertUnchanged(harness(), () =>
          exchangeRefused({ client_id: own.client_id, code: other.code, code_verifier }),
        ),
      ).toMatchObject({ code: 'invalid_grant', detail: 'The code is unknown. Log in again.' });
  });

  test.each([
    ['too short', 'a'.repeat(42)],
    ['too long', 'a'.repeat(129)],
    ['with a space', `${'a'.repeat(42)} `],
    ['with a plus', `${'a'.repeat(42)}+`],
    ['with a letter beyond ASCII', `${'a'.repeat(42)}é`],
    ['with a line break', `${'a'.repeat(43)}\n`],
    ['empty', ''],
  ])('refuses a verifier that is %s', async (_, code_verifier) => {
    const { client_id, code } = await granted(await register());
    expect(await exchangeRefused({ client_id, code, code_verifier })).toMatchObject({
      status: 422,
      errors: [{ path: 'code_verifier' }],
    });
  });

  test('takes verifiers of every allowed length and sign', async () => {
    const application = await register();
    for (const verifier of ['-._~'.padEnd(43, 'aZ09'), 'x'.repeat(128)])
      expect(await exchange(await granted(application, verifier))).toMatchObject({ status: 200 });
  });

  test('refuses a secret for it, because nothing could be compared with it', async () => {
    const request = await granted(await register());
    for (const client_secret of ['anything', 'undefined'])
      expect(await exchangeRefused({ ...request, client_secret })).toMatchObject({
        status: 422,
        errors: [{ path: 'client_secret' }],
      });
  });

  test('that does not exist is named as such, with and without a secret', async () => {
    for (const secret of [{}, { client_secret: 'anything' }])
      for (const [path, rest] of [
        [EXCHANGE, { code: 'any' }],
        ['POST /v1/oauth/refresh/token', { refresh_token: 'any' }],
      ] as const)
        expect(
          await problemFrom(harness(), path, {
            json: { client_id: 'deleted', ...secret, ...rest },
            token: null,
          }),
        ).toMatchObject({ status: 401, code: 'invalid_client' });
  });

  test('gets no code without a challenge', async () => {
    const { client_id } = await register();
    const no = await refusalOf(harness().client['sandbox.token']({ body: { client_id, kind: 'code' } }));
    expect(no).toMatchObject({ status: 422 });
    expect(no.message).toContain('code_challenge');
  });

  // ── refresh tokens ────────────────────────────────────────────────────────────────────────────────────────────

  test('gets another refresh token with each access token, without a secret', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const first = await refresh(client_id, refresh_token);
    const second = await refresh(client_id, first.refresh_token ?? '');
    expect(new Set([refresh_token, first.refresh_token, second.refresh_token]).size).toBe(3);
    expect(await works(second.access_token)).toBe(true);
  });

  test('loses its login when a replaced refresh token comes again after a minute', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const fresh = await refresh(client_id, refresh_token);
    harness().clock.advance(60_000);
    const no = await refusalOf(refresh(client_id, refresh_token));
    expect(no).toMatchObject({ status: 400, code: 'invalid_grant' });
    expect(no.message).toContain('already used');
    expect(await works(fresh.access_token)).toBe(false);
    await refusalOf(refresh(client_id, fresh.refresh_token ?? ''));
  });

  test('may send a refresh token again within a minute where the answer was lost, and the lost one ends', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const lost = await refresh(client_id, refresh_token);
    harness().clock.advance(59_999);
    const again = await refresh(client_id, refresh_token);
    const next = await refresh(client_id, again.refresh_token ?? '');
    expect(await works(next.access_token)).toBe(true);
    // Whoever has the lost one has copied it.
    await refusalOf(refresh(client_id, lost.refresh_token ?? ''));
    expect(await works(next.access_token)).toBe(false);
  });

  test('loses its login at once when a refresh token comes again whose successor was used', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const first = await refresh(client_id, refresh_token);
    const second = await refresh(client_id, first.refresh_token ?? '');
    await refusalOf(refresh(client_id, refresh_token));
    expect(await works(second.access_token)).toBe(false);
    await refusalOf(refresh(client_id, second.refresh_token ?? ''));
  });

  test('is detected whoever of owner and thief refreshes first', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const owner = await refresh(client_id, refresh_token);
    const thief = await refresh(client_id, refresh_token);
    await refusalOf(refresh(client_id, owner.refresh_token ?? ''));
    expect(await works(thief.access_token)).toBe(false);
    await refusalOf(refresh(client_id, thief.refresh_token ?? ''));
  });

  test('keeps one chain of refresh tokens when many are requested at the same moment', async () => {
    const { client_id, refresh_token } = await loggedIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(client_id, refresh_token)));
    const live = await harness().store.database.read((db) =>
      db
        .selectFrom('token')
        .select('hash')
        .where('client_id', '=', client_id)
        .where('kind', '=', 'refresh')
        .where('replaced_at', 'is', null)
        .where('revoked_at', 'is', null)
        .execute(),
    );
    expect(answers).toHaveLength(8);
    expect(live).toHaveLength(1);
  });

  test('cannot refresh after 90 days without a refresh, to the millisecond, and each refresh begins them anew', async () => {
    const { client_id, refresh_token } = await loggedIn();
    harness().clock.advance(90 * DAY_MS - 1);
    const { refresh_token: next = '' } = await refresh(client_id, refresh_token);
    harness().clock.advance(90 * DAY_MS);
    const no = await assertUnchanged(harness(), () => refusalOf(refresh(client_id, next ?? '')));
    expect(no.message).toContain('expired');
  });

  test('refreshes with no token of another application, and no access token', async () => {
    const [own, other] = [await loggedIn(), await loggedIn()];
    for (const token of [other.refresh_token, own.access_token])
      expect(await assertUnchanged(harness(), () => refusalOf(refresh(own.client_id, token)))).toMatchObject({
        code: 'invalid_grant',
      });
    await refresh(own.client_id, own.refresh_token);
  });

  test('gets tokens without a browser whose refresh tokens replace each other as well', async () => {
    const { client_id } = await register();
    const { refresh_token = '' } = await harness().client['sandbox.token']({ body: { client_id } });
    const { access_token } = await refresh(client_id, refresh_token);
    harness().clock.advance(60_000);
    await refusalOf(refresh(client_id, refresh_token));
    expect(await works(access_token)).toBe(false);
  });

  // ── applications with a secret ────────────────────────────────────────────────────────────────────────────────

  test('with a secret may have a challenge as well, and then needs both', async () => {
    const { client_id, client_secret = '' } = await register(false);
    const request = await granted({ client_id });
    const { code, code_verifier } = request;
    expect(await exchangeRefused({ client_id, code, code_verifier })).toMatchObject({
      status: 422,
      errors: [{ path: 'client_secret', message: 'is required' }],
    });
    expect(await exchangeRefused({ ...request, client_secret: 'wrong' })).toMatchObject({ status: 401 });
    for (const wrong of [undefined, newVerifier()])
      expect(await exchangeRefused({ client_id, client_secret, code, code_verifier: wrong })).toMatchObject({
        code: 'invalid_grant',
      });
    const tokens = await anonymous()['oauth.exchange_code']({ body: { ...request, client_secret } });
    const refreshed = await anonymous()['oauth.refresh_token']({
      body: { client_id, client_secret, refresh_token: tokens.refresh_token ?? '' },
    });
    expect(refreshed.refresh_token).toBeUndefined();
  });

  test('with a secret cannot send a verifier for a code whose link had no challenge', async () => {
    const { client_id, client_secret = '' } = await register(false);
    const { code = '' } = await harness().client['sandbox.token']({ body: { client_id, kind: 'code' } });
    const request = { client_id, client_secret, code };
    expect(await exchangeRefused({ ...request, code_verifier: newVerifier() })).toMatchObject({
      code: 'invalid_grant',
    });
    expect(await exchange(request)).toMatchObject({ status: 200 });
  });

  test('with a secret can neither exchange nor refresh without it, whatever a public application can', async () => {
    const { client_id, client_secret = '' } = await register(false);
    const { refresh_token = '' } = await harness().client['sandbox.token']({ body: { client_id } });
    const no = await refusalOf(refresh(client_id, refresh_token));
    expect(no).toMatchObject({ status: 422 });
    await anonymous()['oauth.refresh_token']({ body: { client_id, client_secret, refresh_token } });
  });
});
