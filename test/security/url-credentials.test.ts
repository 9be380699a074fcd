// A password in a URL, wherever a URL can be given: it is in nothing that the program says, as text or as JSON.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutCredentials } from '../../src/cli/command/url-credentials.ts';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const PASSWORD = 'hunter2';
const VARIABLES = [
  'ESIGN_BASE_URL',
  'ESIGN_DASHBOARD_URL',
  'ESIGN_APP_URL',
  'ESIGN_CALLBACK_URL',
  'ESIGN_DELIVERY_PROXY',
  'HTTPS_PROXY',
];
const COMMANDS = [
  'whoami',
  'doctor',
  'tx show x',
  'tx show x --debug',
  'tx send contract.pdf --to ada@example.com',
  'login --no-browser',
  'config list',
  'sandbox status',
];
const ARGUMENTS = [
  'config set base_url URL',
  'config set dashboard_url URL',
  'config set callback_url URL',
  'config set mail.smtp URL',
  'config set sealing.tsa URL --sandbox',
  'config get sealing.tsa --sandbox',
  'config list',
  'login --base-url URL',
  'profile create x --base-url URL',
  'webhooks create URL',
  'events listen --forward-to URL --no-input',
  'events listen --tunnel URL',
];

let program: BuiltProgram;
beforeAll(async () => {
  program = await openBuiltProgram();
});
afterAll(() => program.close());

const SHAPES = [
  ['plainly', `http://ada:${PASSWORD}@host.example`],
  ...(SLOW ? [['with a slash in it', `http://ada:${PASSWORD}/rest@host.example`]] : []),
];

describe.each(SHAPES)('a password in a URL, %s', (_shape, url) => {
  const expectUnsaid = async (words: string, env: Record<string, string> = {}) => {
    for (const more of [[], ['--json']]) {
      const { out, err } = await program.run([...words.split(' '), ...more], { ESIGN_TIMEOUT: '1', ...env });
      expect(out + err, words).not.toContain(PASSWORD);
    }
  };

  test.each(sampleOf(VARIABLES, 6))('is not said when %s has it', async (name) => {
    const service = { ESIGN_BASE_URL: 'http://127.0.0.1:9', ESIGN_ACCESS_TOKEN: 'token' };
    for (const words of sampleOf(COMMANDS, 4)) await expectUnsaid(words, { ...service, [name]: url });
  });

  test('is not said when it is given as a setting or an argument', async () => {
    // A command that follows events would not end: it is refused, because the service does not answer.
    const elsewhere = { ESIGN_BASE_URL: 'http://127.0.0.1:9', ESIGN_ACCESS_TOKEN: 'token' };
    for (const line of sampleOf(ARGUMENTS, 3))
      await expectUnsaid(line.replace('URL', url), line.startsWith('events') ? elsewhere : {});
  });
});

test.each([
  ['"http://ada:secret@host" is not valid', '"http://***@host" is not valid'],
  ['https://token@host/path?a=b', 'https://***@host/path?a=b'],
  ['smtp://ada:se/cr#et@host:25', 'smtp://***@host:25'],
  ['http://a:b@one, http://c:d@two', 'http://***@one, http://***@two'],
  ['http://localhost:4600/x?email=ada@example.com', 'http://localhost:4600/x?email=ada@example.com'],
  ['http://localhost:4600', 'http://localhost:4600'],
  ['http://host/@ada', 'http://host/@ada'],
  ['ada@example.com', 'ada@example.com'],
])('%s is said as %s', (text, said) => {
  expect(withoutCredentials(text)).toBe(said);
});
