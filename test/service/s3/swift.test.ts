// Blobs in a bucket of a real foreign server of S3, which verifies signatures: two nodes, damage, refusals of a start, and no key anywhere.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { instantOf } from '../../../src/common/instant.ts';
import { readS3Access } from '../../../src/config/s3.ts';
import { DamagedStoreError } from '../../../src/database/database.ts';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { openBucket } from '../../../src/service/s3/bucket.ts';
import type { S3Limits } from '../../../src/service/s3/client.ts';
import type { S3Access } from '../../../src/service/s3/failures.ts';
import { type Blobs, createBlobs } from '../../../src/service/store/blobs/blobs.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { type AlteringProxy, startAlteringProxy } from '../../support/servers/altering-proxy.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { needsSwift, type SwiftServer, startSwiftServer } from '../../support/servers/swift-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsSwift());

const HOUR_MS = 60 * 60_000;

describe.skipIf(skip)(`blobs in a bucket${why}`, () => {
  let swift: SwiftServer;
  let url: string;
  let bucket: string;
  let nodes: { blobs: Blobs; folder: string; close(): Promise<void> }[];

  const openNode = async (access: S3Access = swift.access, limits?: S3Limits) => {
    const folder = await temporaryFolder();
    const database = await openPostgres<Tables>({
      ...connectPostgres({ url }),
      migrations: migrations('postgres'),
    });
    const facts = { now: () => instantOf(Date.now()), random: randomBytes, newId: randomUUID };
    const place = openBucket({ location: `s3://${bucket}/files`, access, limits }, facts);
    return {
      folder,
      blobs: place.blobs(database, createBlobs(join(folder, 'blobs'), randomUUID)),
      async close() {
        await database.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  beforeAll(async () => {
    swift = await startSwiftServer();
  });
  afterAll(() => swift?.close());
  beforeEach(async () => {
    bucket = `b-${randomUUID()}`;
    expect((await swift.send('PUT', `/${bucket}`)).status).toBe(200);
    url = await sharedPostgres().createDatabase();
    nodes = [await openNode(), await openNode()];
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await sharedPostgres().dropDatabase(url);
  });
  const node = (index: number) => nodes[index] as (typeof nodes)[number];
  const run = (text: string) => sharedPostgres().run<{ count: string }>(text, url);
  const copiesOf = async ({ folder }: (typeof nodes)[number]) =>
    (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
  const objectOf = (sha256: string) => `/${bucket}/files/blobs/${sha256}`;

  test.each([0, 1, 4 * 1024 * 1024, 10_000_000])('of %d bytes are read by another node', async (size) => {
    const bytes = randomBytes(size);
    const name = await node(0).blobs.put(bytes);
    expect(name).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(Buffer.compare(await node(1).blobs.get(name), bytes)).toBe(0);
    expect(await swift.list(bucket)).toEqual([`files/blobs/${name}`]);
    expect((await run('select count(*) from blob_chunk'))[0]?.count).toBe('0');
  });

  test('that are put again by many are one object', async () => {
    const bytes = randomBytes(300_000);
    await Promise.all(Array.from({ length: 10 }, (_, index) => node(index % 2).blobs.put(bytes)));
    expect(await swift.list(bucket)).toHaveLength(1);
  });

  test('of which a byte changed are refused, and leave nothing in the folder', async () => {
    const name = await node(0).blobs.put(Buffer.from('the content'));
    expect((await swift.send('PUT', objectOf(name), 'thE content')).status).toBe(200);
    const hint = `Restore the object blobs/${name} of the bucket from a backup, or upload the same file again.`;
    const damaged = expect.objectContaining({ name: DamagedStoreError.name, hint });
    await expect(node(1).blobs.get(name, '"contract.pdf"')).rejects.toEqual(damaged);
    await node(0).blobs.put(Buffer.from('the content'));
    expect(`${Buffer.from(await node(1).blobs.get(name))}`).toBe('the content');
    await swift.send('PUT', objectOf(name), 'thE content');
    await rm(join(node(1).folder, 'blobs'), { recursive: true });
    await expect(node(1).blobs.check(name)).rejects.toEqual(damaged);
    expect(await copiesOf(node(1))).toEqual([]);
  });

  test('that are missing are refused by name', async () => {
    const name = await node(0).blobs.put(Buffer.from('the content'));
    await swift.send('DELETE', objectOf(name));
    await expect(node(1).blobs.get(name, '"contract.pdf"')).rejects.toThrow('contract.pdf');
  });

  test('that no row names are swept once they are old, and stay when they were put again', async () => {
    const [, again, named, fresh] = await Promise.all(
      ['old', 'again', 'named', 'fresh'].map((text) => node(0).blobs.put(Buffer.from(text))),
    );
    await run(`update blob set written_at = written_at - interval '2 hours' where sha256 <> '${fresh}'`);
    await node(1).blobs.put(Buffer.from('again'));
    await node(1).blobs.sweep((sha256) => sha256 === named, HOUR_MS);
    const left = [again, named, fresh].map((name) => `files/blobs/${name}`);
    expect(await swift.list(bucket)).toEqual(left.sort());
    await node(0).blobs.remove(fresh as string);
    expect(await swift.list(bucket)).toHaveLength(2);
  });

  test('are stored with the keys that are in their files when the server refuses those of before', async () => {
    const folder = node(0).folder;
    const [id, secret] = [join(folder, 'id'), join(folder, 'secret')];
    await writeFile(id, 'test:gone');
    await writeFile(secret, swift.secret);
    const access = await readS3Access({
      options: {},
      variables: {
        ESIGN_SERVE_S3_ENDPOINT: swift.url,
        ESIGN_SERVE_S3_PATH_STYLE: '1',
        ESIGN_SERVE_S3_ACCESS_KEY_ID_FILE: id,
        ESIGN_SERVE_S3_SECRET_ACCESS_KEY_FILE: secret,
      },
    });
    const opened = await openNode(access);
    nodes.push(opened);
    const { blobs } = opened;
    await expect(blobs.put(Buffer.from('the content'))).rejects.toThrow('refuses the keys');
    await writeFile(id, swift.accessKey);
    const name = await blobs.put(Buffer.from('the content'));
    expect(await swift.list(bucket)).toEqual([`files/blobs/${name}`]);
  });

  describe('behind a proxy', () => {
    let proxy: AlteringProxy;
    let proxied: (typeof nodes)[number];
    const limits = { tries: 4, lateTries: 2, timeoutMs: 600_000, msPerMegabyte: 0 };

    beforeEach(async () => {
      proxy = await startAlteringProxy(swift.url);
      limits.timeoutMs = 600_000;
      proxied = await openNode({ ...swift.access, endpoint: proxy.url }, limits);
      nodes.push(proxied);
    });
    afterEach(() => proxy.close());

    const alter = (body: Buffer) => Buffer.from(body.toString().replace('content', 'conteNt'));

    test('that changes a byte on the way there are refused by the server', async () => {
      proxy.rules.alterRequest = ({ body }) => alter(body);
      const refused = expect.objectContaining({
        code: 'blobs_unusable',
        message: expect.stringMatching(/answers 400 \((?:BadDigest|XAmzContentSHA256Mismatch)\)/),
      });
      await expect(proxied.blobs.put(Buffer.from('the content'))).rejects.toEqual(refused);
      expect(await swift.list(bucket)).toEqual([]);
      expect(await copiesOf(proxied)).toEqual([]);
    });

    test('that changes a byte on the way back are refused, and leave no copy', async () => {
      const name = await node(0).blobs.put(Buffer.from('the content'));
      proxy.rules.alterAnswer = (_, __, body) => alter(body);
      await expect(proxied.blobs.get(name)).rejects.toThrow(DamagedStoreError);
      expect(await copiesOf(proxied)).toEqual([]);
      delete proxy.rules.alterAnswer;
      expect(`${Buffer.from(await proxied.blobs.get(name))}`).toBe('the content');
    });

    test('that loses answers are swept later, and what is uploaded meanwhile stays', async () => {
      const [same, other] = ['the content', 'another content'];
      const name = await node(0).blobs.put(Buffer.from(same));
      await run(`update blob set written_at = written_at - interval '2 hours'`);
      const tries: string[] = [];
      let uploads: Promise<string>[] = [];
      proxy.rules.alterAnswer = ({ method, url: path }, _, body) => {
        if (method !== 'DELETE') return body;
        tries.push(path);
        // The object is gone, and the sweep waits for the answer.
        uploads = [node(0).blobs.put(Buffer.from(same)), node(1).blobs.put(Buffer.from(other))];
        return undefined;
      };
      limits.timeoutMs = 1500;
      await expect(proxied.blobs.sweep(() => false, HOUR_MS)).rejects.toThrow('does not respond in time');
      const stored = await Promise.all(uploads);
      expect(tries).toHaveLength(1);
      expect(await swift.list(bucket)).toEqual(stored.map((sha256) => `files/blobs/${sha256}`).sort());
      expect(stored[0]).toBe(name);
      expect((await run('select count(*) from blob'))[0]?.count).toBe('2');
      delete proxy.rules.alterAnswer;
      limits.timeoutMs = 600_000;
      await run(`update blob set written_at = written_at - interval '2 hours'`);
      await proxied.blobs.sweep(() => false, HOUR_MS);
      expect(await swift.list(bucket)).toEqual([]);
    });
  });
});
