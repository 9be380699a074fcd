// The clock of the machine jumps ten days to either side while a transaction is under way: no recipient has to wait for the
// clock.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkEvidence } from '../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../src/pdf/write/certificate/evidence-file.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../support/fixtures/signing-pages.ts';
import {
  BOB,
  currentToken,
  readDetail,
  signWith,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let harness: Harness;
let receiver: WebhookReceiver;
beforeEach(async () => {
  harness = await openHarness('in process');
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await receiver.close();
  await harness.close();
  expect(harness.errors).toEqual([]);
  expect(harness.contractViolations).toEqual([]);
});

const jump = (days: number) => harness.clock.advance(days * DAY_MS);

async function sealedOf(id: string): Promise<Uint8Array> {
  const { status, sealed_documents } = await readDetail(harness, id);
  expect(status).toBe('completed');
  const [sealed] = sealed_documents;
  return (await harness.client['file.content']({ params: { fileId: sealed!.id } })).bytes;
}

// Each list is what the clock jumps by before each step: consent, values, review and submission.
const JUMPS: [number, number, number][] = [
  [10, 0, 0],
  [-10, 0, 0],
  [0, 10, -10],
  [0, -10, 10],
  [10, -10, -10],
  [-10, 0, 10],
];

describe.each(sampleOf(JUMPS, 3))(
  'a clock that jumps %i, %i and %i days while a recipient signs',
  (first, second, third) => {
    test.skipIf(!SLOW)('lets them sign to the end, and the evidence is sound', async () => {
      const transaction = await startWithEveryField(harness, [SIGNER]);
      const guest = await openSigningPages(harness, transaction.token);
      jump(first);
      await giveConsent(guest);
      jump(second);
      await fillInEverything(harness, guest, transaction);
      jump(third);
      const submitted = await guest.submitForm('review', 'submit', {});
      expect(submitted.status, submitted.text).toBe(303);
      const checked = checkEvidence(evidenceIn(await sealedOf(transaction.id)) ?? '');
      expect(checked).toMatchObject({ ok: true });
    });
  },
);

test.skipIf(!SLOW).each([10, -10])(
  'a clock that jumps %i days between two signers keeps neither waiting',
  async (days) => {
    const { id, token } = await startTransaction(harness, [SIGNER, BOB]);
    await signWith(harness, token);
    jump(days);
    await signWith(harness, await currentToken(harness, id));
    await sealedOf(id);
  },
);

test.each([
  ['ahead, then right', 10, -10],
  ['behind, then right', -10, 10],
])('deliveries that failed while the clock was %s are tried again and arrive', async (_, first, second) => {
  jump(first);
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await harness.client['transaction.create']({ body: { name: 'A', notification_endpoint: receiver.url } });
  await harness.service.deliver();
  expect(receiver.received).toHaveLength(1);
  jump(second);
  receiver.answer = (_request, response) => response.writeHead(204).end();
  // A process that has written nothing finds it as well.
  const reader = await openHarness('in process', { folder: harness.folder });
  reader.clock.now = harness.clock.now;
  expect(await reader.service.leftToDeliver()).toMatchObject({ events: 1, isWorked: false });
  await reader.service.deliver();
  expect(receiver.received).toHaveLength(2);
  expect(await reader.service.leftToDeliver()).toBeUndefined();
  await reader.close();
});

test.each([10, -10])('codes and tokens can be issued and used after a jump of %i days', async (days) => {
  const { client_id, client_secret } = await harness.client['sandbox.add_client']({
    body: { name: 'App', callback_url: 'http://127.0.0.1:9/callback' },
  });
  const anonymous = harness.clientWith(undefined);
  const exchange = async () => {
    const { code = '' } = await harness.client['sandbox.token']({
      body: { client_id, scopes: ['webhook:read'], kind: 'code' },
    });
    const body = { client_id, client_secret, code };
    return anonymous['oauth.exchange_code']({ body });
  };
  const before = await exchange();
  jump(days);
  const refresh_token = before.refresh_token;
  const refreshed = await anonymous['oauth.refresh_token']({
    body: { client_id, client_secret, refresh_token },
  });
  for (const { access_token } of [refreshed, await exchange()])
    await harness.clientWith(access_token)['webhook.list']({ query: { limit: '1', page: '1' } });
});
