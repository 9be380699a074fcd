// A closed service says so by name, to every call and as often as it is closed, and is never reported as a bug.
import { expect, test } from 'vitest';
import { serve } from '../../../src/service/http/server.ts';
import { createService } from '../../../src/service/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function opened() {
  const errors: unknown[] = [];
  const service = await createService({
    dataDir: await temporaryFolder(),
    onError: (error) => errors.push(error),
  });
  return { service, errors };
}

const asked = (origin: string) => new Request(`${origin}/v1/transaction`, { method: 'POST', body: '{}' });

test('can be closed more than once, also at the same moment', async () => {
  const { service } = await opened();
  await Promise.all([service.close(), service.close()]);
  await service.close();
});

test('refuses each call after it is closed, by name', async () => {
  const { service, errors } = await opened();
  await service.close();
  const calls = {
    fetch: () => service.fetch(asked(service.origin)),
    transport: () => service.transport({ method: 'GET', url: service.origin, headers: {}, body: undefined }),
    work: () => service.work(),
    sweep: () => service.sweep(),
    deliver: () => service.deliver(),
    startDelivering: () => service.startDelivering(),
    leftToDeliver: () => service.leftToDeliver(),
    fieldErrors: () => service.fieldErrors([]),
    checkSealing: () => service.checkSealing(),
    checkMail: () => service.checkMail(),
    serve: () => serve(service, { host: '127.0.0.1', port: 0 }),
  };
  for (const [name, call] of Object.entries(calls))
    await expect(call(), name).rejects.toMatchObject({
      name: 'ServiceClosed',
      message: expect.stringContaining('The service is closed.'),
    });
  expect(errors).toEqual([]);
});

test('answers before it is closed, and turns requests away that come to its port afterwards', async () => {
  const { service } = await opened();
  const serving = await serve(service, { host: '127.0.0.1', port: 0 });
  try {
    expect((await fetch(asked(serving.url))).status).toBe(401);
    await service.close();
    const late = await fetch(asked(serving.url));
    expect([late.status, late.headers.get('connection'), await late.text()]).toEqual([503, 'close', '']);
  } finally {
    await serving.close();
  }
});
