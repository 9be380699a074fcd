// Receivers on the machine of the service: its setting, asked when an address is given.
import { expect, onTestFinished, test } from 'vitest';
import { type Harness, openHarness } from '../../support/harness.ts';

async function opened(allowLoopbackReceivers: boolean): Promise<Harness> {
  const harness = await openHarness('in process', { allowLoopbackReceivers });
  onTestFinished(() => harness.close());
  return harness;
}

const webhookAt =
  (endpoint: string) =>
  ({ client }: Harness) =>
    client['webhook.create']({ body: { name: 'Local', endpoint, events: ['transaction_completed'] } });

const notificationAt =
  (notification_endpoint: string) =>
  ({ client }: Harness) =>
    client['transaction.create']({ body: { notification_endpoint } });

const LOCAL: [path: string, ask: (harness: Harness) => Promise<{ id: string }>][] = [
  ['endpoint', webhookAt('https://localhost:3000/')],
  ['endpoint', webhookAt('https://orders.localhost/')],
  ['endpoint', webhookAt('https://127.0.0.2:3000/')],
  ['endpoint', webhookAt('https://[::1]:3000/')],
  ['notification_endpoint', notificationAt('http://localhost:3000/')],
  ['notification_endpoint', notificationAt('https://127.0.0.1/')],
];

test('are refused where the service does not allow them, with the place in the request', async () => {
  const harness = await opened(false);
  for (const [path, ask] of LOCAL)
    await expect(ask(harness)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(
        `^${path}: ".*" is not accepted: this service does not deliver to its own machine\\. Use a host that is reachable from the internet\\.$`,
      ),
      errors: [{ path, message: expect.any(String) }],
    });
  const { items } = await harness.client['webhook.list']({ query: { limit: '10', page: '1' } });
  expect(items).toEqual([]);
  await webhookAt('https://hooks.example.com/')(harness);
  await harness.client['transaction.create']({ body: {} });
  await harness.client['transaction.create']({ body: { notification_endpoint: null } });
});

test('receivers on this machine are allowed otherwise', async () => {
  const harness = await opened(true);
  for (const [, ask] of LOCAL) expect(await ask(harness)).toMatchObject({ id: expect.any(String) });
});

test('receivers in a private network are refused, except for those that the operator allows', async () => {
  const inside: typeof LOCAL = [
    ['endpoint', webhookAt('https://10.20.3.4/hook')],
    ['endpoint', webhookAt('https://erp.intern.corp/hook')],
    ['notification_endpoint', notificationAt('https://10.20.3.4/hook')],
  ];
  const closed = await opened(false);
  for (const [path, ask] of inside)
    await expect(ask(closed)).rejects.toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  const open = await openHarness('in process', {
    allowLoopbackReceivers: false,
    receivers: ['10.20.0.0/16', 'erp.intern.corp'],
  });
  onTestFinished(() => open.close());
  for (const [, ask] of inside) expect(await ask(open)).toMatchObject({ id: expect.any(String) });
  for (const url of [
    'https://10.21.0.1/',
    'https://crm.intern.corp/',
    'https://169.254.169.254/',
    'https://localhost/',
  ])
    await expect(webhookAt(url)(open)).rejects.toMatchObject({ code: 'validation_failed' });
});
