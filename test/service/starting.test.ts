import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  startTransaction,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import { problemFrom } from '../support/http-client.ts';

type Recipients = { role: 'sender' | 'signer' | 'proxy'; index: number; name: string; email: string }[];

/** A draft with one document and exactly these recipients. */
async function draftWith(harness: Harness, recipients: Recipients): Promise<string> {
  const { id, detail } = await createDraft(harness);
  await harness.client['transaction.update']({
    params: { transactionId: id },
    body: updateBodyOf(detail, { recipients }),
  });
  return id;
}

const sender = { role: 'sender' as const, index: 0, ...SENDER };
const ada = { role: 'signer' as const, index: 1, name: ADA.name, email: ADA.email };

describeSharedService('starting a transaction', (harness) => {
  const start = (transactionId: string) =>
    harness().client['transaction.start']({ params: { transactionId } });

  async function refused(id: string, path: string, sentence: string): Promise<void> {
    const no = await assertUnchanged(harness(), () => refusalOf(start(id)));
    expect(no).toMatchObject({ status: 422, code: 'transaction_incomplete' });
    expect(no.message).toContain(id);
    expect(no.message).toContain(sentence);
    expect(no.errors.map((error) => error.path)).toContain(path);
  }

  test('needs a document', async () => {
    const { id } = await harness().client['transaction.create']({ body: {} });
    await refused(id, 'documents', 'it has no documents');
  });

  test('needs a sender', async () => {
    await refused(await draftWith(harness(), [ada]), 'recipients', 'it has no sender');
  });

  test('needs a recipient who acts', async () => {
    await refused(await draftWith(harness(), [sender]), 'recipients', 'it has no recipient who has to sign');
  });

  test('takes a sender with fields as the only one who acts', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const recipients = updateBodyOf(draft.detail).recipients.filter((one) => one.role === 'sender');
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { recipients, fields: [fieldFor(draft, SENDER.email)] }),
    });
    await start(draft.id);
    expect((await readDetail(harness(), draft.id)).template.recipients[0]?.is_current).toBe(true);
  });

  test('needs a sender with the email of the user who starts it', async () => {
    const colleague = await addAccount(harness());
    const id = await draftWith(harness(), [sender, ada]);
    const no = await assertUnchanged(harness(), () =>
      refusalOf(colleague.client['transaction.start']({ params: { transactionId: id } })),
    );
    expect(no).toMatchObject({ status: 422, code: 'transaction_incomplete' });
    expect(no.message).toContain(SENDER.email);
    expect(no.message).toContain(colleague.email);
  });

  test('lets a colleague who is the sender edit and start what another user created', async () => {
    const colleague = await addAccount(harness(), undefined, 'linus@example.com');
    const { id, detail } = await createDraft(harness());
    const params = { transactionId: id };
    const recipients = [{ role: 'sender' as const, index: 0, name: 'Linus', email: colleague.email }, ada];
    await colleague.client['transaction.update']({ params, body: updateBodyOf(detail, { recipients }) });
    await colleague.client['transaction.start']({ params });
    const after = await readDetail(harness(), id);
    expect(after.status).toBe('started');
    expect(after.sender_id).not.toBe(after.created_by_id);
    const { items } = await harness().client['sandbox.events']({
      query: { transaction_id: id, type: 'transaction_started' },
    });
    expect(items[0]?.data).toEqual({
      id,
      status: 'started',
      started_by: { id: after.sender_id, email: colleague.email },
    });
  });

  test('looks again at the place of every field when recipients and documents have changed', async () => {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const { document_id } = await harness().client['transaction.add_document']({
      params,
      body: { token: await uploadContract(harness()) },
    });
    const both = (await readDetail(harness(), draft.id)).template.documents.map(({ id, index }) => ({
      id,
      index,
    }));
    await harness().client['transaction.fields']({
      params,
      body: { fields: [{ ...fieldFor(draft, ADA.email), document_id }] },
    });
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { documents: both.slice(0, 1) }),
    });
    await start(draft.id);
    expect((await readDetail(harness(), draft.id)).template.fields).toEqual([]);
  });

  test('happens once: the second start is a conflict', async () => {
    const { id } = await startTransaction(harness());
    const no = await assertUnchanged(harness(), () => refusalOf(start(id)));
    expect(no).toMatchObject({ status: 409, code: 'transaction_not_draft' });
  });

  test('takes no body, and ignores one', async () => {
    const { id } = await createDraft(harness());
    const problem = await problemFrom(harness(), 'PUT /v1/transaction/unknown/start', { body: 'anything' });
    expect(problem).toMatchObject({ status: 404, code: 'transaction_not_found' });
    expect((await start(id)).url).toContain('token=');
  });

  test('counts the days until it expires from the start', async () => {
    const { id, detail } = await createDraft(harness());
    const params = { transactionId: id };
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(detail, { expiration_days: 30 }),
    });
    harness().clock.advance(5 * 24 * 3600 * 1000);
    await start(id);
    const after = await readDetail(harness(), id);
    const now = harness().clock.now;
    expect(after.sent_at).toBe(new Date(now).toISOString());
    expect(after.expires_at).toBe(new Date(now + 30 * 24 * 3600 * 1000).toISOString());
  });

  test('sends an email to the current recipient, and to no other', async () => {
    const { id, detail } = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: id };
    const texts = {
      email_alias: 'Example Ltd',
      email_subject: 'Your contract',
      email_body: 'Dear customer',
    };
    await harness().client['transaction.update']({ params, body: updateBodyOf(detail, texts) });
    const { url } = await start(id);
    const mail = async () =>
      (await harness().client['sandbox.mail']({ query: { transaction_id: id } })).items;
    expect(await mail()).toMatchObject([
      {
        kind: 'invitation',
        from: 'Example Ltd <no-reply@esign.test>',
        reply_to: `${SENDER.name} <${SENDER.email}>`,
        to: `Ada <${ADA.email}>`,
        subject: 'Your contract',
      },
    ]);
    const [{ body = '' } = {}] = await mail();
    expect(body).toContain('Dear customer');
    expect(body).toContain(`\n${url}&by=mailbox.`);
    await harness().client['sandbox.sign']({ params, body: {} });
    expect((await mail()).map((one) => one.to)).toEqual([`Bob <${BOB.email}>`, `Ada <${ADA.email}>`]);
  });

  test('writes its own words where the draft has none', async () => {
    const { id } = await startTransaction(harness());
    const { items } = await harness().client['sandbox.mail']({ query: { transaction_id: id } });
    expect(items[0]).toMatchObject({
      from: 'Sandbox Sender <no-reply@esign.test>',
      subject: 'Please sign: Agreement',
    });
    expect(items[0]?.body).toContain('Sandbox Sender asks you to sign “Agreement”.');
  });
});
