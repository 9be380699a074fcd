import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  addAccount,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const DAY_MS = 24 * 3600 * 1000;

describeSharedService('the documents of a draft', (harness) => {
  const create = async () => (await harness().client['transaction.create']({ body: {} })).id;
  const attach = (transactionId: string, token: string) =>
    harness().client['transaction.add_document']({ params: { transactionId }, body: { token } });

  test("answers adding a document with 201, the transaction's id and that of the document", async () => {
    const id = await create();
    const token = await uploadContract(harness());
    const answered = await sendRequest(harness(), `POST /v1/transaction/${id}/document`, {
      json: { token },
    });
    const { template } = await readDetail(harness(), id);
    expect(answered).toMatchObject({ status: 201, body: { id, document_id: template.documents[0]?.id } });
  });

  test('shows index, status, file and every page with a file of its own', async () => {
    const id = await create();
    await attach(id, await uploadContract(harness(), 'contract.pdf'));
    await attach(id, await uploadContract(harness(), 'annex.pdf'));
    const { documents } = (await readDetail(harness(), id)).template;
    expect(
      documents.map((document) => [document.index, document.status, document.file.original_name]),
    ).toEqual([
      [0, 'processed', 'contract.pdf'],
      [1, 'processed', 'annex.pdf'],
    ]);
    for (const document of documents) {
      expect(document.file.stored_name).toMatch(/^[0-9a-f]{64}\.pdf$/);
      expect(document.pages).toHaveLength(3);
      for (const page of document.pages) {
        expect(page).toMatchObject({ document_id: document.id, width: 595.28, height: 841.89 });
        expect(page.file.stored_name).toBe(`${page.file.id}.png`);
        expect(page.file.original_name).toContain(document.file.original_name);
      }
    }
    const ids = documents.flatMap((document) => [
      document.id,
      document.file.id,
      ...document.pages.flatMap((page) => [page.id, page.file.id]),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('takes a file token several times, each time as a document of its own', async () => {
    const [first, second] = [await create(), await create()];
    const token = await uploadContract(harness());
    const ids = [await attach(first, token), await attach(first, token), await attach(second, token)].map(
      (one) => one.document_id,
    );
    expect(new Set(ids).size).toBe(3);
    expect((await readDetail(harness(), first)).template.documents).toHaveLength(2);
    expect((await readDetail(harness(), second)).template.documents).toHaveLength(1);
  });

  test('orders documents by index, numbers them anew, and removes one with its fields', async () => {
    const draft = await createDraft(harness());
    await attach(draft.id, await uploadContract(harness(), 'annex.pdf'));
    const params = { transactionId: draft.id };
    const detail = await readDetail(harness(), draft.id);
    const [contract, annex] = detail.template.documents;
    const fields = [
      fieldFor(draft, 'ada@example.com'),
      { ...fieldFor(draft, 'ada@example.com'), document_id: annex!.id },
    ];
    await harness().client['transaction.fields']({ params, body: { fields } });
    const turned = [
      { id: contract!.id, index: 5 },
      { id: annex!.id, index: 2, isLoading: true },
    ];
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(detail, { documents: turned }),
    });
    const after = (await readDetail(harness(), draft.id)).template;
    expect(after.documents.map(({ id, index }) => [id, index])).toEqual([
      [annex?.id, 0],
      [contract?.id, 1],
    ]);
    expect(after.fields).toHaveLength(2);
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(detail, { documents: [{ id: annex!.id, index: 0 }] }),
    });
    const last = (await readDetail(harness(), draft.id)).template;
    expect(last.documents.map(({ id, index }) => [id, index])).toEqual([[annex?.id, 0]]);
    expect(last.fields.map((field) => field.document_id)).toEqual([annex?.id]);
  });

  test.each(
    sampleOf(
      [
        [
          'an unknown document',
          (id: string) => [
            { id, index: 0 },
            { id: 'unknown', index: 1 },
          ],
          'documents.1.id',
          '"unknown" is not a document',
        ],
        [
          'the same document twice',
          (id: string) => [
            { id, index: 0 },
            { id, index: 1 },
          ],
          'documents.1.id',
          'is used twice',
        ],
        ['a document without an index', (id: string) => [{ id }], 'documents.0.index', 'is required'],
        ['a document without an id', () => [{ index: 0 }], 'documents.0.id', 'is required'],
        ['a negative index', (id: string) => [{ id, index: -1 }], 'documents.0.index', 'at least 0'],
        [
          'isLoading that is text',
          (id: string) => [{ id, index: 0, isLoading: 'no' }],
          'documents.0.isLoading',
          'must be true or false',
        ],
      ],
      2,
    ),
  )('refuses an update with %s', async (_, documents, path, sentence) => {
    const { id, detail } = await createDraft(harness());
    const json = { ...updateBodyOf(detail), documents: documents(detail.template.documents[0]!.id) };
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${id}`, { json }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
    expect(problem.detail).toContain(sentence);
  });

  test('refuses two documents with one index, and names both', async () => {
    const { id } = await createDraft(harness());
    await attach(id, await uploadContract(harness()));
    const detail = await readDetail(harness(), id);
    const documents = detail.template.documents.map((document) => ({
      id: document.id,
      index: 0,
      isLoading: false,
    }));
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${id}`, { json: { ...updateBodyOf(detail), documents } }),
    );
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'documents.1.index' }] });
    expect(problem.detail).toContain('documents.1.index must differ from documents.0.index: both are 0');
  });

  test.each([
    ['an unknown token', { token: 'nothing' }, 'file_token_unknown', '24 hours'],
    ['an empty token', { token: '' }, 'validation_failed', 'token must not be empty'],
    ['no token', {}, 'validation_failed', 'token is required'],
    ['a token that is a number', { token: 5 }, 'validation_failed', 'token must be a string'],
  ])('refuses %s', async (_, json, code, sentence) => {
    const id = await create();
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `POST /v1/transaction/${id}/document`, { json }),
    );
    expect(problem).toMatchObject({ status: 422, code });
    expect(problem.detail).toContain(sentence);
  });

  test("refuses another company's file token", async () => {
    const stranger = await addAccount(harness(), 'Elsewhere Ltd');
    const token = await uploadContract(stranger);
    const id = await create();
    const refused = await assertUnchanged(harness(), () => refusalOf(attach(id, token)));
    expect(refused).toMatchObject({ status: 422, code: 'file_token_unknown' });
  });

  test('refuses a file token that was not linked within 24 hours, to the millisecond', async () => {
    const id = await create();
    const [early, late] = [await uploadContract(harness()), await uploadContract(harness())];
    harness().clock.advance(DAY_MS - 1);
    await attach(id, early);
    harness().clock.advance(1);
    expect(await refusalOf(attach(id, late))).toMatchObject({ status: 422, code: 'file_token_unknown' });
    harness().clock.advance(30 * DAY_MS);
    await attach(id, early);
    expect((await readDetail(harness(), id)).template.documents).toHaveLength(2);
  });

  test.skipIf(!SLOW)('takes at most 50 documents', async () => {
    const id = await create();
    const token = await uploadContract(harness());
    for (let count = 0; count < 50; count += 1) await attach(id, token);
    const refused = await assertUnchanged(harness(), () => refusalOf(attach(id, token)));
    expect(refused).toMatchObject({
      status: 422,
      errors: [{ path: 'token', message: 'must have at most 50 entries' }],
    });
  });
});
