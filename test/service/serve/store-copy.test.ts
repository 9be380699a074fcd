// A sandbox becomes a team server, which is backed up, restored and copied back to a directory: with the commands of docs/self-hosting.md, as
// they stand there. Only addresses and paths are others.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../../support/servers/postgres-server.ts';
import { startTeamNode } from '../../support/servers/team-nodes.ts';
import { codeBlocks } from '../../support/stories/code-blocks.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../../support/stories/story.ts';

const PAGE = fileURLToPath(new URL('../../../docs/self-hosting.md', import.meta.url));

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`a sandbox that becomes a team server${why}`, () => {
  let postgres: PostgresServer;
  let fixture: StoryFixture;
  let database: string;
  let restored: string;
  let id: string;
  let token: string;
  let sealed: Buffer;

  beforeAll(async () => {
    [postgres, fixture] = await Promise.all([startPostgresServer({ fsync: 'off' }), createStoryFixture()]);
    [database, restored] = await Promise.all([postgres.createDatabase(), postgres.createDatabase()]);
  });
  afterAll(async () => {
    await postgres?.close();
    await fixture?.close();
  });

  /** Runs a command that must succeed. @returns what it printed */
  async function run(command: string, env: Record<string, string> = {}): Promise<string> {
    const { code, out, err } = await runCommand({ ...fixture, env: { ...fixture.env, ...env } }, command);
    expect([command, code, code === 0 ? '' : err]).toEqual([command, 0, '']);
    return out;
  }

  /** Runs the blocks of a section. */
  async function runSection(heading: string): Promise<string> {
    const blocks = codeBlocks(await readFile(PAGE, 'utf8'), heading);
    expect(blocks.length).toBeGreaterThan(0);
    const code = blocks
      .map((block) => block.code)
      .join('\n')
      .replaceAll(
        '. ./esign.env',
        `export ESIGN_SERVE_DATABASE=${database} ESIGN_SERVE_KEY_FILE=$PWD/esign.key`,
      )
      .replaceAll('postgres://esign:PASSWORD@db.example.com:5432/esign_restored', restored)
      .replaceAll('postgres://esign:PASSWORD@db.example.com:5432/esign', database)
      .replaceAll('~/.local/share/esign/sandbox', '.esign/data/sandbox');
    expect(code).not.toContain('example.com');
    return run(`set -e\n${code}`);
  }

  test('is copied with its key', async () => {
    const sent = await run(
      'esign tx send contract.pdf --to "Ada <ada@example.com>" --field "signature@1:100,100,150x40" --sandbox --json',
    );
    ({ id } = JSON.parse(sent));
    await run(`esign sandbox sign ${id}`);
    await run(`esign tx wait ${id} --sandbox`);
    token = (await run('esign sandbox token --raw')).trim();
    const said = await runSection('From a sandbox to a team server, and back');
    expect(said).toMatch(/^installation\t[0-9a-f-]{36}$/m);
    expect(said).toMatch(/^table\tsealed_document\t1\t[0-9a-f]{64}$/m);
    const key = await readFile(join(fixture.folder, 'esign.key'));
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(said).not.toContain(key.toString(form));
  });

  /** Serves a database, and checks that the transaction is there. */
  async function checkServed(url: string): Promise<void> {
    const node = await startTeamNode({
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(fixture.folder, 'esign.key'),
      ESIGN_SERVE_ALLOW: 'mail',
    });
    const env = { ESIGN_BASE_URL: node.url, ESIGN_ACCESS_TOKEN: token };
    const shown = JSON.parse(await run(`esign tx show ${id} --json`, env));
    expect(shown.status).toBe('completed');
    const folder = `signed-${node.port}`;
    await run(`esign tx download ${id} -o ${folder}`, env);
    await run(`esign serve ca > root.pem`, {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(fixture.folder, 'esign.key'),
    });
    await run(`esign verify --trust root.pem ${folder}/contract.sealed.pdf`);
    const bytes = await readFile(join(fixture.folder, folder, 'contract.sealed.pdf'));
    sealed ??= bytes;
    expect(bytes.equals(sealed)).toBe(true);
    await node.kill();
  }

  test('shows its transactions as a team server, with documents that are valid', () => checkServed(database));

  test('is backed up, restored to an empty database, and served from there', async () => {
    const backedUp = await runSection('Backup');
    const said = await runSection('Restore');
    const contents = (text: string) => text.split('\n').filter((line) => /^(table|rows|files)/.test(line));
    expect(contents(said)).toEqual(contents(backedUp));
    await checkServed(restored);
  });

  test('is a sandbox again when it is copied back to a directory', async () => {
    const home = { ESIGN_HOME: 'again' };
    await run('mkdir -p again/data && mv team-copy again/data/sandbox');
    const shown = JSON.parse(await run(`esign tx show ${id} --sandbox --json`, home));
    expect(shown.status).toBe('completed');
    await run(`esign tx download ${id} --sandbox -o back`, home);
    expect((await readFile(join(fixture.folder, 'back', 'contract.sealed.pdf'))).equals(sealed)).toBe(true);
    await run('esign verify back/contract.sealed.pdf', home);
  });
});
