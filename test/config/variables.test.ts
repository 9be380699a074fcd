// Every variable ESIGN_* that the source reads or names is described in `esign help environment`, and every variable that is described is read.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { topicPage } from '../../src/cli/describe/topics.ts';
import { TREE } from '../../src/cli/tree.ts';
import { CREDENTIAL_VARIABLES } from '../../src/config/profile.ts';
import { MAIL_KEYS, SEALING_KEYS } from '../../src/config/sealing-and-mail.ts';
import { readServeSettings } from '../../src/config/serve.ts';
import { SERVE_SETTINGS, serveVariables } from '../../src/config/serve-settings.ts';

/** Processes of esign and its completion scripts set these for each other. */
const INTERNAL = /^ESIGN_(?:COMPLETE_(?:BREAKS|CURRENT|LINE|WORDS)|UNPACKED|WORKER_WARNINGS)$/;
/** A command for curl that is printed for another program has this variable, and `sandbox token` writes it to a file. */
const PRINTED = 'ESIGN_CONTROL_SECRET';
const SECRETS = [...CREDENTIAL_VARIABLES, 'ESIGN_SEALING_PASSWORD', 'ESIGN_SMTP_PASSWORD'];

const NAME = /\bESIGN_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g;
const namesIn = (text: string): string[] => text.match(NAME) ?? [];
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(`src/${path}`, 'utf8').replaceAll(COMMENT, ''));
const described = unique(namesIn(JSON.stringify(await topicPage('environment', TREE))));
const serving = Object.keys(SERVE_SETTINGS).flatMap(serveVariables);

test('variables that the source names are described', () => {
  const named = sources.flatMap(namesIn).filter((name) => !INTERNAL.test(name) && name !== PRINTED);
  expect(unique(named).filter((name) => !described.includes(name))).toEqual([]);
});

test('variables that are described are read', () => {
  const read = sources.flatMap((text) => [
    ...text.matchAll(/'(ESIGN_\w+)'|\.(ESIGN_\w+)|[{,] (ESIGN_\w+)(?=[,: ])/g),
  ]);
  const names = read.map(([, literal, property, destructured]) => literal ?? property ?? destructured ?? '');
  const groups = Object.entries({ SEALING: SEALING_KEYS, MAIL: MAIL_KEYS }).flatMap(([group, keys]) =>
    keys.map((key) => `ESIGN_SERVE_${group}_${key.toUpperCase()}`),
  );
  const all = [...names, ...SECRETS.map((name) => `${name}_FILE`), ...serving, ...groups];
  expect(described).toEqual(unique(all.filter((name) => !INTERNAL.test(name) && name !== PRINTED)));
});

test('a team server reads each of its settings', async () => {
  const read = new Set<string>();
  const set = {
    ESIGN_SERVE_DATABASE: 'postgres://db.example.com/esign',
    ESIGN_SERVE_KEY: 'ab'.repeat(32),
    ESIGN_SERVE_BLOBS: 's3://documents',
    ESIGN_SERVE_S3_REGION: 'eu-central-1',
  };
  for (const start of ['AWS', 'ESIGN_SERVE_S3'])
    await readServeSettings(
      {},
      new Proxy<Record<string, string>>(
        { ...set, [`${start}_ACCESS_KEY_ID`]: 'id', [`${start}_SECRET_ACCESS_KEY`]: 'secret' },
        {
          get(target, name) {
            read.add(String(name));
            return Reflect.get(target, name);
          },
        },
      ),
    );
  expect([...read].filter((name) => name.startsWith('ESIGN_')).sort()).toEqual([...serving].sort());
});
