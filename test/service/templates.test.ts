import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeService, describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  endTransaction,
  eventTypesOf,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  saveTemplate,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { SLOW } from '../support/tier.ts';

describeSharedService('a template', (harness) => {
  test('is shown with its fields, each with the recipient who fills it', async () => {
    const { id } = await saveTemplate(harness());
    const answered = await sendRequest(harness(), `GET /v1/template/${id}`);
    expect(answered.status).toBe(200);
    const shown = await harness().client['template.detail']({ params: { templateId: id } });
    expect(shown).toEqual({
      id,
      name: 'Standard agreement',
      description: '',
      // Extension: in the order in which they act, those without fields too.
      recipients: [SENDER, ADA].map(({ name, email }, index) => ({
        id: shown.recipients[index]?.id,
        name,
        email,
        role: index === 0 ? 'sender' : 'signer',
        index,
      })),
      fields: [
        {
          id: shown.fields[0]?.id,
          label: 'signature',
          type: 'signature',
          recipient: {
            id: shown.fields[0]?.recipient.id,
            name: ADA.name,
            email: ADA.email,
            role: 'signer',
          },
        },
      ],
    });
  });

  test('is a copy: what happens to the transaction it came from changes nothing', async () => {
    const { id, draft } = await saveTemplate(harness());
    const before = await harness().client['template.detail']({ params: { templateId: id } });
    await harness().client['transaction.update']({
      params: { transactionId: draft.id },
      body: updateBodyOf(draft.detail, { name: 'Changed', fields: [] }),
    });
    expect(await harness().client['template.detail']({ params: { templateId: id } })).toEqual(before);
  });

  test('is not what a transaction consists of, nor the other way round', async () => {
    const { id, detail } = await createDraft(harness());
    for (const templateId of [detail.template_id, id, 'unknown']) {
      const no = await refusalOf(harness().client['template.detail']({ params: { templateId } }));
      expect(no).toMatchObject({ status: 404, code: 'template_not_found' });
      expect(no.message).toContain(`"${templateId}"`);
    }
    const template = await saveTemplate(harness());
    expect(await refusalOf(readDetail(harness(), template.id))).toMatchObject({
      status: 404,
      code: 'transaction_not_found',
    });
  });

  test.skipIf(!SLOW)(
    'can be saved from a transaction that has ended: no recipient has been asked and nothing is filled in',
    async () => {
      const done = await endTransaction(harness(), 'completed');
      const body = { name: 'Again', description: 'As before' };
      const { id } = await harness().client['sandbox.save_template']({
        params: { transactionId: done.id },
        body,
      });
      expect(await harness().client['template.detail']({ params: { templateId: id } })).toMatchObject(body);
      const { id: draft } = await harness().client['transaction.create']({ body: {} });
      await harness().client['transaction.use_templates']({
        params: { transactionId: draft },
        body: { templates: [{ id }] },
      });
      const { template } = await readDetail(harness(), draft);
      expect(
        template.recipients.every(
          (one) => one.submitted_at === null && one.token === null && !one.is_current,
        ),
      ).toBe(true);
      const values = await harness().store.database.read((db) =>
        db.selectFrom('field').select('value').where('template_id', '=', template.id).execute(),
      );
      expect(values.map((row) => row.value)).toEqual([null]);
    },
  );
});

