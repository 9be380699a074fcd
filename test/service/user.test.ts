// The user of an access token: an extension that a client calls before it sends as another user.
import { expect, test } from 'vitest';
import { ALL_SCOPES } from '../../src/api/contract/operation.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { addAccount, refusalOf, SENDER } from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';

describeSharedService('the user of an access token', (harness) => {
  test('is shown with the company, and a user of another company sees theirs', async () => {
    const own = await harness().client['user.me']();
    expect(own).toEqual({
      id: expect.any(String),
      ...SENDER,
      company: { id: expect.any(String), name: expect.any(String) },
    });
    const stranger = await addAccount(harness(), 'Elsewhere Ltd', 'Eve@example.com');
    const other = await stranger.client['user.me']();
    expect(other).toMatchObject({
      name: 'Grace',
      email: 'Eve@example.com',
      company: { name: 'Elsewhere Ltd' },
    });
    expect(other.id).not.toBe(own.id);
    expect(other.company?.id).not.toBe(own.company?.id);
  });

  test.each(ALL_SCOPES)('is shown to a token with the scope %s alone', async (scope) => {
    const { access_token } = await harness().client['sandbox.token']({ body: { scopes: [scope] } });
    expect(await harness().clientWith(access_token)['user.me']()).toMatchObject(SENDER);
  });

  test('is shown to nothing but a valid access token', async () => {
    const tokenOf = async (body: { expires_in: number } | Record<string, never>) =>
      harness().client['sandbox.token']({ body });
    const { access_token: expired } = await tokenOf({ expires_in: 1 });
    const { refresh_token: refresh } = await tokenOf({});
    const { code } = await harness().client['sandbox.token']({ body: { kind: 'code' } });
    harness().clock.advance(1000);
    for (const [token, expected] of [
      [undefined, 'token_missing'],
      ['nonsense', 'token_invalid'],
      [`${harness().service.ownToken}x`, 'token_invalid'],
      [expired, 'token_expired'],
      [refresh, 'token_invalid'],
      [code, 'token_invalid'],
      [harness().service.controlSecret, 'token_invalid'],
    ] as const) {
      const no = await assertUnchanged(harness(), () => refusalOf(harness().clientWith(token)['user.me']()));
      expect(no).toMatchObject({ status: 401, code: expected });
    }
  });

  test('is at its path for GET alone', async () => {
    const problem = await problemFrom(harness(), 'POST /v1/user/me', { json: {} });
    expect(problem).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(problem.headers.get('allow')).toBe('GET');
  });
});
