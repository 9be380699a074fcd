// What the sandbox seals with, as the file of profiles and the environment say it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flattenSettings, parseConfig } from '../../src/config/config-file.ts';
import { chooseProfile } from '../../src/config/profile.ts';
import { sealingOf } from '../../src/config/sealing-and-mail.ts';

let folder: string;
let secret: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-sealing-config-'));
  secret = join(folder, 'secret');
  await writeFile(secret, 'two words ü\r\n');
});
afterAll(() => rm(folder, { recursive: true }));

const configOf = (sealing: unknown) =>
  parseConfig(JSON.stringify({ profiles: { sandbox: { sealing } } }), 'f');

describe('sealing in the file of profiles', () => {
  test('is of the sandbox, and listed with its whole keys', () => {
    const config = configOf({ p12: 'a.p12', level: 'T' });
    expect(chooseProfile({ sandbox: true }, {}, config).sealing).toEqual({ p12: 'a.p12', level: 'T' });
    expect(flattenSettings(config, undefined)).toEqual([
      { key: 'profiles.sandbox.sealing.p12', value: 'a.p12' },
      { key: 'profiles.sandbox.sealing.level', value: 'T' },
    ]);
  });

  test('is refused where it says something unknown, or is no text', () => {
    expect(() => configOf({ password: 'x' })).toThrow(
      'Unknown setting profiles.sandbox.sealing.password in f.',
    );
    expect(() => configOf({ level: 1 })).toThrow('profiles.sandbox.sealing.level in f must be a string.');
  });
});

describe('its password', () => {
  const p12 = { p12: 'a.p12' };

  test('comes from the environment, from a file of it, or from the file that is set, in this order', async () => {
    const set = { ...p12, password_file: secret };
    expect(await sealingOf(set, {})).toEqual({ ...p12, password: 'two words ü' });
    const other = join(folder, 'other');
    await writeFile(other, 'other');
    const named = { ESIGN_SEALING_PASSWORD_FILE: other };
    expect(await sealingOf(set, named)).toEqual({ ...p12, password: 'other' });
    expect(await sealingOf(set, { ...named, ESIGN_SEALING_PASSWORD: 'third' })).toEqual({
      ...p12,
      password: 'third',
    });
    expect(await sealingOf(p12, {})).toEqual(p12);
  });

  test('is not asked for where nothing else is set, and named where its file is missing', async () => {
    expect(await sealingOf({}, { ESIGN_SEALING_PASSWORD: 'x' })).toEqual({});
    await expect(sealingOf({ ...p12, password_file: join(folder, 'none') }, {})).rejects.toThrow(
      '(sealing.password_file)',
    );
  });
});