describeSharedService('using templates', (harness) => {
  const use = (transactionId: string, ids: string[]) =>
    harness().client['transaction.use_templates']({
      params: { transactionId },
      body: { templates: ids.map((id) => ({ id })) },
    });
  const create = async () => (await harness().client['transaction.create']({ body: { name: 'Mine' } })).id;

  test('answers 201 with the transaction, complete and ready to start', async () => {
    const { id: template } = await saveTemplate(harness());
    const id = await create();
    const answered = await sendRequest(harness(), `POST /v1/transaction/${id}/templates`, {
      json: { templates: [{ id: template }] },
    });
    expect(answered.status).toBe(201);
    const detail = await readDetail(harness(), id);
    expect(answered.body).toEqual(detail);
    expect(detail).toMatchObject({ id, status: 'draft' });
    expect(detail.template).toMatchObject({
      name: 'Mine',
      reusable: false,
      documents: [{ index: 0, file: { original_name: 'contract.pdf' } }],
      recipients: [
        { role: 'sender', index: 0, ...SENDER },
        { role: 'signer', index: 1, name: ADA.name, email: ADA.email },
      ],
      fields: [
        {
          type: 'signature',
          recipient_id: detail.template.recipients[1]?.id,
          document_id: detail.template.documents[0]?.id,
        },
      ],
    });
    await harness().client['transaction.start']({ params: { transactionId: id } });
    expect(await eventTypesOf(harness(), id)).toEqual(['transaction_created', 'transaction_started']);
  });

  test('gives everything ids of its own', async () => {
    const { id: template, draft } = await saveTemplate(harness());
    const id = await create();
    const idsOf = ({ documents, recipients, fields }: Awaited<ReturnType<typeof readDetail>>['template']) => [
      ...documents.flatMap((one) => [one.id, ...one.pages.flatMap((page) => [page.id, page.file.id])]),
      ...recipients.map((one) => one.id),
      ...fields.map((one) => one.id),
    ];
    await use(id, [template, template]);
    const mine = idsOf((await readDetail(harness(), id)).template);
    const theirs = idsOf((await readDetail(harness(), draft.id)).template);
    expect(new Set([...mine, ...theirs]).size).toBe(mine.length + theirs.length);
  });

  test('appends in the order given; a recipient who is there already is that one', async () => {
    const first = await saveTemplate(harness(), 'First');
    const other = await createDraft(harness(), [BOB, ADA]);
    await harness().client['transaction.fields']({
      params: { transactionId: other.id },
      body: {
        fields: [
          fieldFor(other, BOB.email, { label: "Bob's" }),
          fieldFor(other, ADA.email, { label: "Ada's" }),
        ],
      },
    });
    const second = await harness().client['sandbox.save_template']({
      params: { transactionId: other.id },
      body: { name: 'Second' },
    });
    const id = await create();
    await use(id, [first.id, second.id]);
    const { template } = await readDetail(harness(), id);
    expect(template.recipients.map(({ email, index }) => [email, index])).toEqual([
      [SENDER.email, 0],
      [ADA.email, 1],
      [BOB.email, 2],
    ]);
    expect(template.documents.map((one) => one.index)).toEqual([0, 1]);
    const ada = template.recipients[1]?.id;
    expect(template.fields.map((field) => [field.label, field.recipient_id === ada])).toEqual([
      ['signature', true],
      ["Bob's", false],
      ["Ada's", true],
    ]);
    expect(template.fields.map((field) => field.document_id)).toEqual([
      template.documents[0]?.id,
      template.documents[1]?.id,
      template.documents[1]?.id,
    ]);
  });

  test('keeps what the draft has, and makes the user of the template its sender', async () => {
    const { id: template } = await saveTemplate(harness());
    const colleague = await addAccount(harness(), undefined, 'linus@example.com');
    const { id } = await colleague.client['transaction.create']({ body: {} });
    await colleague.client['transaction.use_templates']({
      params: { transactionId: id },
      body: { templates: [{ id: template }] },
    });
    const detail = await readDetail(harness(), id);
    expect(detail.template.recipients[0]).toMatchObject({
      role: 'sender',
      email: colleague.email,
      name: 'Grace',
    });
    expect(detail.sender_id).toBe(detail.created_by_id);
    const draft = await createDraft(harness(), [BOB]);
    await use(draft.id, [template]);
    const merged = (await readDetail(harness(), draft.id)).template;
    expect(merged.recipients.map((one) => one.email)).toEqual([SENDER.email, BOB.email, ADA.email]);
    expect(merged.recipients[0]?.id).toBe(draft.detail.template.recipients[0]?.id);
  });

  test("makes the user of a template in a colleague's draft its sender", async () => {
    const { id: template } = await saveTemplate(harness());
    const colleague = await addAccount(harness(), undefined, 'dennis@example.com');
    const id = await create();
    await colleague.client['transaction.use_templates']({
      params: { transactionId: id },
      body: { templates: [{ id: template }] },
    });
    await colleague.client['transaction.start']({ params: { transactionId: id } });
    const detail = await readDetail(harness(), id);
    const { items } = await harness().client['sandbox.events']({
      query: { transaction_id: id, type: 'transaction_started' },
    });
    expect(items[0]?.data.started_by).toEqual({ id: detail.sender_id, email: colleague.email });
  });

  test.each([
    ['no templates', {}, 'templates is required'],
    ['an empty list', { templates: [] }, 'templates must not be empty'],
    ['a template without an id', { templates: [{}] }, 'templates.0.id is required'],
    ['an id that is no text', { templates: [{ id: 5 }] }, 'templates.0.id must be a string'],
    [
      '21 templates',
      { templates: Array.from({ length: 21 }, () => ({ id: 'x' })) },
      'templates must have at most 20 entries',
    ],
  ])('refuses %s', async (_, json, sentence) => {
    const id = await create();
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `POST /v1/transaction/${id}/templates`, { json }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toContain(sentence);
  });

  test('does nothing when one of several is unknown', async () => {
    const { id: template } = await saveTemplate(harness());
    const id = await create();
    const no = await assertUnchanged(harness(), () => refusalOf(use(id, [template, 'unknown'])));
    expect(no).toMatchObject({ status: 404, code: 'template_not_found' });
    expect(no.message).toContain('"unknown"');
  });
});

