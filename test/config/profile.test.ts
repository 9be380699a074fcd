import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { pathsOf } from '../../src/config/environment.ts';
import { chooseProfile } from '../../src/config/profile.ts';

const NONE = { profiles: {} };
const ACME = {
  profiles: {
    acme: {
      base_url: 'https://api.acme.example/',
      idempotency: true,
      routes: { 'webhook.list': 'GET /v1/hooks' },
    },
  },
};
const no = { sandbox: false };

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

describe('which service', () => {
  test('is the sandbox where nothing is configured', () => {
    expect(chooseProfile(no, {}, NONE)).toMatchObject({
      name: 'sandbox',
      remote: undefined,
      idempotency: true,
    });
  });

  test.each(['ESIGN_ACCESS_TOKEN', 'ESIGN_CLIENT_ID', 'ESIGN_CLIENT_SECRET'])(
    '%s without a service is an error',
    (name) => {
      expect(codeOf(() => chooseProfile(no, { [name]: 'x' }, NONE))).toBe('service_missing');
      expect(chooseProfile({ sandbox: true }, { [name]: 'x' }, NONE).name).toBe('sandbox');
      expect(chooseProfile({ sandbox: false, profile: 'sandbox' }, { [name]: 'x' }, NONE).name).toBe(
        'sandbox',
      );
    },
  );

  test('is said by the environment', () => {
    const variables = {
      ESIGN_BASE_URL: 'https://api.example.com/x/',
      ESIGN_APP_URL: 'https://app.example.com',
      ESIGN_SENDER: 'S <s@x.y>',
    };
    expect(chooseProfile(no, variables, NONE)).toMatchObject({
      name: 'environment',
      remote: {
        baseUrl: 'https://api.example.com/x',
        appUrl: 'https://app.example.com',
        dashboardUrl: undefined,
      },
      sender: 'S <s@x.y>',
      idempotency: false,
    });
  });

  test('a profile named by a flag keeps its address, whatever the environment says', () => {
    const profile = chooseProfile(
      { sandbox: false, profile: 'acme' },
      { ESIGN_BASE_URL: 'https://other.example' },
      ACME,
    );
    expect(profile).toMatchObject({
      name: 'acme',
      remote: { baseUrl: 'https://api.acme.example' },
      idempotency: true,
      routes: { 'webhook.list': 'GET /v1/hooks' },
    });
  });

  test('the profile in use, and the one of ESIGN_PROFILE', () => {
    expect(chooseProfile(no, {}, { ...ACME, profile: 'acme' }).name).toBe('acme');
    expect(chooseProfile(no, { ESIGN_PROFILE: 'acme' }, ACME).name).toBe('acme');
    expect(codeOf(() => chooseProfile(no, { ESIGN_PROFILE: 'nobody' }, ACME))).toBe('profile_unknown');
    expect(codeOf(() => chooseProfile({ sandbox: false, profile: '__proto__' }, {}, ACME))).toBe(
      'profile_unknown',
    );
  });

  test.each([
    'http://example.com',
    'ftp://example.com',
    'example.com',
    'https://u:p@example.com',
    'https://example.com?x=1',
  ])('an access token does not go to %s', (address) => {
    expect(codeOf(() => chooseProfile(no, { ESIGN_BASE_URL: address }, NONE))).toBe('address_invalid');
  });

  test('may be at an http address on this machine', () => {
    for (const host of ['127.0.0.1:1', 'localhost:1', '[::1]:1'])
      expect(chooseProfile(no, { ESIGN_BASE_URL: `http://${host}` }, NONE).remote?.baseUrl).toBe(
        `http://${host}`,
      );
  });

  test('two services at once are an error', () => {
    expect(codeOf(() => chooseProfile({ sandbox: true, profile: 'acme' }, {}, ACME))).toBe(
      'profile_conflict',
    );
  });

  test('has settings from ESIGN_IDEMPOTENCY and ESIGN_ROUTES', () => {
    expect(chooseProfile(no, { ESIGN_IDEMPOTENCY: '0' }, NONE).idempotency).toBe(false);
    expect(codeOf(() => chooseProfile(no, { ESIGN_IDEMPOTENCY: 'perhaps' }, NONE))).toBe('variable_invalid');
    const variables = {
      ESIGN_BASE_URL: 'https://x.example',
      ESIGN_ROUTES: '{"transaction.cancel":"POST /v1/c"}',
    };
    expect(chooseProfile(no, variables, NONE).routes).toEqual({ 'transaction.cancel': 'POST /v1/c' });
    for (const ESIGN_ROUTES of ['x', '[]', '{"a":1}', '{"a":"somewhere"}'])
      expect(codeOf(() => chooseProfile(no, { ...variables, ESIGN_ROUTES }, NONE))).toBe('variable_invalid');
  });
});

describe('the file of profiles', () => {
  test.each([
    '',
    '[]',
    '{"profiles":[]}',
    '{"profiles":{"a":1}}',
    '{"profiles":{"a":{"base_url":1}}}',
    '{"profiles":{"a":{"routes":{"x":1}}}}',
    '{"profile":1}',
  ])('%s is refused', (text) => {
    expect(codeOf(() => parseConfig(text, 'config.json'))).toBe('config_invalid');
  });

  test('what it does not know is left alone', () => {
    expect(
      parseConfig('{"profiles":{"a":{"base_url":"https://x.y","colour":"red"}},"later":1}', 'f'),
    ).toEqual({
      profiles: { a: { base_url: 'https://x.y' } },
    });
  });
});

describe('where things are stored', () => {
  const at = (variables: Record<string, string>) =>
    pathsOf({ variables, homeDir: '/home/ada', workingDir: '/somewhere' });

  test('follows XDG, ESIGN_HOME and relative paths', () => {
    expect(at({})).toMatchObject({
      configFile: '/home/ada/.config/esign/config.json',
      sandboxDir: '/home/ada/.local/share/esign/sandbox',
    });
    expect(at({ XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'relative' })).toMatchObject({
      dataDir: '/data/esign',
      configDir: '/home/ada/.config/esign',
    });
    expect(at({ ESIGN_HOME: 'here', XDG_DATA_HOME: '/data' })).toMatchObject({
      dataDir: '/somewhere/here/data',
      configDir: '/somewhere/here/config',
    });
  });
});
