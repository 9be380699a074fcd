// Ids of recipients and fields that a request brings, and who is found again without one (assumed: A20, A41).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  contractPdf,
  createDraft,
  type Draft,
  fieldFor,
  readDetail,
  SENDER,
  type UpdateBody,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

type RecipientBody = UpdateBody['recipients'][number];

const withoutId = ({ id, ...recipient }: RecipientBody): RecipientBody => recipient;

describeSharedService('the ids of a request', (harness) => {
  const put = (id: string, body: UpdateBody) =>
    harness().client['transaction.update']({ params: { transactionId: id }, body });

  async function draftWithFields(): Promise<Draft> {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const fields = [fieldFor(draft, ADA.email), fieldFor(draft, BOB.email, { label: 'Second' })];
    await put(draft.id, updateBodyOf(draft.detail, { fields }));
    return { id: draft.id, detail: await readDetail(harness(), draft.id) };
  }

  test('may be made by the client, so that fields name new recipients in the same request', async () => {
    const draft = await createDraft(harness(), []);
    const [ada, field] = [randomUUID(), randomUUID().toUpperCase()];
    const recipients = [
      ...updateBodyOf(draft.detail).recipients,
      { ...ADA, role: 'signer' as const, index: 1, id: ada },
    ];
    const fields = [{ ...fieldFor(draft, SENDER.email), id: field, recipient_id: ada }];
    await put(draft.id, updateBodyOf(draft.detail, { recipients, fields }));
    const { template } = await readDetail(harness(), draft.id);
    expect(template.recipients[1]).toMatchObject({ id: ada, ...ADA, token: null, submitted_at: null });
    expect(template.fields).toMatchObject([{ id: field, recipient_id: ada }]);
  });

  test('keep a field and its id, and make a new one where the id is new', async () => {
    const draft = await draftWithFields();
    const [first] = draft.detail.template.fields;
    const made = randomUUID();
    const fields = [
      { ...fieldFor(draft, ADA.email, { label: 'New' }), id: made },
      { ...fieldFor(draft, ADA.email, { label: 'Kept' }), id: first?.id },
    ];
    const params = { transactionId: draft.id };
    await harness().client['transaction.fields']({ params, body: { fields } });
    expect((await readDetail(harness(), draft.id)).template.fields).toMatchObject([
      { id: made, label: 'New' },
      { id: first?.id, label: 'Kept' },
    ]);
  });

  test('are not needed to keep recipients and all of their fields', async () => {
    const draft = await draftWithFields();
    const recipients = updateBodyOf(draft.detail).recipients.map(withoutId);
    await put(draft.id, updateBodyOf(draft.detail, { recipients }));
    const after = await readDetail(harness(), draft.id);
    expect(after.template.recipients.map(({ id }) => id)).toEqual(
      draft.detail.template.recipients.map(({ id }) => id),
    );
    expect(after.template.fields).toEqual(draft.detail.template.fields);
  });

  test('omitted find a recipient by email, in any case, and role; the name may change', async () => {
    const draft = await draftWithFields();
    const [sender, ada, bob] = updateBodyOf(draft.detail).recipients.map(withoutId);
    const recipients = [
      sender!,
      { ...ada!, email: 'ADA@example.com', name: 'Ada Lovelace' },
      { ...bob!, role: 'proxy' as const },
    ];
    await put(draft.id, updateBodyOf(draft.detail, { recipients }));
    const { template } = await readDetail(harness(), draft.id);
    const before = draft.detail.template.recipients;
    expect(template.recipients[1]).toMatchObject({ id: before[1]?.id, name: 'Ada Lovelace' });
    expect(template.recipients[2]?.id).not.toBe(before[2]?.id);
    expect(template.fields.map((field) => field.recipient_id)).toEqual([before[1]?.id]);
  });

  test('given anew for a recipient who is there make another one; the fields of the first go along', async () => {
    const draft = await draftWithFields();
    const made = randomUUID();
    const recipients = updateBodyOf(draft.detail).recipients.map((one) =>
      one.email === ADA.email ? { ...one, id: made } : one,
    );
    await put(draft.id, updateBodyOf(draft.detail, { recipients }));
    const { template } = await readDetail(harness(), draft.id);
    expect(template.recipients[1]?.id).toBe(made);
    expect(template.fields.map((field) => field.label)).toEqual(['Second']);
  });

  test('of removed recipients take their fields along', async () => {
    const draft = await draftWithFields();
    const recipients = updateBodyOf(draft.detail)
      .recipients.filter(({ email }) => email !== BOB.email)
      .map(withoutId);
    await put(draft.id, updateBodyOf(draft.detail, { recipients }));
    expect((await readDetail(harness(), draft.id)).template.fields.map((field) => field.label)).toEqual([
      'signature',
    ]);
  });

  test.each(
    sampleOf(
      [
        ['a word', 'ada'],
        ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
        ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
        ['a UUID of no variant', '00000000-0000-4000-0000-000000000000'],
        ['a UUID without dashes', '0f0e0d0c0b0a49998888777766665555'],
      ],
      3,
    ),
  )('are refused when they are %s', async (_, id) => {
    const draft = await createDraft(harness());
    const recipients = [
      ...updateBodyOf(draft.detail).recipients,
      { role: 'signer' as const, index: 2, ...BOB, id },
    ];
    const fields = [{ ...fieldFor(draft, ADA.email), id }];
    const message = `"${id}" is neither the ID of a recipient of this draft nor an unused UUID. Omit it, or use a new UUID`;
    const attempt = (json: unknown) => () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}`, { json });
    expect(
      await assertUnchanged(harness(), attempt({ ...updateBodyOf(draft.detail), recipients })),
    ).toMatchObject({ status: 422, errors: [{ path: 'recipients.2.id', message }] });
    expect(
      await assertUnchanged(harness(), attempt({ ...updateBodyOf(draft.detail), fields })),
    ).toMatchObject({
      status: 422,
      errors: [{ path: 'fields.0.id', message: message.replace('recipient', 'field') }],
    });
  });

  test('are refused in the same words when another draft has them, of this company or another', async () => {
    const draft = await createDraft(harness());
    const colleague = await addAccount(harness());
    const stranger = await addAccount(harness(), 'Elsewhere', 'eve@elsewhere.example');
    for (const { client, email } of [
      { client: harness().client, email: SENDER.email },
      colleague,
      stranger,
    ]) {
      const { id: other } = await client['transaction.create']({ body: {} });
      const theirs = await otherDraftOf(client, other, email);
      const recipients = [
        ...updateBodyOf(draft.detail).recipients,
        { role: 'signer' as const, index: 2, ...BOB, id: theirs.recipient },
      ];
      const fields = [{ ...fieldFor(draft, ADA.email), id: theirs.field }];
      for (const [json, path, id, what] of [
        [{ ...updateBodyOf(draft.detail), recipients }, 'recipients.2.id', theirs.recipient, 'recipient'],
        [{ ...updateBodyOf(draft.detail), fields }, 'fields.0.id', theirs.field, 'field'],
      ] as const)
        expect(
          await assertUnchanged(harness(), () =>
            problemFrom(harness(), `PUT /v1/transaction/${draft.id}`, { json }),
          ),
        ).toMatchObject({
          status: 422,
          errors: [
            {
              path,
              message: `"${id}" is neither the ID of a ${what} of this draft nor an unused UUID. Omit it, or use a new UUID`,
            },
          ],
        });
    }
  });

  /** A draft of another user with one recipient and one field. */
  async function otherDraftOf(client: ReturnType<typeof harness>['client'], id: string, email: string) {
    const params = { transactionId: id };
    const { token } = await client['file.upload']({
      form: { name: 'contract.pdf' },
      file: { name: 'contract.pdf', content: await contractPdf() },
    });
    const added = await client['transaction.add_document']({ params, body: { token } });
    const [recipient, field] = [randomUUID(), randomUUID()];
    const box = {
      page: 0,
      width: 100,
      height: 30,
      positionX: 72,
      positionY: 72,
      type: 'signature' as const,
    };
    await client['transaction.update']({
      params,
      body: {
        name: 'Theirs',
        documents: [{ id: added.document_id ?? '', index: 0, isLoading: false }],
        recipients: [{ id: recipient, role: 'sender', index: 0, name: 'Sender', email }],
        fields: [{ ...box, id: field, recipient_id: recipient, document_id: added.document_id ?? '' }],
      },
    });
    return { recipient, field };
  }

  test('are free again once nothing uses them', async () => {
    const draft = await draftWithFields();
    const [sender, ada] = updateBodyOf(draft.detail).recipients;
    await put(draft.id, updateBodyOf(draft.detail, { recipients: [sender!] }));
    const other = await createDraft(harness(), []);
    const recipients = [...updateBodyOf(other.detail).recipients, ada!];
    await put(other.id, updateBodyOf(other.detail, { recipients }));
    expect((await readDetail(harness(), other.id)).template.recipients[1]?.id).toBe(ada?.id);
  });
});