describeService('the list of templates', (harness) => {
  const names = async (search: string, limit = '100') =>
    (await harness().client['template.list']({ query: { search, limit, page: '1' } })).items.map(
      (item) => item.name,
    );

  test('finds by part of the name, whatever its case; % and _ and \\ are themselves', async () => {
    const { id } = await createDraft(harness());
    const all = ['Lease', 'LEASE 100%', 'Lease_A', 'Ärzte GmbH', 'back\\slash', 'Sale'];
    for (const name of all) {
      await harness().client['sandbox.save_template']({ params: { transactionId: id }, body: { name } });
      harness().clock.advance(1);
    }
    const newest = all.toReversed();
    expect(await names('')).toEqual(newest);
    expect(await names('lease')).toEqual(['Lease_A', 'LEASE 100%', 'Lease']);
    expect(await names('%')).toEqual(['LEASE 100%']);
    expect(await names('_')).toEqual(['Lease_A']);
    expect(await names('\\')).toEqual(['back\\slash']);
    expect(await names('ärzte')).toEqual(['Ärzte GmbH']);
    expect(await names("' or 1=1 --")).toEqual([]);
    expect(
      (await harness().client['template.list']({ query: { search: 'lease', limit: '2', page: '2' } })).meta,
    ).toMatchObject({ page_count: 2 });
  });

  test.skipIf(!SLOW)('shows id and name of reusable ones only, and only those of the company', async () => {
    const { id } = await saveTemplate(harness());
    const stranger = await addAccount(harness(), 'Elsewhere Ltd');
    const query = { limit: '10', page: '1' };
    expect((await harness().client['template.list']({ query })).items).toEqual([
      { id, name: 'Standard agreement' },
    ]);
    expect((await stranger.client['template.list']({ query })).items).toEqual([]);
  });

  test('refuses a search of 256 characters', async () => {
    const problem = await problemFrom(harness(), `GET /v1/template?limit=1&page=1&search=${'x'.repeat(256)}`);
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'search' }] });
  });
});
