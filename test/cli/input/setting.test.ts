import { describe, expect, test } from 'vitest';
import { parseSetting, pathWithin, settingValue } from '../../../src/cli/input/settings.ts';
import { nearest } from '../../../src/common/nearest.ts';

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    const { code, facts } = error as { code?: string; facts?: { code: string } };
    return facts?.code ?? code;
  }
  return undefined;
};

describe('a key', () => {
  test('of the profile in use, of a named one, of the file', () => {
    expect(parseSetting('base_url')).toEqual({ key: 'base_url', profile: undefined });
    expect(parseSetting('profiles.acme.routes.transaction.cancel')).toEqual({
      key: 'routes.transaction.cancel',
      profile: 'acme',
    });
    expect(parseSetting('profile')).toEqual({ key: 'profile', profile: undefined });
    expect(pathWithin('routes.transaction.cancel')).toEqual(['routes', 'transaction.cancel']);
  });

  test.each([
    '',
    'routes',
    'routes.',
    'routes.sandbox.reset',
    'profiles',
    'profiles.a',
    'profiles.a.profile',
    '__proto__',
    'profiles.a.toString',
    'x'.repeat(10_000),
  ])('%s is not known', (key) => {
    expect(codeOf(() => parseSetting(key))).toBe('key_unknown');
  });

  test.each(['token', 'ESIGN_ACCESS_TOKEN', 'client_secret', 'profiles.a.password', 'api-key', 'privateKey'])(
    '%s is no setting',
    (key) => {
      expect(codeOf(() => parseSetting(key))).toBe('key_is_secret');
    },
  );

  test('that is mistyped is answered with the nearest one', () => {
    expect(nearest('sendr', ['base_url', 'sender', 'idempotency'])).toBe('sender');
    expect(nearest('', [])).toBeUndefined();
  });
});

describe('a value', () => {
  test.each([
    ['base_url', 'https://api.example.com/x/', 'https://api.example.com/x'],
    ['app_url', 'http://127.0.0.1:8976', 'http://127.0.0.1:8976'],
    ['idempotency', 'false', false],
    ['sender', 'Ada <ada@example.com>', 'Ada <ada@example.com>'],
    ['routes.transaction.cancel', 'POST /v1/c/{transactionId}', 'POST /v1/c/{transactionId}'],
  ])('%s %s', (key, text, value) => {
    expect(settingValue(key, text)).toBe(value);
  });

  test.each([
    ['base_url', 'http://example.com', 'address_invalid'],
    ['dashboard_url', 'https://u:p@example.com', 'address_invalid'],
    ['idempotency', '1', 'value_invalid'],
    ['sender', 'Ada', 'email_invalid'],
    ['routes.transaction.cancel', 'post /v1/c', 'route_invalid'],
    ['routes.transaction.cancel', 'POST /v1/{id}', 'route_invalid'],
    ['routes.webhook.list', 'GET /v1/{id}', 'route_invalid'],
  ])('%s %s: %s', (key, text, code) => {
    expect(codeOf(() => settingValue(key, text))).toBe(code);
  });
});
