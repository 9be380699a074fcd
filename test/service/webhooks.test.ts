import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/api/contract/events.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeService, describeSharedService } from '../support/describe-service.ts';
import { addAccount, refusalOf } from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

const HOOK = {
  name: 'Orders',
  endpoint: 'https://hooks.example.com/esign',
  events: ['transaction_completed'],
};

describeService('webhooks', (harness) => {
  const create = (more: object = {}) =>
    sendRequest(harness(), 'POST /v1/webhook', { json: { ...HOOK, ...more } });
  const list = async (limit = 10, page = 1) =>
    await harness().client['webhook.list']({ query: { limit: `${limit}`, page: `${page}` } });

  test('are created with 201, an id and a secret that is shown this once', async () => {
    const { status, body } = await create();
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { id: expect.any(String), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    });
    const { items } = await list();
    expect(items).toEqual([{ id: (body as { id: string }).id, ...HOOK, enabled: true }]);
    const rows = await harness().store.database.read((db) => db.selectFrom('webhook').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain((body as { secret: string }).secret);
  });

  test('may subscribe to each of the seven event types', async () => {
    expect(EVENT_TYPES).toHaveLength(7);
    for (const type of EVENT_TYPES) expect((await create({ events: [type] })).status).toBe(201);
    expect((await create({ events: [...EVENT_TYPES] })).status).toBe(201);
    expect((await create({ events: ['transaction_created', 'transaction_created'] })).status).toBe(201);
    const { items } = await list(100);
    expect(items.map((item) => item.events.length).sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 7]);
  });

  test('are listed newest first, a page at a time', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await create({ name });
      harness().clock.advance(1);
    }
    const pages = [await list(2, 1), await list(2, 2), await list(2, 3)];
    expect(pages.map((page) => page.items.map((item) => item.name))).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
    expect(pages.map((page) => page.meta)).toEqual([
      {
        limit: 2,
        is_first_page: true,
        is_last_page: false,
        current_page: 1,
        previous_page: null,
        next_page: 2,
        page_count: 3,
      },
      {
        limit: 2,
        is_first_page: false,
        is_last_page: false,
        current_page: 2,
        previous_page: 1,
        next_page: 3,
        page_count: 3,
      },
      {
        limit: 2,
        is_first_page: false,
        is_last_page: true,
        current_page: 3,
        previous_page: 2,
        next_page: null,
        page_count: 3,
      },
    ]);
  });

  test('make an empty page past the end, which is the last one', async () => {
    await create();
    expect(await list(10, 5)).toEqual({
      items: [],
      meta: {
        limit: 10,
        is_first_page: false,
        is_last_page: true,
        current_page: 5,
        previous_page: 1,
        next_page: null,
        page_count: 1,
      },
    });
  });

  test('make one empty page when there are none, the first and the last', async () => {
    expect(await list()).toEqual({
      items: [],
      meta: {
        limit: 10,
        is_first_page: true,
        is_last_page: true,
        current_page: 1,
        previous_page: null,
        next_page: null,
        page_count: 0,
      },
    });
  });

  test('stand in a fixed order when they were made at the same moment', async () => {
    for (let count = 0; count < 6; count += 1) await create();
    const ids = [...(await list(3, 1)).items, ...(await list(3, 2)).items].map((item) => item.id);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toEqual(ids.toSorted());
  });

  test('are deleted once', async () => {
    const { id } = (await create()).body as { id: string };
    expect(await harness().client['webhook.delete']({ params: { webhookId: id } })).toEqual({
      removed: true,
    });
    expect((await list()).items).toEqual([]);
    const no = await refusalOf(harness().client['webhook.delete']({ params: { webhookId: id } }));
    expect(no).toMatchObject({ status: 404, code: 'webhook_not_found' });
    expect(no.message).toContain(id);
  });

  test('belong to the company: colleagues see them, strangers do not', async () => {
    await create();
    const colleague = await addAccount(harness());
    const stranger = await addAccount(harness(), 'Elsewhere Ltd', 'eve@example.com');
    const query = { limit: '10', page: '1' };
    expect((await colleague.client['webhook.list']({ query })).items).toHaveLength(1);
    expect((await stranger.client['webhook.list']({ query })).items).toEqual([]);
  });
});

