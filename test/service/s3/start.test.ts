// A team server whose files are in a bucket: nodes share them, wrong settings are refused by name, a killed node leaves nothing half, copies
// and backups have them, and no key is printed.
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { needsSwift, type SwiftServer, startSwiftServer } from '../../support/servers/swift-server.ts';
import { addTeamToken } from '../../support/servers/team-access.ts';
import { createTeamClient } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../../support/stories/story.ts';
import { unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsSwift());

/** The server accepts any value. It is sent as a header that the signature covers. */
const SESSION_TOKEN = 'a-session-token-of-the-bucket';

type Finding = { name: string; state: string; message: string; hint: string | null };

describe.skipIf(skip)(`a team server with files in a bucket${why}`, () => {
  let swift: SwiftServer;
  let fixture: StoryFixture;
  let url: string;
  let env: Record<string, string>;
  let token: string;
  const databases: string[] = [];
  /** Everything that was printed. */
  const said: string[] = [];

  const createDatabase = async () => {
    const made = await sharedPostgres().createDatabase();
    databases.push(made);
    return made;
  };
  const ran = async (command: string, more: Record<string, string | undefined> = {}) => {
    const given = Object.entries({ ...fixture.env, ...env, ...more }).filter(
      ([, value]) => value !== undefined,
    );
    const result = await runCommand(
      { ...fixture, env: Object.fromEntries(given) as Record<string, string> },
      command,
    );
    said.push(result.out, result.err);
    return result;
  };

  beforeAll(async () => {
    [swift, fixture, url] = await Promise.all([startSwiftServer(), createStoryFixture(), createDatabase()]);
    await swift.send('PUT', '/documents');
    env = {
      ...swift.env('s3://documents/team'),
      ESIGN_SERVE_S3_SESSION_TOKEN: SESSION_TOKEN,
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY: 'ab'.repeat(32),
      ESIGN_SERVE_ALLOW: 'mail',
    };
  });
  afterAll(async () => {
    for (const made of databases) await sharedPostgres().dropDatabase(made);
    await swift?.close();
    await fixture?.close();
  });

  const blobCheck = async (more: Record<string, string>) => {
    const { code, out, err } = await ran('esign serve --check --json', {
      ESIGN_SERVE_DATABASE: await createDatabase(),
      ...more,
    });
    const { checks = [] } = JSON.parse(out || '{}') as { checks?: Finding[] };
    return { code, err, ...checks.find(({ name, state }) => name === 'blobs' || state === 'fail') };
  };

  test.each<[string, () => Promise<Record<string, string>>, string]>([
    [
      'a bucket that does not exist',
      async () => ({ ESIGN_SERVE_BLOBS: 's3://missing' }),
      'The bucket "missing" does not exist',
    ],
    [
      'a wrong secret',
      async () => ({ ESIGN_SERVE_S3_SECRET_ACCESS_KEY: 'a-wrong-secret' }),
      'refuses the keys',
    ],
    ['an unknown key', async () => ({ ESIGN_SERVE_S3_ACCESS_KEY_ID: 'test:nobody' }), 'refuses the keys'],
    [
      'another region',
      async () => ({ ESIGN_SERVE_S3_REGION: 'eu-central-1' }),
      'not in the region eu-central-1, but in us-east-1',
    ],
    [
      'an endpoint where nothing listens',
      async () => ({ ESIGN_SERVE_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }),
      'the connection was refused',
    ],
    [
      'an endpoint without TLS',
      async () => ({ ESIGN_SERVE_S3_ENDPOINT: swift.url.replace('http:', 'https:') }),
      'does not serve TLS',
    ],
  ])('%s is refused by name, and nothing is remembered', async (_, settings, message) => {
    const found = await blobCheck(await settings());
    expect(found).toMatchObject({
      code: 7,
      name: 'blobs',
      state: 'fail',
      message: expect.stringContaining(message),
    });
    expect(found.hint).toBeTruthy();
    const meta = await sharedPostgres().run(`select key from meta`, databases.at(-1));
    expect(meta).toEqual([]);
    expect(await swift.list('documents')).toEqual([]);
  });

  test('a page of a file that one node got is drawn by another one', async () => {
    expect((await blobCheck({ ESIGN_SERVE_DATABASE: url })).message).toBe(
      `An object was written to s3://documents/team at ${swift.url}, read and removed.`,
    );
    await ran(
      'echo "correct horse battery" | esign serve user add "Ada <ada@example.com>" --company Engines --password-file - --json',
    );
    const nodes: TeamNode[] = [await startTeamNode(env), await startTeamNode(env)];
    token = await addTeamToken({
      url,
      key: Buffer.from('ab'.repeat(32), 'hex'),
      folder: join(fixture.folder, 'copies'),
      migrates: false,
      s3: {
        location: 's3://documents/team',
        access: {
          endpoint: swift.url,
          region: swift.region,
          isPathStyle: true,
          accessKeyId: swift.accessKey,
          secretAccessKey: swift.secret,
          sessionToken: undefined,
        },
      },
    });
    const sent = await ran(
      'esign tx send contract.pdf --to "Bob <bob@example.com>" --sender "Sandbox Sender <sender@esign.test>" --json',
      { ESIGN_BASE_URL: nodes[0]?.url, ESIGN_ACCESS_TOKEN: token },
    );
    expect(sent.code).toBe(0);
    // The other node has no copy of the file.
    const other = createTeamClient(nodes[1]?.url ?? '', token);
    const [file] = await sharedPostgres().run<{ id: string }>('select id from file', url);
    const [page] = await sharedPostgres().run<{ file_id: string }>('select file_id from page', url);
    const read = async (fileId = '') =>
      Buffer.from((await other['file.content']({ params: { fileId } })).bytes);
    expect((await read(file?.id)).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await read(page?.file_id)).subarray(1, 4).toString()).toBe('PNG');
    const objects = await swift.list('documents');
    expect(objects.filter((name) => name.startsWith('team/blobs/')).length).toBeGreaterThan(0);
    expect(objects).toContain('team/installation');
    for (const node of nodes) {
      said.push(node.log());
      await node.kill();
    }
  });

  test('a node that is killed while it uploads leaves no row without its bytes', async () => {
    const contract = await readFile(join(fixture.folder, 'contract.pdf'));
    const names = Array.from({ length: 8 }, (_, index) => `large-${index}.pdf`);
    // Each has a comment of its own at its end, so that each is another blob.
    for (const name of names)
      await writeFile(join(fixture.folder, name), Buffer.concat([contract, Buffer.from(`% ${name}\n`)]));
    const node = await startTeamNode(env);
    const client = createTeamClient(node.url, token);
    const uploads = names.map(async (name) => {
      const content = new Blob([new Uint8Array(await readFile(join(fixture.folder, name)))]);
      return client['file.upload']({ form: { name }, file: { name, content } }).catch(() => undefined);
    });
    expect(await Promise.race(uploads)).toHaveProperty('token');
    await node.kill();
    const answers = await Promise.all(uploads);
    expect(answers).toContain(undefined);
    said.push(node.log());
    const rows = await sharedPostgres().run<{ sha256: string }>(
      'select original_sha256 as sha256 from file union select pdf_sha256 from file',
      url,
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { sha256 } of rows) {
      const object = await swift.send('GET', `/documents/team/blobs/${sha256}`);
      expect(
        createHash('sha256')
          .update(Buffer.from(await object.arrayBuffer()))
          .digest('hex'),
      ).toBe(sha256);
    }
  });

  test('a node that says another place, or none, is refused', async () => {
    const none = {
      ESIGN_SERVE_BLOBS: undefined,
      ESIGN_SERVE_S3_ENDPOINT: undefined,
      ESIGN_SERVE_S3_PATH_STYLE: undefined,
      ESIGN_SERVE_S3_ACCESS_KEY_ID: undefined,
      ESIGN_SERVE_S3_SECRET_ACCESS_KEY: undefined,
      ESIGN_SERVE_S3_SESSION_TOKEN: undefined,
    };
    for (const other of [{ ESIGN_SERVE_BLOBS: 's3://documents/other' }, none]) {
      const { code, err } = await ran('esign serve migrate --json', other);
      expect([code, JSON.parse(err).error]).toEqual([
        2,
        expect.objectContaining({
          code: 'installation_foreign',
          message: expect.stringContaining('s3://documents/team'),
        }),
      ]);
    }
  });

  test('the place of another installation is refused, and so is an empty one', async () => {
    const taken = await blobCheck({});
    expect(taken).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('belongs to the installation'),
    });
    const emptied = await startSwiftServer();
    await emptied.send('PUT', '/documents');
    const { err } = await ran('esign serve migrate --json', emptied.env('s3://documents/team'));
    expect(JSON.parse(err).error.message).toContain('has nothing of the installation');
    await emptied.close();
  });

  test('is copied to another prefix, and backed up and restored into a database', async () => {
    const [copy, restored] = [await createDatabase(), await createDatabase()];
    const copied = await ran(
      `esign store copy --from ${url} --to ${copy} --to-blobs s3://documents/copy --json`,
    );
    expect([copied.code, copied.err]).toEqual([0, '']);
    const served = { ESIGN_SERVE_DATABASE: copy, ESIGN_SERVE_BLOBS: 's3://documents/copy' };
    expect((await ran('esign serve migrate --json', served)).code).toBe(0);
    const objects = await swift.list('documents');
    const count = (prefix: string) => objects.filter((name) => name.startsWith(`${prefix}/blobs/`)).length;
    expect(count('copy')).toBe(JSON.parse(copied.out).blobs.count);
    const saved = await ran(`esign store backup team.zip --from ${copy} --json`);
    expect([saved.code, saved.err]).toEqual([0, '']);
    const back = await ran(`esign store restore team.zip --to ${restored} --json`);
    expect([back.code, back.err]).toEqual([0, '']);
    expect(JSON.parse(back.out).blobs).toEqual(JSON.parse(copied.out).blobs);
    const again = await createDatabase();
    const taken = await ran(
      `esign store copy --from ${url} --to ${again} --to-blobs s3://documents/copy --json`,
    );
    expect(JSON.parse(taken.err).error.message).toContain('belongs to the installation');
    const folder = await ran(
      `esign store restore team.zip --to ${join(fixture.folder, 'x')} --to-blobs s3://documents/x --json`,
    );
    expect([folder.code, JSON.parse(folder.err).error.message]).toEqual([
      2,
      expect.stringContaining('--to-blobs'),
    ]);
    await rm(join(fixture.folder, 'team.zip'));
  });

  test('no key was printed', () => {
    expect(said.length).toBeGreaterThan(10);
    for (const text of said) {
      expect(text).not.toContain(swift.secret);
      expect(text).not.toContain(SESSION_TOKEN);
      expect(text).not.toContain('a-wrong-secret');
      expect(text).not.toContain(swift.accessKey);
    }
  });
});
