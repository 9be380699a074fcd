// What `esign doctor --report` shows to the readers of an issue: nothing secret, nothing about persons.
import { expect, test } from 'vitest';
import { failure, passed } from '../../../../src/cli/checks/check.ts';
import { renderReport } from '../../../../src/cli/commands/doctor/report.ts';

const HOME = '/home/ada.lovelace';
const TOKEN = 'tok-9f8e7d';
const LONG = 'q7Zk1Vb93mXc0LpR5tYw2NsA8dGf4HjE';

const environment = {
  homeDir: HOME,
  workingDir: `${HOME}/work`,
  variables: {
    ESIGN_ACCESS_TOKEN: TOKEN,
    ESIGN_CLIENT_SECRET: 'client secret with spaces',
    ESIGN_HOME: `${HOME}/esign`,
    ESIGN_SENDER: 'Ada <ada@example.com>',
    NODE_OPTIONS: '--max-old-space-size=4096',
    HTTPS_PROXY: 'http://ada:hunter22@proxy.example.com:3128',
    AWS_SECRET_ACCESS_KEY: 'AKIAunrelated',
    SHELL: '/bin/zsh',
  },
};

const REPORT = renderReport({
  version: '1.2.3',
  environment,
  settings: [
    { key: 'profile', value: 'acme' },
    { key: 'profiles.acme.base_url', value: 'https://sign.acme.example/api?key=abc' },
    { key: 'profiles.acme.client_id', value: 'client-17' },
    { key: 'profiles.acme.sender', value: 'Ada <ada@example.com>' },
    { key: 'profiles.acme.redirect_uri', value: true },
    { key: 'profiles.acme.routes.transaction.cancel', value: 'POST /v1/cancel' },
    { key: 'profiles.sandbox.mail.user', value: 'ada' },
  ],
  checks: [
    {
      name: 'folders',
      ...passed(`Settings in ${HOME}/esign/config; also /Users/grace/Library and C:\\Users\\Eve\\x.`),
    },
    {
      name: 'access',
      ...failure(4, `The token ${TOKEN} of ada@example.com was refused.`, `Or was it ${LONG}?`),
    },
    { name: 'proxy', ...passed('Through http://ada:hunter22@proxy.example.com:3128/?a=b (HTTPS_PROXY).') },
    { name: 'browser', ...passed('DBUS_SESSION_BUS_ADDRESS is not set, ABCDEFGHIJKLMNOPQRSTUVWXYZ is.') },
    { name: 'mail', ...passed('client secret with spaces, \u001b[31mred\nnext line') },
  ],
});

test('versions, checks, settings and variables are there', () => {
  expect(REPORT).toContain('- esign 1.2.3\n');
  expect(REPORT).toContain(`- Node ${process.versions.node}\n`);
  expect(REPORT).toContain(
    '- **fail** access: The token (secret) of (email) was refused. Or was it (key)?\n',
  );
  expect(REPORT).toContain('- **ok** folders: Settings in ~/esign/config; also ~/Library and ~\\x.\n');
  expect(REPORT).toContain('- **ok** proxy: Through http://proxy.example.com:3128/ (HTTPS_PROXY).\n');
  expect(REPORT).toContain('browser: DBUS_SESSION_BUS_ADDRESS is not set, (key) is.\n');
  expect(REPORT).toContain('- `profile`: acme\n');
  expect(REPORT).toContain('- `profiles.acme.redirect_uri`: true\n');
  expect(REPORT).toContain('- `profiles.acme.routes.transaction.cancel`: POST /v1/cancel\n');
  expect(REPORT).toContain('- `profiles.acme.client_id`: (set)\n');
  expect(REPORT).toContain(
    '\nESIGN_ACCESS_TOKEN, ESIGN_CLIENT_SECRET, ESIGN_HOME, ESIGN_SENDER, HTTPS_PROXY, NODE_OPTIONS\n',
  );
});

test.each([
  TOKEN,
  LONG,
  'client secret',
  'hunter22',
  'ada',
  'lovelace',
  'grace',
  'Eve',
  '@',
  'client-17',
  'sign.acme.example',
  'key=abc',
  'AKIA',
  'zsh',
  '4096',
  '\u001b',
])('%j is not in it', (secret) => {
  expect(REPORT).not.toContain(secret);
});

test('what comes from outside stays on its line', () => {
  expect(REPORT).toContain('- **ok** mail: (secret), \\u{1b}[31mred\\nnext line\n');
});
