// One mailbox, several recipients: a sender who also signs, two people who share an address (assumed: A45).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  SENDER,
  saveTemplate,
  signWith,
  type UpdateBody,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { SLOW } from '../support/tier.ts';

const OFFICE = 'office@example.com';
const ANN = { name: 'Ann', email: OFFICE };
const BEN = { name: 'Ben', email: OFFICE };
const SELF = { ...SENDER, role: 'signer' as const };

describeSharedService('recipients with the same email', (harness) => {
  const peopleOf = async (id: string) =>
    (await readDetail(harness(), id)).template.recipients.map(({ role, name, email }) => [role, name, email]);

  test.skipIf(!SLOW)('may differ in role: a sender who also signs, asked in turn', async () => {
    const { id } = await createDraft(harness(), [SELF, ADA]);
    await harness().client['transaction.start']({ params: { transactionId: id } });
    const { template } = await readDetail(harness(), id);
    expect(template.recipients.map(({ role, is_current }) => [role, is_current])).toEqual([
      ['sender', false],
      ['signer', true],
      ['signer', false],
    ]);
    for (const _ of [SELF, ADA]) await signWith(harness(), await currentToken(harness(), id));
    expect((await readDetail(harness(), id)).status).toBe('completed');
  });

  test('may differ in name: two people behind one mailbox, each with fields and a turn of their own', async () => {
    const draft = await createDraft(harness(), [ANN, BEN]);
    const [, ann, ben] = draft.detail.template.recipients;
    const fields = [ann, ben].map((one) => ({ ...fieldFor(draft, OFFICE), recipient_id: one?.id ?? '' }));
    const params = { transactionId: draft.id };
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const signed: string[] = [];
    for (const _ of [ann, ben]) {
      const token = await currentToken(harness(), draft.id);
      const view = await harness().client['signing.view']({ query: { token } });
      expect(view.fields).toHaveLength(1);
      signed.push(view.recipient.name);
      await signWith(harness(), token);
    }
    expect(signed).toEqual(['Ann', 'Ben']);
    expect((await readDetail(harness(), draft.id)).status).toBe('completed');
  });

  test('are identified by name when an update omits their ids, in any order', async () => {
    const draft = await createDraft(harness(), [ANN, BEN]);
    const [sender, ann, ben] = draft.detail.template.recipients;
    const recipients: UpdateBody['recipients'] = [
      { ...SENDER, role: 'sender', index: 0 },
      { ...BEN, role: 'signer', index: 1 },
      { ...ANN, role: 'signer', index: 2 },
    ];
    const params = { transactionId: draft.id };
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { recipients }),
    });
    const ids = async () => (await readDetail(harness(), draft.id)).template.recipients.map((one) => one.id);
    expect(await ids()).toEqual([sender?.id, ben?.id, ann?.id]);
    // A recipient with another name is the one that remains with that email and role.
    recipients[1] = { ...BEN, name: 'Benjamin', role: 'signer', index: 1 };
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { recipients }),
    });
    expect(await ids()).toEqual([sender?.id, ben?.id, ann?.id]);
  });

  test('are not matched with a recipient whose id the request names elsewhere', async () => {
    const draft = await createDraft(harness(), [ANN]);
    const [sender, ann] = updateBodyOf(draft.detail).recipients;
    const recipients = [sender!, { ...BEN, role: 'signer' as const, index: 1 }, { ...ann!, index: 2 }];
    const params = { transactionId: draft.id };
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { recipients }),
    });
    const after = (await readDetail(harness(), draft.id)).template.recipients;
    expect(after[1]?.id).not.toBe(ann?.id);
    expect(after[2]?.id).toBe(ann?.id);
  });

  test('are refused when role and name are the same too', async () => {
    const { id, detail } = await createDraft(harness());
    for (const twin of [{}, { id: randomUUID() }]) {
      const recipients = [
        ...updateBodyOf(detail).recipients,
        { role: 'signer', index: 2, name: ADA.name, email: 'ADA@example.com', ...twin },
      ];
      const problem = await assertUnchanged(harness(), () =>
        problemFrom(harness(), `PUT /v1/transaction/${id}`, {
          json: { ...updateBodyOf(detail), recipients },
        }),
      );
      expect(problem).toMatchObject({
        status: 422,
        errors: [
          {
            path: 'recipients.2.email',
            message:
              '"ADA@example.com" is given twice with the role signer and the name "Ada". Change the name or the role',
          },
        ],
      });
    }
  });

  test('are acted for one after the other in the sandbox', async () => {
    const draft = await createDraft(harness(), [ANN, BEN]);
    const params = { transactionId: draft.id };
    await harness().client['transaction.start']({ params });
    const names: string[] = [];
    for (const _ of [ANN, BEN]) {
      const signed = await harness().client['sandbox.sign']({ params, body: { as: OFFICE, values: {} } });
      names.push(signed.recipient.name);
    }
    expect(names).toEqual(['Ann', 'Ben']);
  });

  test('stay apart in a template, and when it is used', async () => {
    const draft = await createDraft(harness(), [SELF, ANN, BEN]);
    const allRecipients = await peopleOf(draft.id);
    const { id: templateId } = await harness().client['sandbox.save_template']({
      params: { transactionId: draft.id },
      body: { name: 'Shared mailbox' },
    });
    const { id } = await harness().client['transaction.create']({ body: {} });
    const params = { transactionId: id };
    const body = { templates: [{ id: templateId }] };
    await harness().client['transaction.use_templates']({ params, body });
    expect(await peopleOf(id)).toEqual(allRecipients);
    // The second time all recipients are there already (A42).
    await harness().client['transaction.use_templates']({ params, body });
    expect(await peopleOf(id)).toEqual(allRecipients);
  });

  test('of a template become those of the draft with the same name first, then any with that email', async () => {
    const { id: template } = await templateWith([ANN, BEN]);
    const draft = await createDraft(harness(), [BEN]);
    const params = { transactionId: draft.id };
    await harness().client['transaction.use_templates']({
      params,
      body: { templates: [{ id: template }] },
    });
    const { template: after } = await readDetail(harness(), draft.id);
    expect(after.recipients.map(({ name }) => name)).toEqual([SENDER.name, 'Ben', 'Ann']);
    expect(after.recipients[1]?.id).toBe(draft.detail.template.recipients[1]?.id);
    const other = await createDraft(harness(), [{ ...ANN, role: 'proxy' }]);
    await harness().client['transaction.use_templates']({
      params: { transactionId: other.id },
      body: { templates: [{ id: (await saveTemplate(harness())).id }, { id: template }] },
    });
    expect(await peopleOf(other.id)).toEqual([
      ['sender', SENDER.name, SENDER.email],
      ['proxy', 'Ann', OFFICE],
      ['signer', 'Ada', ADA.email],
      ['signer', 'Ben', OFFICE],
    ]);
  });

  async function templateWith(people: { name: string; email: string }[]) {
    const draft = await createDraft(harness(), people);
    return harness().client['sandbox.save_template']({
      params: { transactionId: draft.id },
      body: { name: 'People' },
    });
  }
});
