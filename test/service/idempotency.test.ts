import { expect, it } from 'vitest';
import { type Answered, ask, problemFrom } from '../support/ask.ts';
import {
  accountIn,
  contractPdf,
  detailOf,
  draftOf,
  eventsOf,
  refusalOf,
  templateOf,
  upload,
} from '../support/deal.ts';
import { type Part, pieces, postForm, streamOf } from '../support/form.ts';
import { everything, expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

const DAY_MS = 24 * 3600 * 1000;

sharedSuite('a request with an Idempotency-Key', (world) => {
  let count = 0;
  const freshKey = () => {
    count += 1;
    return `key-${count}`;
  };
  const send = (
    what: string,
    json: unknown,
    key: string,
    token = world().service.ownToken,
  ): Promise<Answered> =>
    ask(world(), what, { ...(json !== undefined && { json }), headers: { 'idempotency-key': key }, token });

  /** The first answer again, and nothing happens a second time. */
  async function expectOnce(what: string, json: unknown): Promise<Answered> {
    const key = freshKey();
    const first = await send(what, json, key);
    expect(first.status).toBeLessThan(300);
    const again = await expectNothingChanged(world(), () => send(what, json, key));
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
    return first;
  }

  it('creates a transaction once', async () => {
    const { body } = await expectOnce('POST /v1/transaction', { name: 'Once' });
    expect(await eventsOf(world(), (body as { id: string }).id)).toEqual(['transaction_created']);
  });

  it('adds a document, uses templates and creates a webhook once', async () => {
    const { id } = await world().client['transaction.create']({ body: {} });
    await expectOnce(`POST /v1/transaction/${id}/document`, { token: await upload(world()) });
    await expectOnce(`POST /v1/transaction/${id}/templates`, {
      templates: [{ id: (await templateOf(world())).id }],
    });
    expect((await detailOf(world(), id)).template.documents).toHaveLength(2);
    await expectOnce('POST /v1/webhook', {
      name: 'W',
      endpoint: 'https://example.com',
      events: ['transaction_created'],
    });
  });

  it('starts once, and answers the same signing address', async () => {
    const { id } = await draftOf(world());
    const { body } = await expectOnce(`PUT /v1/transaction/${id}/start`, undefined);
    expect(body).toMatchObject({ url: expect.stringContaining('token=') });
    expect(await eventsOf(world(), id)).toEqual(['transaction_created', 'transaction_started']);
  });

  it('uploads once: the same name and bytes give the same token', async () => {
    const content = new Uint8Array(await (await contractPdf()).arrayBuffer());
    const key = freshKey();
    const post = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const parts: Part[] = [
        { name: 'name', content: name },
        { name: 'file', filename: 'x', content: bytes },
      ];
      return postForm(world(), streamOf(pieces(parts)), { 'idempotency-key': key });
    };
    const first = await post('a.pdf', content);
    const again = await post('a.pdf', content);
    expect(again).toEqual(first);
    const longer = new Uint8Array([...content, 0x0a]);
    for (const other of [await post('b.pdf', content), await post('a.pdf', longer)])
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('is refused when the same key comes with another body or another operation', async () => {
    const key = freshKey();
    await send('POST /v1/transaction', { name: 'A' }, key);
    for (const [what, json] of [
      ['POST /v1/transaction', { name: 'B' }],
      ['POST /v1/transaction', {}],
      ['POST /v1/webhook', { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] }],
    ] as const) {
      const answered = await expectNothingChanged(world(), () => send(what, json, key));
      expect(answered).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
  });

  it('is the same request when only the order of its properties or unknown ones differ', async () => {
    const key = freshKey();
    const first = await send('POST /v1/transaction', { name: 'A', notification_endpoint: null }, key);
    expect(
      (await send('POST /v1/transaction', { other: 1, notification_endpoint: null, name: 'A' }, key)).body,
    ).toEqual(first.body);
  });

  it('is not remembered when it was refused', async () => {
    const key = freshKey();
    expect((await send('POST /v1/transaction', { name: '' }, key)).status).toBe(422);
    const { id } = await world().client['transaction.create']({ body: {} });
    expect((await send(`PUT /v1/transaction/${id}/start`, undefined, key)).status).toBe(422);
    expect((await send('POST /v1/transaction', { name: 'A' }, key)).status).toBe(201);
  });

  it('is remembered for 24 hours, to the millisecond', async () => {
    const key = freshKey();
    const first = await send('POST /v1/transaction', { name: 'A' }, key);
    world().clock.advance(DAY_MS - 1);
    await world().service.work();
    expect((await send('POST /v1/transaction', { name: 'A' }, key)).body).toEqual(first.body);
    world().clock.advance(1);
    const later = await send('POST /v1/transaction', { name: 'B' }, key);
    expect(later.status).toBe(201);
    expect(later.body).not.toEqual(first.body);
  });

  it('leaves nothing behind after 24 hours of work', async () => {
    await send('POST /v1/transaction', { name: 'A' }, freshKey());
    world().clock.advance(DAY_MS);
    await world().service.work();
    expect((await everything(world())).idempotency).toEqual([]);
  });

  it("is nobody else's: another user's key of the same name is another key", async () => {
    const key = freshKey();
    const colleague = await accountIn(world());
    const first = await send('POST /v1/transaction', { name: 'A' }, key);
    const other = await send('POST /v1/transaction', { name: 'B' }, key, colleague.token);
    expect(other.status).toBe(201);
    expect(other.body).not.toEqual(first.body);
  });

  it('is answered once when it comes many times at the same moment', async () => {
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST /v1/transaction', { name: 'Race' }, key)),
    );
    expect(new Set(answers.map((answered) => (answered.body as { id: string }).id)).size).toBe(1);
  });

  it('keeps its answer under seal', async () => {
    const { body } = await send(
      'POST /v1/webhook',
      { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] },
      freshKey(),
    );
    expect(JSON.stringify(await everything(world()))).not.toContain((body as { secret: string }).secret);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a blank', 'a b'],
    ['with a letter that is not ASCII', 'schlüssel'],
  ])('is refused when the key is %s', async (_, key) => {
    const headers = { 'idempotency-key': key };
    const problem = await expectNothingChanged(world(), () =>
      problemFrom(world(), 'POST /v1/transaction', { json: {}, headers }),
    );
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'Idempotency-Key' }],
    });
  });

  it('is an ordinary request where keys are not known', async () => {
    const { id } = await draftOf(world());
    const key = freshKey();
    await world().client['transaction.start']({ params: { transactionId: id } });
    const cancel = () => send(`PUT /v1/transaction/${id}/cancel`, { cancelled_reason: 'x' }, key);
    expect((await cancel()).status).toBe(200);
    expect((await cancel()).status).toBe(409);
    const code = { client_id: 'a', client_secret: 'b', code: 'c' };
    expect(
      await refusalOf(
        world().clientWith(undefined)['oauth.exchange_code']({ body: code }, { idempotencyKey: key }),
      ),
    ).toMatchObject({ status: 401 });
  });
});
