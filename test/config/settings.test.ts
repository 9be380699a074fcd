import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ConfigRecord,
  flattenSettings,
  parseConfig,
  removeAt,
  setAt,
  valueAt,
} from '../../src/config/config-file.ts';
import { changeConfigFile } from '../../src/config/config-writer.ts';
import { chooseProfile } from '../../src/config/profile.ts';

const ROUTE = ['profiles', 'a', 'routes', 'transaction.cancel'];

describe('a setting in the file', () => {
  test('is put in, found, and leaves nothing empty behind', () => {
    const held: ConfigRecord = { later: 1 };
    setAt(held, ROUTE, 'POST /c');
    expect(held).toEqual({ later: 1, profiles: { a: { routes: { 'transaction.cancel': 'POST /c' } } } });
    expect(valueAt(held, ROUTE)).toBe('POST /c');
    removeAt(held, ROUTE);
    removeAt(held, ROUTE);
    expect(held).toEqual({ later: 1 });
  });

  test('names that every object has are names like others', () => {
    const held: ConfigRecord = {};
    expect(valueAt(held, ['constructor', 'name'])).toBeUndefined();
    setAt(held, ['profiles', 'constructor', 'base_url'], 'x');
    expect(valueAt(held, ['profiles', 'constructor', 'base_url'])).toBe('x');
    expect(Object.hasOwn(held.profiles as ConfigRecord, 'constructor')).toBe(true);
  });

  test('are listed with their whole key', () => {
    const config = parseConfig(
      '{"profile":"a","profiles":{"a":{"sender":"S","routes":{"file.upload":"POST /f"}},"b":{"idempotency":false}}}',
      'f',
    );
    expect(flattenSettings(config, undefined)).toEqual([
      { key: 'profile', value: 'a' },
      { key: 'profiles.a.sender', value: 'S' },
      { key: 'profiles.a.routes.file.upload', value: 'POST /f' },
      { key: 'profiles.b.idempotency', value: false },
    ]);
    expect(flattenSettings(config, 'b')).toEqual([{ key: 'profiles.b.idempotency', value: false }]);
  });
});

describe('the profile of the sandbox', () => {
  const stored = (sandbox: object) => ({ profiles: { sandbox } });

  test('makes ids of recipients, unless it says otherwise; one of another service only when it says so', () => {
    const chosen = (name: string, profile: object) =>
      chooseProfile({ sandbox: false, profile: name }, {}, { profiles: { [name]: profile } })
        .makesRecipientIds;
    const base_url = 'https://api.example.com';
    expect(chosen('sandbox', {})).toBe(true);
    expect(chosen('sandbox', { recipient_ids: 'none' })).toBe(false);
    expect(chosen('acme', { base_url })).toBe(false);
    expect(chosen('acme', { base_url, recipient_ids: 'generate' })).toBe(true);
    expect(() => chosen('acme', { base_url, recipient_ids: 'yes' })).toThrow(
      '"yes" is not a valid value for recipient_ids.',
    );
  });

  test('is heeded', () => {
    expect(
      chooseProfile({ sandbox: false }, {}, stored({ idempotency: false, routes: { x: 'GET /x' } })),
    ).toMatchObject({
      name: 'sandbox',
      remote: undefined,
      sender: undefined,
      idempotency: false,
      routes: { x: 'GET /x' },
    });
  });

  test('has no address, whatever the file says', () => {
    const profile = chooseProfile({ sandbox: true }, {}, stored({ base_url: 'https://x.example' }));
    expect(profile.remote).toBeUndefined();
  });
});

describe('writing', () => {
  test('a file that others could read is the user’s alone afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'esign-config-'));
    try {
      const file = join(folder, 'config.json');
      await writeFile(file, '{"later":1}', { mode: 0o644 });
      changeConfigFile(file, (held) => setAt(held, ROUTE, 'POST /c'));
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ later: 1 });
      expect(() =>
        changeConfigFile(file, () => {
          throw new Error('on the way');
        }),
      ).toThrow('on the way');
      expect(valueAt(JSON.parse(await readFile(file, 'utf8')), ROUTE)).toBe('POST /c');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
