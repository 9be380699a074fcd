// A sandbox that is served while a file replaces its state: each answer is of one state, and what waits in the file is delivered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exportSandbox, importSandbox } from '../../../src/service/copies/sandbox-files.ts';
import { OWN_CLIENT } from '../../../src/service/store/store.ts';
import { createDraft, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { addManyRows, IMPORT_FACTS, SANDBOX_FACTS } from '../../support/stores/exported-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let place: string;
/** ESIGN_HOME, and the folder of its sandbox. */
let home: string;
let folder: string;
let receiver: WebhookReceiver;

beforeEach(async () => {
  place = await temporaryFolder();
  home = join(place, 'home');
  folder = join(home, 'data', 'sandbox');
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await receiver.close();
  await rm(place, { recursive: true, force: true });
});

/** Exports a sandbox that was made for it. @returns the file */
async function exported(name: string, fill: (harness: Harness) => Promise<unknown>): Promise<string> {
  const harness = await openHarness('in process');
  const file = join(place, name);
  await fill(harness);
  await exportSandbox(harness.folder, file, { ...SANDBOX_FACTS, secrets: true });
  await harness.close();
  return file;
}

const replaceBy = (file: string) => importSandbox(file, folder, { ...IMPORT_FACTS, replaces: true });

test('events that wait in the file are sent by the process that serves, signed with the secret of this sandbox', async () => {
  const file = await exported('waiting.zip', (harness) =>
    createDraft(harness, undefined, undefined, undefined, { notification_endpoint: receiver.url }),
  );
  const serving = await openHarness('over HTTP', { folder, isDelivering: true });
  try {
    await replaceBy(file);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000);
    const { notification_secret } = await serving.client['sandbox.rotate_notification_secret']({
      params: { clientId: OWN_CLIENT.id },
      body: {},
    });
    const { id } = await createDraft(serving, undefined, undefined, undefined, {
      notification_endpoint: receiver.url,
    });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 20_000);
    // The first one was signed before this secret was made.
    receiver.received.shift();
    expect(receiver.verified(notification_secret).map(({ data }) => data.id)).toEqual([id]);
    expect(serving.errors).toEqual([]);
  } finally {
    await serving.close();
  }
});

const ESIGN = fileURLToPath(new URL('../../../bin/esign.js', import.meta.url));

/** Replaces the state of the sandbox in a process of its own. */
async function replaceElsewhere(file: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: place, ESIGN_HOME: home };
  const words = ['sandbox', 'reset', '--to', file, '--yes', '--json'];
  const child = spawn(process.execPath, [ESIGN, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  expect((await once(child, 'exit'))[0]).toBe(0);
}

/** The rows between those that are counted take a while to replace. */
async function fillLong(harness: Harness): Promise<void> {
  await harness.client['sandbox.add_user']({ body: { name: 'Ada', email: 'ada@example.com' } });
  for (let made = 0; made < 12; made += 1) await startTransaction(harness);
  await addManyRows(harness.store);
}

test('each answer is of the state before or of the state after, whichever process replaces it', async () => {
  const one = await exported('one.zip', (harness) => startTransaction(harness));
  const many = await exported('many.zip', fillLong);
  await replaceBy(one);
  const serving = await openHarness('over HTTP', { folder });
  const seen = new Set<string>();
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const { users, transactions, events, mails } = await serving.client['sandbox.status']();
      seen.add(`${users} ${transactions.started} ${events} ${mails}`);
      await serving.client['user.me']();
    }
  };
  try {
    const watching = Promise.all([watch(), watch()]);
    for (const file of [many, one, many]) await replaceElsewhere(file);
    isOver = true;
    await watching;
    const { transactions } = await serving.client['sandbox.status']();
    expect(transactions.started).toBe(12);
    expect([...seen].sort()).toEqual(['1 1 2 1', '2 12 24 12']);
    expect(serving.errors).toEqual([]);
  } finally {
    await serving.close();
  }
});
