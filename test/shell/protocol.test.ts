// `esign __complete` is asked at every TAB: whatever it finds, it ends with 0 and says nothing on stderr.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoryFixture } from '../support/stories/story.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { keepProfiles, openFixtureWith, runShell, seen } from './shells.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

describe('asked by a shell', () => {
  let fixture: StoryFixture;
  const ask = async (line: string, env: Record<string, string | undefined> = {}, shell = 'bash') => {
    const { out, err, code } = await runShell(fixture, [process.execPath, PROGRAM, '__complete', shell], {
      ESIGN_COMPLETE_LINE: line,
      ESIGN_COMPLETE_BREAKS: ' \t\n"\'><=;|&(:',
      ...env,
    });
    expect([err, code]).toEqual(['', 0]);
    return out
      .split('\n')
      .slice(0, -1)
      .map((answer) => answer.split('\t')[0]);
  };
  beforeAll(async () => {
    fixture = await openFixtureWith([seen('tx-1')]);
    const home = (name: string) => join(fixture.folder, name);
    await mkdir(home('broken/config'), { recursive: true });
    await mkdir(home('broken/data/seen'), { recursive: true });
    await writeFile(home('broken/config/config.json'), '{"profile": "sand');
    const half = JSON.stringify(seen('tx-half')).slice(0, -3);
    const lines = ['null', '[]', '{}', '"x"', '{"kind":1,"id":2,"service":"sandbox","atMs":1}', half];
    const strange = { kind: 'transaction', id: 'tx-2', service: 'sandbox', atMs: 1, name: 7, people: 'x' };
    await writeFile(
      home('broken/data/seen/sandbox.ndjson'),
      `${[...lines, JSON.stringify(strange), '\u0000'.repeat(50)].join('\n')}\n`,
    );
    await mkdir(home('huge/data/seen'), { recursive: true });
    const filler = `${JSON.stringify(seen('old', { name: 'x'.repeat(1000) }))}\n`.repeat(20_000);
    await writeFile(
      home('huge/data/seen/sandbox.ndjson'),
      [seen('tx-forgotten'), filler, seen('tx-new')]
        .map((part) => (typeof part === 'string' ? part : `${JSON.stringify(part)}\n`))
        .join(''),
    );
    await mkdir(home('folders/data/seen/sandbox.ndjson'), { recursive: true });
    await mkdir(home('folders/config/config.json'), { recursive: true });
  });
  afterAll(() => fixture.close());

  const inHome = (name: string) => ({ ESIGN_HOME: join(fixture.folder, name) });

  test.each(
    sampleOf(
      [
        ['no ids', 'esign tx show ', [], { ESIGN_HOME: '/nonexistent' }],
        ['no HOME', 'esign tx sh', ['show'], { HOME: undefined, ESIGN_HOME: undefined }],
        ['credentials without a service', 'esign tx show ', [], { ESIGN_ACCESS_TOKEN: 'x' }],
        [
          'a service that only the environment names',
          'esign tx show ',
          [],
          { ESIGN_BASE_URL: 'https://a.example' },
        ],
        ['an address that is none', 'esign tx show ', [], { ESIGN_BASE_URL: 'nonsense' }],
        ['a profile that is not there', 'esign tx show ', [], { ESIGN_PROFILE: 'nosuch' }],
        [
          'the sandbox all the same',
          'esign --sandbox tx show ',
          ['tx-1'],
          { ESIGN_BASE_URL: 'https://a.example' },
        ],
        ['an open quote and a backslash at the end', 'esign tx "sh\\', [], {}],
      ],
      3,
    ),
  )('%s', async (_, line, offers, env) => {
    expect(await ask(line, env)).toEqual(['values', ...offers]);
  });

  test.skipIf(!SLOW)('offers what can be read of damaged files', async () => {
    expect(await ask('esign tx show ', inHome('broken'))).toEqual(['values', 'tx-2']);
    expect(await ask('esign sandbox sign tx-2 --as ', inHome('broken'))).toEqual(['values']);
    expect(await ask('esign --profile ', inHome('broken'))).toEqual(['values', 'sandbox']);
    expect(await ask('esign tx show ', inHome('folders'))).toEqual(['values']);
  });

  test.skipIf(!SLOW)('20 MB of what was seen: the end of it', async () => {
    expect(await ask('esign tx show tx', inHome('huge'))).toEqual(['values', 'tx-new']);
  });

  test.skipIf(!SLOW)('a profile of its own has ids of its own', async () => {
    await keepProfiles(fixture, { acme: { base_url: 'https://api.acme.example/' } });
    const line = 'esign tx show --profile acme ';
    expect(await ask(line)).toEqual(['values']);
    const { appendEntries, seenFileOf } = await import('../../src/cli/recent/store.ts');
    await appendEntries(seenFileOf(join(fixture.folder, '.esign/data/seen'), 'acme'), [
      seen('tx-acme', { service: 'https://api.acme.example' }),
      seen('tx-before', { service: 'https://before.acme.example' }),
    ]);
    expect(await ask(line)).toEqual(['values', 'tx-acme']);
  });

  test('answers nothing to a shell that is not known', async () => {
    expect(await ask('esign tx show ', {}, 'ksh')).toEqual([]);
  });
});
