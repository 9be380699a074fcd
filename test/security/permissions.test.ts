// The matrix of who may do what, generated from the table of operations: every operation × every scope, and every
// way of not having a good token. A call that is valid in everything else must be refused, and must change nothing.

import { expect, test } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { ALL_SCOPES, SCOPES } from '../../src/api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../src/api/contract/operations.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  addAccount,
  refusalOf,
  saveTemplate,
  startTransaction,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { SCOPED, scopeOf, VALID_CALLS } from '../support/fixtures/valid-calls.ts';
import type { Harness } from '../support/harness.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const HOUR_MS = 3600 * 1000;

async function tokenWith(harness: Harness, scopes: (keyof typeof SCOPES)[]): Promise<string> {
  return (await harness.client['sandbox.token']({ body: { scopes } })).access_token ?? '';
}

describeSharedService('the permission matrix', (harness) => {
  test.each(sampleOf(SCOPED, 6))(
    '%s is done with its scope alone, and refused with every other one, and with all others',
    async (id) => {
      const needed = scopeOf(id);
      const call = await VALID_CALLS[id](harness());
      const others = ALL_SCOPES.filter((scope) => scope !== needed);
      // One after the other in the slow tier; otherwise one by turns.
      const turn = SCOPED.indexOf(id) % others.length;
      const alone = others.filter((_, index) => SLOW || index === turn).map((scope) => [scope]);
      for (const scopes of [...alone, others]) {
        const token = await tokenWith(harness(), scopes);
        const no = await assertUnchanged(harness(), () => refusalOf(call(harness().clientWith(token))));
        expect(no).toMatchObject({ status: 403, code: 'insufficient_scope' });
        expect(no.message).toContain(`requires the scope ${needed}`);
        expect(no.message).toContain(scopes.join(' '));
      }
      await call(harness().clientWith(await tokenWith(harness(), [needed])));
    },
  );

  test.each(sampleOf(SCOPED, 6))('%s is refused without a good token', async (id) => {
    const call = await VALID_CALLS[id](harness());
    const expired = (await harness().client['sandbox.token']({ body: { expires_in: 1 } })).access_token;
    const revoked = await revokedToken();
    const refresh = (await harness().client['sandbox.token']({ body: {} })).refresh_token;
    const { code } = await harness().client['sandbox.token']({ body: { kind: 'code' } });
    harness().clock.advance(1000);
    const tokens = [
      [undefined, 'token_missing'],
      ['nonsense', 'token_invalid'],
      [`${harness().service.ownToken}x`, 'token_invalid'],
      [harness().service.ownToken.toLowerCase(), 'token_invalid'],
      [expired, 'token_expired'],
      [revoked, 'token_invalid'],
      [refresh, 'token_invalid'],
      [code, 'token_invalid'],
      [harness().service.controlSecret, 'token_invalid'],
    ] as const;
    // All of them in the slow tier; otherwise three by turns.
    const turn = SCOPED.indexOf(id) % 3;
    for (const [token, expected] of tokens.filter((_, index) => SLOW || index % 3 === turn)) {
      const no = await assertUnchanged(harness(), () => refusalOf(call(harness().clientWith(token))));
      expect(no).toMatchObject({ status: 401, code: expected });
    }
  });

  async function revokedToken(): Promise<string> {
    const { client_id, client_secret } = await harness().client['sandbox.add_client']({
      body: { name: 'A', callback_url: 'https://a.example.com/' },
    });
    const { code = '' } = await harness().client['sandbox.token']({ body: { client_id, kind: 'code' } });
    const body = { client_id, client_secret, code };
    const { access_token } = await harness().client['oauth.exchange_code']({ body });
    harness().clock.advance(LIMITS.codeSentTwiceMs);
    await refusalOf(harness().client['oauth.exchange_code']({ body }));
    return access_token;
  }

  test('knows every scope of the specification, and every scope opens something', () => {
    expect(Object.keys(SCOPES)).toEqual([
      'transaction:read',
      'transaction:create',
      'transaction:update',
      'webhook:read',
      'webhook:create',
      'webhook:remove',
      'file:create',
      'template:read',
    ]);
    expect(new Set(SCOPED.map(scopeOf))).toEqual(new Set(ALL_SCOPES));
  });

  test('lets the four scopes of the creation flow carry it from the upload to the start', async () => {
    const token = await tokenWith(harness(), [
      'transaction:create',
      'transaction:read',
      'transaction:update',
      'file:create',
    ]);
    expect((await startTransaction({ client: harness().clientWith(token) })).token).not.toBe('');
  });

  test('takes the scheme of the header in any case, and nothing else for it', async () => {
    const { ownToken } = harness().service;
    const path = 'GET /v1/webhook?limit=1&page=1';
    for (const authorization of [`bearer ${ownToken}`, `BEARER  ${ownToken}`])
      expect((await sendRequest(harness(), path, { token: null, headers: { authorization } })).status).toBe(
        200,
      );
    for (const authorization of [
      ownToken,
      `Basic ${ownToken}`,
      `Bearer${ownToken}`,
      'Bearer',
      `Bearer ${ownToken} x`,
      `Bearer "${ownToken}"`,
    ]) {
      const problem = await problemFrom(harness(), path, { token: null, headers: { authorization } });
      expect(problem).toMatchObject({ status: 401, code: 'token_missing' });
      expect(problem.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('is checked before the body: a client without a token does not learn what is wrong with it', async () => {
    const problem = await problemFrom(harness(), 'POST /v1/transaction', { token: null, body: 'not json' });
    expect(problem).toMatchObject({ status: 401, code: 'token_missing' });
    expect(await problemFrom(harness(), 'POST /v1/file/upload', { token: null })).toMatchObject({
      status: 401,
    });
  });

  test('is true of a token whose scope was good an hour ago only until then', async () => {
    const token = await tokenWith(harness(), ['webhook:read']);
    const list = () => sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1', { token });
    expect((await list()).status).toBe(200);
    harness().clock.advance(HOUR_MS);
    expect((await list()).status).toBe(401);
  });
});

describeSharedService('what needs no scope', (harness) => {
  const CONTROL = OPERATION_IDS.filter((id) => OPERATIONS[id].access === 'control');

  test.each(sampleOf(CONTROL, 9))('%s needs the control secret and nothing less', async (id) => {
    const { method, path } = OPERATIONS[id];
    const what = `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const { controlSecret, ownToken } = harness().service;
    await assertUnchanged(harness(), async () => {
      for (const secret of [undefined, '', 'wrong', ownToken, controlSecret.slice(1), `${controlSecret}x`]) {
        const headers: Record<string, string> = secret === undefined ? {} : { 'x-esign-control': secret };
        const problem = await problemFrom(harness(), what, {
          headers,
          json: method === 'GET' ? undefined : {},
        });
        expect(problem).toMatchObject({ status: 403, code: 'control_secret_required' });
        expect(problem.detail).toContain('X-Esign-Control');
      }
    });
  });

  test('is exactly what the table says', () => {
    const open = (access: string) =>
      OPERATION_IDS.filter((id: OperationId) => OPERATIONS[id].access === access);
    expect(open('public')).toEqual(['file.presigned']);
    expect(open('client')).toEqual(['oauth.exchange_code', 'oauth.refresh_token']);
    expect(open('signing')).toEqual(['signing.view', 'signing.page', 'signing.submit', 'signing.reject']);
    expect(open('user')).toEqual(['user.me']);
    expect(SCOPED.length + CONTROL.length + 1 + 1 + 2 + 4).toBe(OPERATION_IDS.length);
    for (const id of CONTROL) expect(OPERATIONS[id].path.startsWith('/_sandbox/')).toBe(true);
  });
});

describeSharedService('another company', (harness) => {
  const WITH_ID = SCOPED.filter((id) => OPERATIONS[id].path.includes('{'));

  test.each(sampleOf(WITH_ID, 5))(
    'cannot reach ours with %s: 404 as if it did not exist, and nothing changes',
    async (id) => {
      const stranger = await addAccount(harness(), 'Elsewhere Ltd', `${id}@example.com`);
      const call = await VALID_CALLS[id](harness());
      const no = await assertUnchanged(harness(), () => refusalOf(call(stranger.client)));
      const what = OPERATIONS[id].path.split('/')[2];
      expect(no).toMatchObject({ status: 404, code: `${what}_not_found` });
      const unknown = await refusalOf(
        stranger.client['transaction.detail']({ params: { transactionId: 'unknown' } }),
      );
      expect(unknown.status).toBe(no.status);
      await call(harness().client);
    },
  );

  test('cannot use our templates, our file tokens, nor read our lists', async () => {
    const stranger = await addAccount(harness(), 'Elsewhere Ltd', 'eve@example.com');
    const { id: template } = await saveTemplate(harness());
    const token = await uploadContract(harness());
    const { id } = await stranger.client['transaction.create']({ body: {} });
    const params = { transactionId: id };
    expect(
      await refusalOf(
        stranger.client['transaction.use_templates']({ params, body: { templates: [{ id: template }] } }),
      ),
    ).toMatchObject({
      status: 404,
      code: 'template_not_found',
    });
    expect(
      await refusalOf(stranger.client['transaction.add_document']({ params, body: { token } })),
    ).toMatchObject({ code: 'file_token_unknown' });
    await harness().client['webhook.create']({
      body: { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] },
    });
    const query = { limit: '10', page: '1' };
    expect((await stranger.client['template.list']({ query })).items).toEqual([]);
    expect((await stranger.client['webhook.list']({ query })).items).toEqual([]);
  });
});
