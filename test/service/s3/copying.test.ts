// A copy of a sandbox to a bucket that is killed: the same command finishes it in the same place, and another place is refused.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AlteringProxy, startAlteringProxy } from '../../support/servers/altering-proxy.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { needsSwift, type SwiftServer, startSwiftServer } from '../../support/servers/swift-server.ts';
import {
  createStoryFixture,
  runCommand,
  type StoryFixture,
  startCommand,
} from '../../support/stories/story.ts';
import { unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsSwift());

describe.skipIf(skip)(`a copy of a sandbox to a bucket${why}`, () => {
  let swift: SwiftServer;
  let proxy: AlteringProxy;
  let fixture: StoryFixture;
  let url: string;

  beforeAll(async () => {
    [swift, fixture] = await Promise.all([startSwiftServer(), createStoryFixture()]);
    proxy = await startAlteringProxy(swift.url);
    await swift.send('PUT', '/documents');
    const env = { ...fixture.env, ...swift.env('s3://documents'), ESIGN_SERVE_S3_ENDPOINT: proxy.url };
    fixture = {
      ...fixture,
      env: Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'ESIGN_SERVE_BLOBS')),
    };
    const sent = await runCommand(
      fixture,
      'esign tx send contract.pdf --to "Ada <ada@example.com>" --field "signature@1:100,100,150x40" --sandbox --json',
    );
    const { code } = await runCommand(fixture, `esign sandbox sign ${JSON.parse(sent.out).id}`);
    expect(code).toBe(0);
  });
  afterAll(async () => {
    await proxy?.close();
    await swift?.close();
    await fixture?.close();
  });
  beforeEach(async () => {
    url = await sharedPostgres().createDatabase();
  });
  afterEach(async () => {
    delete proxy.rules.alterAnswer;
    await sharedPostgres().dropDatabase(url);
  });

  const commandTo = (prefix: string) =>
    `exec esign store copy --to ${url} --to-blobs s3://documents/${prefix} --json`;

  /** Copies, and kills the process as soon as an object of this name is stored. */
  async function kill(prefix: string, name: RegExp): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      proxy.rules.alterAnswer = (request, _, body) => {
        if (request.method !== 'PUT' || !name.test(request.url)) return body;
        resolve();
        return undefined;
      };
    });
    const { process: child } = startCommand(fixture, commandTo(prefix));
    const ended = once(child, 'exit');
    await Promise.race([reached, ended]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    delete proxy.rules.alterAnswer;
  }

  test.each([
    ['while a file is stored', 'file', /\/blobs\//],
    ['while the place is marked, before its commit', 'mark', /\/installation$/],
  ])('that is killed %s is finished by the same command, and by no other place', async (_, prefix, name) => {
    await kill(prefix, name);
    const elsewhere = await runCommand(fixture, commandTo(`${prefix}-other`));
    expect(JSON.parse(elsewhere.err).error).toMatchObject({
      code: 'store_not_empty',
      message: expect.stringContaining(`s3://documents/${prefix},`),
      hint: expect.stringContaining(`--to-blobs to s3://documents/${prefix} `),
    });
    const { code, out, err } = await runCommand(fixture, commandTo(prefix));
    expect([code, err]).toEqual([0, '']);
    const { blobs, installation } = JSON.parse(out);
    const objects = await swift.list('documents');
    expect(objects.filter((object) => object.startsWith(`${prefix}/blobs/`))).toHaveLength(blobs.count);
    expect(objects.filter((object) => object.includes('-other/'))).toEqual([]);
    expect(await (await swift.send('GET', `/documents/${prefix}/installation`)).text()).toBe(installation);
    const meta = await sharedPostgres().run<{ key: string; value: string }>(
      'select key, value from meta',
      url,
    );
    expect(Object.fromEntries(meta.map(({ key, value }) => [key, value]))).toMatchObject({
      installation,
      blobs: `s3://documents/${prefix}`,
    });
    expect(meta.map(({ key }) => key).filter((key) => key.startsWith('unfinished'))).toEqual([]);
  });

  test('that is killed does not let another one use its place once it is marked', async () => {
    await kill('taken', /\/installation$/);
    const first = url;
    url = await sharedPostgres().createDatabase();
    const { err } = await runCommand(fixture, commandTo('taken'));
    expect(JSON.parse(err).error).toMatchObject({ code: 'installation_foreign' });
    await sharedPostgres().dropDatabase(first);
  });
});
