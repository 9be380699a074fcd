import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OWN_CLIENT } from '../../src/service/store/store.ts';
import { assertUnchanged, filesIn, snapshotOf } from '../support/assert-unchanged.ts';
import { describeService, describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  saveTemplate,
  startTransaction,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeService('the store of the sandbox', (harness, way) => {
  test('counts what is in it', async () => {
    await startTransaction(harness());
    await saveTemplate(harness());
    expect(await harness().client['sandbox.status']()).toEqual({
      origin: harness().baseUrl,
      now: new Date(harness().clock.now).toISOString(),
      transactions: { draft: 1, started: 1, completed: 0, rejected: 0, expired: 0, cancelled: 0 },
      templates: 1,
      users: 1,
      clients: 1,
      events: 3,
      mails: 1,
    });
  });

  test('is emptied by a reset; its address, keys and own user stay', async () => {
    await saveTemplate(harness());
    await addAccount(harness());
    const { ownToken } = harness().service;
    expect(await harness().client['sandbox.reset']({ body: {} })).toEqual({ reset: true });
    expect(await harness().client['sandbox.status']()).toMatchObject({
      templates: 0,
      users: 1,
      clients: 1,
      events: 0,
      transactions: { draft: 0 },
    });
    const again = harness().clientWith(ownToken);
    const { id } = await again['transaction.create']({ body: {} });
    expect((await again['sandbox.events']({ query: {} })).items.map((event) => event.data.id)).toEqual([id]);
  });

  test('loses the sealed documents at a reset', async () => {
    const { store } = harness();
    const row = { id: 'S', transaction_id: 'T', document_id: 'D', company_id: 'C', index: 0, name: 'a' };
    const bytes = { sha256: 'x', size_bytes: 1, evidence_sha256: 'x', created_at: 'x' };
    await store.database.write((db) =>
      db
        .insertInto('sealed_document')
        .values({ ...row, ...bytes })
        .execute(),
    );
    await harness().client['sandbox.reset']({ body: {} });
    expect((await snapshotOf(harness())).sealed_document).toEqual([]);
  });

  test('forgets files at a reset, but not those that a request may be about to name', async () => {
    await uploadContract(harness());
    const blobs = join(harness().folder, 'blobs');
    const [path = ''] = await filesIn(blobs);
    const at = (agoMs: number) => new Date(Date.now() - agoMs);
    await utimes(join(blobs, path), at(9 * 60_000), at(9 * 60_000));
    await harness().client['sandbox.reset']({ body: {} });
    expect(await filesIn(blobs)).toEqual([path]);
    await utimes(join(blobs, path), at(11 * 60_000), at(11 * 60_000));
    await harness().client['sandbox.reset']({ body: {} });
    expect(await filesIn(blobs)).toEqual([]);
  });

  test('is the same after it was closed and opened again', async () => {
    const folder = await temporaryFolder();
    const first = await openHarness(way, { folder });
    const { id, token } = await startTransaction(first);
    const before = await readDetail(first, id);
    await first.close();
    const second = await openHarness(way, { folder });
    expect(second.service.ownToken).toBe(first.service.ownToken);
    expect(second.store.port).toBe(first.store.port);
    expect(await readDetail(second, id)).toEqual(before);
    expect((await second.client['signing.view']({ query: { token } })).recipient.email).toBe(ADA.email);
    await second.close();
  });
});

describeSharedService('acting in the sandbox', (harness) => {
  const sign = (transactionId: string, body: { as?: string; values?: Record<string, string> } = {}) =>
    harness().client['sandbox.sign']({ params: { transactionId }, body });

  test('signs as the pending recipient, with plausible values', async () => {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const types = [
      'text',
      'signature',
      'initials',
      'person_name',
      'email',
      'date',
      'number',
      'checkbox',
    ] as const;
    const fields = [
      ...types.map((type) => fieldFor(draft, ADA.email, { type, label: type })),
      ...(['select', 'radio'] as const).map((type) =>
        fieldFor(draft, ADA.email, { type, options: ['Yes', 'No'] }),
      ),
      fieldFor(draft, ADA.email, { type: 'text', min_length: 8, max_length: 9, label: 'abc' }),
      fieldFor(draft, ADA.email, { type: 'number', min_value: 5, max_value: 6 }),
      fieldFor(draft, ADA.email, { type: 'number', max_value: -2 }),
    ];
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const ada = draft.detail.template.recipients[1];
    expect(await sign(draft.id)).toEqual({
      id: draft.id,
      status: 'started',
      recipient: { id: ada?.id, name: 'Ada', email: ADA.email },
    });
    expect(await sign(draft.id, { as: 'BOB@example.com' })).toMatchObject({ status: 'completed' });
  });

  test.skipIf(!SLOW)('takes values by label or id, and refuses those without a field', async () => {
    const { id, detail } = await startTransaction(harness());
    const call = () => refusalOf(sign(id, { values: { signature: 'Ada L.', Color: 'red' } }));
    expect(await assertUnchanged(harness(), call)).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: expect.stringContaining('"Color"'),
    });
    await sign(id, { values: { [detail.template.fields[0]?.id ?? '']: 'Ada L.' } });
    const rows = await harness().store.database.read((db) =>
      db.selectFrom('field').select('value').where('template_id', '=', detail.template_id).execute(),
    );
    expect(rows.map((row) => row.value)).toEqual(['Ada L.']);
  });

  test.each(['sandbox.sign', 'sandbox.reject'] as const)(
    'refuses %s by a recipient whose turn it is not',
    async (operation) => {
      const { id } = await startTransaction(harness(), [ADA, BOB]);
      for (const as of [BOB.email, SENDER.email, 'nobody@example.com']) {
        const input = { params: { transactionId: id }, body: { as, reason: 'No' } };
        const no = await assertUnchanged(harness(), () => refusalOf(harness().client[operation](input)));
        expect(no).toMatchObject({ status: 409, code: 'not_your_turn' });
        expect(no.message).toContain(as);
        expect(no.message).toContain(ADA.email);
      }
    },
  );

  test('rejects as the pending recipient, and never acts on a draft', async () => {
    const { id } = await startTransaction(harness());
    const params = { transactionId: id };
    expect(await harness().client['sandbox.reject']({ params, body: { reason: 'No' } })).toMatchObject({
      id,
      status: 'rejected',
    });
    const draft = await createDraft(harness());
    expect(await refusalOf(sign(draft.id))).toMatchObject({ status: 409, code: 'transaction_not_started' });
  });
});

