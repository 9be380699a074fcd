// A bucket that fails while a node serves: what needs it is refused for the moment, everything else is answered, nothing is half done, and
// all of it works again without help.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transportOver, withBearer } from '../../../src/api/transport.ts';
import { instantOf } from '../../../src/common/instant.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { openTeamStore } from '../../../src/service/serve/team-store.ts';
import { createService } from '../../../src/service/service.ts';
import {
  readDetail,
  refusalOf,
  signWith,
  startTransaction,
  uploadContract,
} from '../../support/fixtures/transactions.ts';
import { parsePrometheusText } from '../../support/prometheus-text.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { needsSwift, type SwiftServer, startSwiftServer } from '../../support/servers/swift-server.ts';
import {
  createTeamClient,
  prepareTeamDatabase,
  type TeamDatabase,
} from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { createStrictClient } from '../../support/strict-client.ts';
import { unmet } from '../../support/tools.ts';

const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));

const { skip, why } = unmet(needsPostgres(), needsSwift());

const FACTS = { now: () => instantOf(Date.now()), newId: randomUUID, random: randomBytes };

describe.skipIf(skip)(`a node whose bucket fails${why}`, () => {
  let swift: SwiftServer;
  let team: TeamDatabase;
  let other: TeamNode;
  let node: TeamNode;
  let metricsUrl: string;

  beforeAll(async () => {
    swift = await startSwiftServer();
    await swift.send('PUT', '/documents');
    team = await prepareTeamDatabase({ bucket: { swift, location: 's3://documents/team' } });
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    [other, node] = await Promise.all([
      startTeamNode(team.env),
      startTeamNode(team.env, ['--metrics', `127.0.0.1:${port}`]),
    ]);
  });
  afterAll(async () => {
    for (const one of [node, other]) await one?.kill();
    await team?.close();
    await swift?.close();
  });

  const fileOf = async ({ id }: { id: string }, at: TeamNode) => {
    const { template } = await clientOf(at)['transaction.detail']({ params: { transactionId: id } });
    return `${node.url}/v1/file/${template.documents[0]?.file.id}`;
  };
  const statusOf = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${team.token}` } });
    const text = await response.text();
    const after = response.headers.get('retry-after');
    return response.ok ? 'ok' : { status: response.status, after, code: /"code":"(\w+)"/.exec(text)?.[1] };
  };
  const clientOf = (at: TeamNode) => createTeamClient(at.url, team.token);
  const readiness = async () => {
    const response = await fetch(`${node.url}/readyz`);
    const body = (await response.json()) as { status: string; blobs?: string; message?: string };
    return { code: response.status, ...body };
  };
  const isUp = async () =>
    parsePrometheusText(await (await fetch(metricsUrl)).text()).value('esign_blobs_up');
  const countRows = async (table: string) =>
    Number(
      (await sharedPostgres().run<{ count: string }>(`select count(*) from ${table}`, team.url))[0]?.count,
    );

  test('stays ready, and names the bucket in its health check and in a metric', async () => {
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'ready',
      installation: node.facts.installation,
      blobs: 'ok',
    });
    expect(await isUp()).toBe(1);
    await swift.stop();
    const reported = { timeout: 60_000, interval: 200 };
    await expect.poll(async () => (await readiness()).blobs, reported).toBe('unavailable');
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'ready',
      message: expect.stringContaining('bucket'),
    });
    expect(JSON.stringify(await readiness())).not.toContain(new URL(swift.url).port);
    expect(await isUp()).toBe(0);
    await swift.start();
    await expect.poll(async () => (await readiness()).blobs, reported).toBe('ok');
    expect(await isUp()).toBe(1);
    const logged = node.log().split('\n');
    expect(logged.filter((line) => line.includes('the connection was refused'))).toHaveLength(1);
    expect(logged.filter((line) => line.includes('can be used again'))).toHaveLength(1);
  });

  test('refuses what needs the bucket for a while, with nothing half done, and then does it', async () => {
    const [there, here] = [{ client: clientOf(other) }, { client: clientOf(node) }];
    const name = 'contract.pdf';
    const upload = (...parts: (string | Uint8Array<ArrayBuffer>)[]) =>
      here.client['file.upload']({ form: { name }, file: { name, content: new Blob(parts) } });
    // Another node has the files of this one.
    const lost = await fileOf(await startTransaction(there), other);
    const signed = await startTransaction(there);
    const [files, objects] = [await countRows('file'), await swift.list('documents')];
    const refused = { status: 503, after: '1', code: 'storage_unavailable' };
    await swift.stop();
    const contract = new Uint8Array(await readFile(CONTRACT));
    expect(await statusOf(lost)).toEqual(refused);
    expect(await refusalOf(upload(contract, '% another\n'))).toMatchObject({
      status: 503,
      code: 'storage_unavailable',
    });
    expect(await refusalOf(signWith(here, signed.token))).toMatchObject({ status: 503 });
    expect(await refusalOf(upload('no document'))).toMatchObject({ status: 415 });
    expect(await statusOf(`${node.url}/v1/user/me`)).toBe('ok');
    expect(await statusOf(lost.replace(/[^/]*$/, '00000000-0000-7000-8000-000000000000'))).toMatchObject({
      status: 404,
    });
    expect(await countRows('file')).toBe(files);
    await swift.start();
    expect(await swift.list('documents')).toEqual(objects);
    expect(await statusOf(lost)).toBe('ok');
    await upload(contract, '% another\n');
    expect(await countRows('file')).toBe(files + 1);
    await signWith(here, signed.token);
    await expect
      .poll(async () => (await readDetail(here, signed.id)).status, { timeout: 60_000 })
      .toBe('completed');
    // What it has read is not asked of the bucket again.
    await swift.stop();
    expect(await statusOf(lost)).toBe('ok');
    await swift.start();
    expect(node.log()).not.toContain('"status":500');
  });

  test('refuses what needs the bucket when it does not answer in time', async () => {
    const limits = { tries: 4, lateTries: 2, timeoutMs: 600_000, msPerMegabyte: 0 };
    const s3 = { location: 's3://documents/team', access: swift.access, limits };
    const folder = join(team.folder, 'hanging');
    const store = await openTeamStore({ url: team.url, key: team.key, folder, migrates: false, s3 }, FACTS);
    const errors: unknown[] = [];
    const service = await createService({
      store,
      documents: createInProcessEngine(),
      isSandbox: false,
      origin: 'http://127.0.0.1:1',
      onError: (error) => errors.push(error),
    });
    const client = createStrictClient({
      baseUrl: service.origin,
      transport: withBearer(transportOver(service.fetch), { token: () => team.token }),
    });
    const { detail } = await startTransaction({ client: clientOf(other) });
    const read = () =>
      client['file.content']({ params: { fileId: detail.template.documents[0]?.file.id ?? '' } });
    const upload = async () => uploadContract({ client });
    const files = await countRows('file');
    swift.hang();
    limits.timeoutMs = 50;
    const refused = { status: 503, code: 'storage_unavailable' };
    expect(await refusalOf(read())).toMatchObject(refused);
    expect(await refusalOf(upload())).toMatchObject(refused);
    await expect(store.askBucket?.()).rejects.toThrow('does not respond in time');
    expect(await countRows('file')).toBe(files);
    swift.resume();
    limits.timeoutMs = 600_000;
    expect((await read()).bytes.length).toBeGreaterThan(1000);
    await upload();
    expect(await countRows('file')).toBe(files + 1);
    expect(errors.map((error) => (error as Error).name)).toEqual(['UnavailableError', 'UnavailableError']);
    await service.close();
  });
});
