// A server is killed while it delivers: others notice at once, whatever the clock says, and deliver what it had claimed.
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from '../support/harness.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

type Line = { open?: true };

describe('a server that is killed while it delivers', () => {
  let folder: string;
  let receiver: WebhookReceiver;
  let beside: Harness;
  let server: ChildWithLines<Line>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    receiver = await startWebhookReceiver();
    beside = await openHarness('in process', { folder });
    server = startChildProcess<Line>(new URL('silent-server.mjs', import.meta.url), folder);
    await server.until(({ open }) => open === true);
  });
  afterEach(async () => {
    server.kill();
    await server.ended;
    await beside.close();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Claimed by the server, which waits for an answer that does not come. */
  async function claimByServer(): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      receiver.answer = () => resolve();
    });
    await beside.client['transaction.create']({ body: { name: 'A', notification_endpoint: receiver.url } });
    await asked;
  }

  const setWorkerUntil = (days: number) =>
    beside.store.database.write((db) =>
      db
        .updateTable('worker')
        .set({ leased_until: new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString() })
        .execute(),
    );

  test.skipIf(!SLOW).each([0, 10])('is known to be gone, where its row is %i days ahead', async (days) => {
    await claimByServer();
    expect(await beside.service.leftToDeliver()).toMatchObject({ isWorked: true });
    await setWorkerUntil(days);
    server.kill();
    await server.ended;
    expect(await beside.service.leftToDeliver()).toMatchObject({ isWorked: false });
    receiver.answer = (_, response) => response.writeHead(204).end();
    await beside.service.deliver();
    expect(receiver.received).toHaveLength(2);
    const rows = await beside.store.database.read((db) => db.selectFrom('worker').selectAll().execute());
    expect(rows).toEqual([]);
  });

  test.each(sampleOf([-10, 10], 2))('is known to work while its row is %i days off', async (days) => {
    await claimByServer();
    await setWorkerUntil(days);
    expect(await beside.service.leftToDeliver()).toMatchObject({ isWorked: true });
  });
});