describeSharedService('webhooks that are refused', (harness) => {
  test.each(
    sampleOf(
      [
        ['no name', { name: undefined }, 'name', 'is required'],
        ['an empty name', { name: '' }, 'name', 'must not be empty'],
        ['a name of 256 characters', { name: '😀'.repeat(256) }, 'name', 'but has 256'],
        ['a name with NUL', { name: 'a\u0000' }, 'name', 'control characters'],
        ['no endpoint', { endpoint: undefined }, 'endpoint', 'is required'],
        ['an empty endpoint', { endpoint: '' }, 'endpoint', 'must not be empty'],
        [
          'an endpoint without TLS',
          { endpoint: 'http://hooks.example.com/' },
          'endpoint',
          '"http://hooks.example.com/" is not accepted: webhooks require https.',
        ],
        [
          'an endpoint on loopback without TLS',
          { endpoint: 'http://127.0.0.1:3000/' },
          'endpoint',
          'webhooks require https, even for this machine. In a sandbox, `esign sandbox ca issue localhost` makes a certificate',
        ],
        [
          'an endpoint of another kind',
          { endpoint: 'file:///etc/passwd' },
          'endpoint',
          'is not a valid https URL',
        ],
        [
          'an endpoint with a password',
          { endpoint: 'https://a:b@example.com/' },
          'endpoint',
          '"https://…@example.com/" is not accepted: it contains a user name or password',
        ],
        ['an endpoint that is no address', { endpoint: 'example' }, 'endpoint', 'is not a valid https URL'],
        [
          'an endpoint in a private network',
          { endpoint: 'https://10.0.0.1/' },
          'endpoint',
          '10.0.0.1 is a private address. Use a host that is reachable from the internet. The sandbox also accepts this machine (https://localhost), and the operator of a server can allow receivers in its network',
        ],
        [
          'an endpoint with a line end',
          { endpoint: 'https://example.com/\r\nX: y' },
          'endpoint',
          'control characters',
        ],
        ['no events', { events: undefined }, 'events', 'is required'],
        ['an empty list of events', { events: [] }, 'events', 'must not be empty'],
        [
          'an unknown event',
          { events: ['transaction_signed'] },
          'events.0',
          '"transaction_signed" is not an event type',
        ],
        ['an event that is no text', { events: [1] }, 'events.0', 'must be a string'],
        ['events that are no list', { events: 'transaction_created' }, 'events', 'must be an array'],
      ],
      3,
    ),
  )('because of %s', async (_, wrong, path, sentence) => {
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/webhook', { json: { ...HOOK, ...wrong } }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.errors?.map((error) => error.path)).toContain(path);
    expect(problem.detail).toContain(sentence);
  });

  test.each([1, 255])('not because of a name of %i code points', async (length) => {
    expect(
      (await sendRequest(harness(), 'POST /v1/webhook', { json: { ...HOOK, name: '😀'.repeat(length) } }))
        .status,
    ).toBe(201);
  });
});

describeSharedService('pages that are asked for', (harness) => {
  for (const list of ['/v1/webhook', '/v1/template'])
    test.each(
      sampleOf(
        [
          ['limit=0&page=1', 'limit', 'must be at least 1'],
          ['limit=101&page=1', 'limit', 'must be at most 100'],
          ['limit=-5&page=1', 'limit', 'must be at least 1'],
          ['limit=abc&page=1', 'limit', '"abc" is not a whole number'],
          ['limit=1e2&page=1', 'limit', '"1e2" is not a whole number'],
          ['limit=1.5&page=1', 'limit', '"1.5" is not a whole number'],
          ['limit=&page=1', 'limit', 'is not a whole number'],
          ['page=1', 'limit', 'is required'],
          ['limit=10', 'page', 'is required'],
          ['limit=10&page=0', 'page', 'must be at least 1'],
          ['limit=10&page=-1', 'page', 'must be at least 1'],
          ['limit=10&page=1000001', 'page', 'must be at most 1000000'],
          ['limit=10&page=99999999999999999999', 'page', 'is not a whole number'],
        ],
        4,
      ),
    )(`of ${list} are refused: %s`, async (query, path, sentence) => {
      const problem = await problemFrom(harness(), `GET ${list}?${query}`);
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
      expect(problem.detail).toContain(sentence);
    });

  test.each(['limit=1&page=1', 'limit=100&page=1000000'])('may be %s', async (query) => {
    for (const list of ['/v1/webhook', '/v1/template'])
      expect((await sendRequest(harness(), `GET ${list}?${query}`)).status).toBe(200);
  });
});