describeService('a sandbox sign after the time of its transaction', (harness) => {
  test('is refused, and the transaction has expired', async () => {
    const { id, detail } = await createDraft(harness());
    const params = { transactionId: id };
    const body = updateBodyOf(detail, { expiration_days: 1 });
    await harness().client['transaction.update']({ params, body });
    await harness().client['transaction.start']({ params });
    harness().clock.advance(DAY_MS);
    expect(await refusalOf(harness().client['sandbox.sign']({ params, body: {} }))).toMatchObject({
      status: 409,
      code: 'transaction_not_started',
      message: expect.stringContaining('expired'),
    });
    expect((await readDetail(harness(), id)).status).toBe('expired');
  });
});

describeSharedService('accounts of the sandbox', (harness) => {
  test("adds users to the store's company or to a named one", async () => {
    const { client } = harness();
    const grace = await client['sandbox.add_user']({ body: { name: 'Grace', email: 'grace@example.com' } });
    const eve = await client['sandbox.add_user']({
      body: { name: 'Eve', email: 'eve@example.com', company: 'Elsewhere Ltd' },
    });
    expect([grace.company, eve.company]).toEqual(['Sandbox', 'Elsewhere Ltd']);
    const { items } = await client['sandbox.list_users']();
    expect(items.map((user) => user.email).sort()).toEqual([
      'eve@example.com',
      'grace@example.com',
      SENDER.email,
    ]);
    const no = await assertUnchanged(harness(), () =>
      refusalOf(client['sandbox.add_user']({ body: { name: 'G', email: 'GRACE@example.com' } })),
    );
    expect(no).toMatchObject({
      status: 409,
      code: 'user_exists',
      message: expect.stringContaining('GRACE@example.com'),
    });
  });

  test('registers an application with a callback address, and shows its secret this once', async () => {
    const { client } = harness();
    const body = { name: 'Orders', callback_url: 'https://orders.example.com/callback' };
    const made = await client['sandbox.add_client']({ body });
    expect(made).toMatchObject({
      ...body,
      client_id: made.id,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { items } = await client['sandbox.list_clients']();
    expect(items.map((item) => item.client_id).sort()).toEqual([OWN_CLIENT.id, made.client_id].sort());
    expect(JSON.stringify(items)).not.toContain(made.client_secret);
    await client['sandbox.delete_client']({ params: { clientId: made.client_id } });
    const no = await refusalOf(client['sandbox.delete_client']({ params: { clientId: made.client_id } }));
    expect(no).toMatchObject({ status: 404, code: 'client_not_found' });
  });

  test.each(['', 'example', 'javascript:alert(1)', 'ftp://example.com/'])(
    'refuses the callback address %j',
    async (callback_url) => {
      const no = await refusalOf(
        harness().client['sandbox.add_client']({ body: { name: 'A', callback_url } }),
      );
      expect(no).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(no.errors.map((error) => error.path)).toContain('callback_url');
    },
  );

  test('issues tokens for a user, an application, scopes and a lifetime', async () => {
    const { client } = harness();
    const token = await client['sandbox.token']({
      body: { scopes: ['webhook:read', 'transaction:read'], expires_in: 60 },
    });
    expect(token).toMatchObject({
      client_id: OWN_CLIENT.id,
      scopes: ['transaction:read', 'webhook:read'],
      expires_in: 60,
    });
    const query = { limit: '1', page: '1' };
    const holder = harness().clientWith(token.access_token);
    await holder['webhook.list']({ query });
    expect(await refusalOf(holder['template.list']({ query }))).toMatchObject({ status: 403 });
    harness().clock.advance(60_000);
    expect(await refusalOf(holder['webhook.list']({ query }))).toMatchObject({
      status: 401,
      code: 'token_expired',
    });
  });

  test.each([
    [{ user: 'nobody@example.com' }, 404, 'user_not_found'],
    [{ client_id: 'nobody' }, 404, 'client_not_found'],
    [{ scopes: [] }, 422, 'validation_failed'],
    [{ scopes: ['transaction:delete'] }, 422, 'validation_failed'],
    [{ expires_in: 0 }, 422, 'validation_failed'],
  ])('refuses a token with %j', async (body, status, code) => {
    const call = () => refusalOf(harness().client['sandbox.token']({ body: body as object }));
    expect(await assertUnchanged(harness(), call)).toMatchObject({ status, code });
  });
});
