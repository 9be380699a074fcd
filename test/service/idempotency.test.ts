import { expect, test } from 'vitest';
import { assertUnchanged, snapshotOf } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  addAccount,
  contractPdf,
  createDraft,
  eventTypesOf,
  readDetail,
  refusalOf,
  saveTemplate,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { problemFrom, type ReadResponse, sendRequest } from '../support/http-client.ts';
import { bodyStreamOf, type MultipartPart, multipartChunks, postMultipart } from '../support/multipart.ts';

const DAY_MS = 24 * 3600 * 1000;

describeSharedService('a request with an Idempotency-Key', (harness) => {
  let count = 0;
  const freshKey = () => {
    count += 1;
    return `key-${count}`;
  };
  const send = (
    what: string,
    json: unknown,
    key: string,
    token = harness().service.ownToken,
  ): Promise<ReadResponse> =>
    sendRequest(harness(), what, {
      ...(json !== undefined && { json }),
      headers: { 'idempotency-key': key },
      token,
    });

  /** The first answer again, and nothing happens a second time. */
  async function expectOnce(what: string, json: unknown): Promise<ReadResponse> {
    const key = freshKey();
    const first = await send(what, json, key);
    expect(first.status).toBeLessThan(300);
    const again = await assertUnchanged(harness(), () => send(what, json, key));
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    return first;
  }

  test('creates a transaction once', async () => {
    const { body } = await expectOnce('POST /v1/transaction', { name: 'Once' });
    expect(await eventTypesOf(harness(), (body as { id: string }).id)).toEqual(['transaction_created']);
  });

  test('adds a document, uses templates and creates a webhook once', async () => {
    const { id } = await harness().client['transaction.create']({ body: {} });
    await expectOnce(`POST /v1/transaction/${id}/document`, { token: await uploadContract(harness()) });
    await expectOnce(`POST /v1/transaction/${id}/templates`, {
      templates: [{ id: (await saveTemplate(harness())).id }],
    });
    expect((await readDetail(harness(), id)).template.documents).toHaveLength(2);
    await expectOnce('POST /v1/webhook', {
      name: 'W',
      endpoint: 'https://example.com',
      events: ['transaction_created'],
    });
  });

  test('starts once, and answers the same signing address', async () => {
    const { id } = await createDraft(harness());
    const { body } = await expectOnce(`PUT /v1/transaction/${id}/start`, undefined);
    expect(body).toMatchObject({ url: expect.stringContaining('token=') });
    expect(await eventTypesOf(harness(), id)).toEqual(['transaction_created', 'transaction_started']);
  });

  test('uploads once: the same name and bytes give the same token', async () => {
    const content = new Uint8Array(await (await contractPdf()).arrayBuffer());
    const key = freshKey();
    const post = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const parts: MultipartPart[] = [
        { name: 'name', content: name },
        { name: 'file', filename: 'x', content: bytes },
      ];
      return postMultipart(harness(), bodyStreamOf(multipartChunks(parts)), { 'idempotency-key': key });
    };
    const first = await post('a.pdf', content);
    const again = await post('a.pdf', content);
    expect(again).toEqual(first);
    const longer = new Uint8Array([...content, 0x0a]);
    for (const other of [await post('b.pdf', content), await post('a.pdf', longer)])
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('is refused when the same key comes with another body or another operation', async () => {
    const key = freshKey();
    await send('POST /v1/transaction', { name: 'A' }, key);
    for (const [what, json] of [
      ['POST /v1/transaction', { name: 'B' }],
      ['POST /v1/transaction', {}],
      ['POST /v1/webhook', { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] }],
    ] as const) {
      const answered = await assertUnchanged(harness(), () => send(what, json, key));
      expect(answered).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
  });

  test('is the same request when only the order of its properties or unknown ones differ', async () => {
    const key = freshKey();
    const first = await send('POST /v1/transaction', { name: 'A', notification_endpoint: null }, key);
    expect(
      (await send('POST /v1/transaction', { other: 1, notification_endpoint: null, name: 'A' }, key)).body,
    ).toEqual(first.body);
  });

  test('is not remembered when it was refused', async () => {
    const key = freshKey();
    expect((await send('POST /v1/transaction', { name: '' }, key)).status).toBe(422);
    const { id } = await harness().client['transaction.create']({ body: {} });
    expect((await send(`PUT /v1/transaction/${id}/start`, undefined, key)).status).toBe(422);
    expect((await send('POST /v1/transaction', { name: 'A' }, key)).status).toBe(201);
  });

  test('is remembered for 24 hours, to the millisecond', async () => {
    const key = freshKey();
    const first = await send('POST /v1/transaction', { name: 'A' }, key);
    harness().clock.advance(DAY_MS - 1);
    await harness().service.work();
    expect((await send('POST /v1/transaction', { name: 'A' }, key)).body).toEqual(first.body);
    harness().clock.advance(1);
    const later = await send('POST /v1/transaction', { name: 'B' }, key);
    expect(later.status).toBe(201);
    expect(later.body).not.toEqual(first.body);
  });

  test('leaves nothing behind after 24 hours of work', async () => {
    await send('POST /v1/transaction', { name: 'A' }, freshKey());
    harness().clock.advance(DAY_MS);
    await harness().service.work();
    expect((await snapshotOf(harness())).idempotency).toEqual([]);
  });

  test("belongs to one user: another user's key of the same name is another key", async () => {
    const key = freshKey();
    const colleague = await addAccount(harness());
    const first = await send('POST /v1/transaction', { name: 'A' }, key);
    const other = await send('POST /v1/transaction', { name: 'B' }, key, colleague.token);
    expect(other.status).toBe(201);
    expect(other.body).not.toEqual(first.body);
  });

  test('is answered once when it comes many times at the same moment', async () => {
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => send('POST /v1/transaction', { name: 'Race' }, key)),
    );
    const ids = new Set(answers.map((answered) => (answered.body as { id: string }).id));
    expect(ids.size).toBe(1);
    expect(await eventTypesOf(harness(), [...ids][0] as string)).toEqual(['transaction_created']);
  });

  test('keeps its answer under seal', async () => {
    const { body } = await send(
      'POST /v1/webhook',
      { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] },
      freshKey(),
    );
    expect(JSON.stringify(await snapshotOf(harness()))).not.toContain((body as { secret: string }).secret);
  });

  test.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a blank', 'a b'],
    ['with a letter that is not ASCII', 'schlüssel'],
  ])('is refused when the key is %s', async (_, key) => {
    const headers = { 'idempotency-key': key };
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { json: {}, headers }),
    );
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'Idempotency-Key' }],
    });
  });

  test('is an ordinary request where keys are not known', async () => {
    const { id } = await createDraft(harness());
    const key = freshKey();
    await harness().client['transaction.start']({ params: { transactionId: id } });
    const cancel = () => send(`PUT /v1/transaction/${id}/cancel`, { cancelled_reason: 'x' }, key);
    expect((await cancel()).status).toBe(200);
    expect((await cancel()).status).toBe(409);
    const code = { client_id: 'a', client_secret: 'b', code: 'c' };
    expect(
      await refusalOf(
        harness().clientWith(undefined)['oauth.exchange_code']({ body: code }, { idempotencyKey: key }),
      ),
    ).toMatchObject({ status: 401 });
  });
});
