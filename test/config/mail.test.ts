// How the sandbox sends mail, as the file of profiles and the environment say it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/api/contract/languages.ts';
import { parseSetting, pathWithin, settingValue } from '../../src/cli/input/settings.ts';
import { flattenSettings, parseConfig } from '../../src/config/config-file.ts';
import { chooseProfile } from '../../src/config/profile.ts';
import { MAIL_LANGUAGES, mailOf } from '../../src/config/sealing-and-mail.ts';

let folder: string;
let secret: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-mail-config-'));
  secret = join(folder, 'secret');
  await writeFile(secret, 'two words ü\r\n');
});
afterAll(() => rm(folder, { recursive: true }));

const from = 'no-reply@example.com';

describe('mail in the file of profiles', () => {
  const configOf = (mail: unknown) => parseConfig(JSON.stringify({ profiles: { sandbox: { mail } } }), 'f');

  test('is of the sandbox, and listed with its whole keys', () => {
    const config = configOf({ smtp: 'mail.example.com', from });
    expect(chooseProfile({ sandbox: true }, {}, config).mail).toEqual({ smtp: 'mail.example.com', from });
    expect(flattenSettings(config, undefined)).toEqual([
      { key: 'profiles.sandbox.mail.smtp', value: 'mail.example.com' },
      { key: 'profiles.sandbox.mail.from', value: from },
    ]);
  });

  test('is refused where it says something unknown', () => {
    expect(() => configOf({ password: 'x' })).toThrow('Unknown setting profiles.sandbox.mail.password in f.');
  });

  test('is set by keys of its own', () => {
    expect(parseSetting('mail.smtp')).toEqual({ key: 'mail.smtp', profile: undefined });
    expect(pathWithin('mail.dkim_key')).toEqual(['mail', 'dkim_key']);
    expect(settingValue('mail.language', 'de')).toBe('de');
    expect(() => settingValue('mail.language', 'tlh')).toThrow(
      '"tlh" is not a valid value for mail.language.',
    );
    expect(() => parseSetting('mail.password')).toThrow('The configuration stores no secrets.');
  });
});

describe('mail that is sent', () => {
  test('stays inside unless a server is named', async () => {
    expect(await mailOf({ language: 'nl' }, {})).toEqual({
      from: 'no-reply@esign.test',
      language: 'nl',
      smtp: undefined,
    });
  });

  test.each([
    ['mail.example.com', undefined, { host: 'mail.example.com', port: 587, tls: 'starttls' }],
    ['mail.example.com', 'tls', { host: 'mail.example.com', port: 465, tls: 'tls' }],
    ['mail.example.com:2525', undefined, { host: 'mail.example.com', port: 2525, tls: 'starttls' }],
    ['127.0.0.1', 'none', { host: '127.0.0.1', port: 25, tls: 'none' }],
    ['[::1]:1025', 'none', { host: '::1', port: 1025, tls: 'none' }],
    ['localhost:1025', 'none', { host: 'localhost', port: 1025, tls: 'none' }],
  ])('goes to %s with tls %s', async (smtp, tls, expected) => {
    expect((await mailOf({ smtp, from, ...(tls && { tls }) }, {})).smtp).toEqual(expected);
  });

  test.each([
    [
      'a server that is none',
      { smtp: 'https://mail.example.com' },
      'is not a valid mail server (mail.smtp).',
    ],
    ['a port that is none', { smtp: 'mail.example.com:0' }, 'is not a valid mail server (mail.smtp).'],
    ['too great a port', { smtp: 'mail.example.com:70000' }, 'is not a valid mail server (mail.smtp).'],
    [
      'another way of encryption',
      { smtp: 'a.example', tls: 'ssl' },
      '"ssl" is not a valid value for mail.tls.',
    ],
    [
      'no encryption to another machine',
      { smtp: 'a.example', tls: 'none' },
      'a.example is not this machine.',
    ],
    [
      'no encryption to one that looks like this',
      { smtp: '127.0.0.1.evil.example', tls: 'none' },
      'not this machine',
    ],
    ['no address to send from', { smtp: 'a.example', from: undefined }, 'mail.from is not.'],
    [
      'a name beside the address',
      { from: 'Sam <sam@example.com>' },
      'is not a valid email address (mail.from).',
    ],
    [
      'a line end in the address',
      { from: 'a@example.com\r\nBcc: x@example.com' },
      'is not a valid email address (mail.from).',
    ],
    ['a user without a password', { smtp: 'a.example', user: 'sam' }, 'there is no password.'],
    ['half of DKIM', { smtp: 'a.example', dkim_domain: 'example.com' }, 'The DKIM settings are incomplete.'],
    [
      'a selector that is none',
      { dkim_selector: 'a; b=c' },
      'is not a valid DNS name for mail.dkim_selector.',
    ],
  ])('is refused for %s', async (_, given, says) => {
    const stored = Object.fromEntries(
      Object.entries({ from, ...given }).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    await expect(mailOf(stored, {})).rejects.toThrow(says);
  });

  test('logs in with a password from the environment, a file named there, or a file that is set', async () => {
    const stored = { smtp: 'a.example', from, user: 'sam' };
    const passwordOf = async (more: Record<string, string>, variables: Record<string, string>) =>
      (await mailOf({ ...stored, ...more }, variables)).smtp?.password;
    const both = { ESIGN_SMTP_PASSWORD: 'given', ESIGN_SMTP_PASSWORD_FILE: secret };
    expect(await passwordOf({ password_file: secret }, both)).toBe('given');
    expect(await passwordOf({}, { ESIGN_SMTP_PASSWORD_FILE: secret })).toBe('two words ü');
    expect(await passwordOf({ password_file: secret }, {})).toBe('two words ü');
    await expect(passwordOf({ password_file: `${secret}-none` }, {})).rejects.toThrow('(mail.password_file)');
  });

  test('is signed by DKIM where all of it is set', async () => {
    const stored = {
      smtp: 'a.example',
      from,
      dkim_domain: 'example.com',
      dkim_selector: 's1',
      dkim_key: 'k.pem',
    };
    expect((await mailOf(stored, {})).smtp?.dkim).toEqual({
      domain: 'example.com',
      selector: 's1',
      key: 'k.pem',
    });
  });

  test('speaks the languages of the signing pages', () => {
    expect([...MAIL_LANGUAGES].sort()).toEqual(Object.keys(LANGUAGES).sort());
  });
});
