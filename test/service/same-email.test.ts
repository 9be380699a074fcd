// One mailbox, several recipients: a sender who also signs, two people who share an address (assumed: A45).
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { problemFrom } from '../support/ask.ts';
import {
  ADA,
  currentToken,
  detailOf,
  draftOf,
  fieldFor,
  SENDER,
  signWith,
  templateOf,
  type UpdateBody,
  updateOf,
} from '../support/deal.ts';
import { expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

const OFFICE = 'office@example.com';
const ANN = { name: 'Ann', email: OFFICE };
const BEN = { name: 'Ben', email: OFFICE };
const SELF = { ...SENDER, role: 'signer' as const };

sharedSuite(
  'recipients with the same e-mail',
  (world) => {
    const peopleOf = async (id: string) =>
      (await detailOf(world(), id)).template.recipients.map(({ role, name, email }) => [role, name, email]);

    it('may differ in role: a sender who also signs, asked in turn', async () => {
      const { id } = await draftOf(world(), [SELF, ADA]);
      await world().client['transaction.start']({ params: { transactionId: id } });
      const { template } = await detailOf(world(), id);
      expect(template.recipients.map(({ role, is_current }) => [role, is_current])).toEqual([
        ['sender', false],
        ['signer', true],
        ['signer', false],
      ]);
      for (const _ of [SELF, ADA]) await signWith(world(), await currentToken(world(), id));
      expect((await detailOf(world(), id)).status).toBe('completed');
    });

    it('may differ in name: two people behind one mailbox, each with fields and a turn of their own', async () => {
      const draft = await draftOf(world(), [ANN, BEN]);
      const [, ann, ben] = draft.detail.template.recipients;
      const fields = [ann, ben].map((one) => ({ ...fieldFor(draft, OFFICE), recipient_id: one?.id ?? '' }));
      const params = { transactionId: draft.id };
      await world().client['transaction.fields']({ params, body: { fields } });
      await world().client['transaction.start']({ params });
      const signed: string[] = [];
      for (const _ of [ann, ben]) {
        const token = await currentToken(world(), draft.id);
        const view = await world().client['signing.view']({ query: { token } });
        expect(view.fields).toHaveLength(1);
        signed.push(view.recipient.name);
        await signWith(world(), token);
      }
      expect(signed).toEqual(['Ann', 'Ben']);
      expect((await detailOf(world(), draft.id)).status).toBe('completed');
    });

    it('are told apart by name when an update leaves their ids out, in any order', async () => {
      const draft = await draftOf(world(), [ANN, BEN]);
      const [sender, ann, ben] = draft.detail.template.recipients;
      const recipients: UpdateBody['recipients'] = [
        { ...SENDER, role: 'sender', index: 0 },
        { ...BEN, role: 'signer', index: 1 },
        { ...ANN, role: 'signer', index: 2 },
      ];
      const params = { transactionId: draft.id };
      await world().client['transaction.update']({ params, body: updateOf(draft.detail, { recipients }) });
      const ids = async () => (await detailOf(world(), draft.id)).template.recipients.map((one) => one.id);
      expect(await ids()).toEqual([sender?.id, ben?.id, ann?.id]);
      // Who has another name now is whoever is left of that e-mail and role.
      recipients[1] = { ...BEN, name: 'Benjamin', role: 'signer', index: 1 };
      await world().client['transaction.update']({ params, body: updateOf(draft.detail, { recipients }) });
      expect(await ids()).toEqual([sender?.id, ben?.id, ann?.id]);
    });

    it('are not found again for somebody whose id the request names elsewhere', async () => {
      const draft = await draftOf(world(), [ANN]);
      const [sender, ann] = updateOf(draft.detail).recipients;
      const recipients = [sender!, { ...BEN, role: 'signer' as const, index: 1 }, { ...ann!, index: 2 }];
      const params = { transactionId: draft.id };
      await world().client['transaction.update']({ params, body: updateOf(draft.detail, { recipients }) });
      const after = (await detailOf(world(), draft.id)).template.recipients;
      expect(after[1]?.id).not.toBe(ann?.id);
      expect(after[2]?.id).toBe(ann?.id);
    });

    it('are refused when role and name are the same too', async () => {
      const { id, detail } = await draftOf(world());
      for (const twin of [{}, { id: randomUUID() }]) {
        const recipients = [
          ...updateOf(detail).recipients,
          { role: 'signer', index: 2, name: ADA.name, email: 'ADA@example.com', ...twin },
        ];
        const problem = await expectNothingChanged(world(), () =>
          problemFrom(world(), `PUT /v1/transaction/${id}`, { json: { ...updateOf(detail), recipients } }),
        );
        expect(problem).toMatchObject({
          status: 422,
          errors: [
            {
              path: 'recipients.2.email',
              message: '"ADA@example.com" is a recipient twice with the role signer and the name "Ada"',
            },
          ],
        });
      }
    });

    it('are acted for one after the other in the sandbox', async () => {
      const draft = await draftOf(world(), [ANN, BEN]);
      const params = { transactionId: draft.id };
      await world().client['transaction.start']({ params });
      const names: string[] = [];
      for (const _ of [ANN, BEN]) {
        const signed = await world().client['sandbox.sign']({ params, body: { as: OFFICE, values: {} } });
        names.push(signed.recipient.name);
      }
      expect(names).toEqual(['Ann', 'Ben']);
    });

    it('stay apart in a template, and when it is used', async () => {
      const draft = await draftOf(world(), [SELF, ANN, BEN]);
      const everybody = await peopleOf(draft.id);
      const { id: templateId } = await world().client['sandbox.save_template']({
        params: { transactionId: draft.id },
        body: { name: 'Shared mailbox' },
      });
      const { id } = await world().client['transaction.create']({ body: {} });
      const params = { transactionId: id };
      const body = { templates: [{ id: templateId }] };
      await world().client['transaction.use_templates']({ params, body });
      expect(await peopleOf(id)).toEqual(everybody);
      // A second time everybody is there already (A42).
      await world().client['transaction.use_templates']({ params, body });
      expect(await peopleOf(id)).toEqual(everybody);
    });

    it('of a template become those of the draft with the same name first, then any with that e-mail', async () => {
      const { id: template } = await templateWith([ANN, BEN]);
      const draft = await draftOf(world(), [BEN]);
      const params = { transactionId: draft.id };
      await world().client['transaction.use_templates']({ params, body: { templates: [{ id: template }] } });
      const { template: after } = await detailOf(world(), draft.id);
      expect(after.recipients.map(({ name }) => name)).toEqual([SENDER.name, 'Ben', 'Ann']);
      expect(after.recipients[1]?.id).toBe(draft.detail.template.recipients[1]?.id);
      const other = await draftOf(world(), [{ ...ANN, role: 'proxy' }]);
      await world().client['transaction.use_templates']({
        params: { transactionId: other.id },
        body: { templates: [{ id: (await templateOf(world())).id }, { id: template }] },
      });
      expect(await peopleOf(other.id)).toEqual([
        ['sender', SENDER.name, SENDER.email],
        ['proxy', 'Ann', OFFICE],
        ['signer', 'Ada', ADA.email],
        ['signer', 'Ben', OFFICE],
      ]);
    });

    async function templateWith(people: { name: string; email: string }[]) {
      const draft = await draftOf(world(), people);
      return world().client['sandbox.save_template']({
        params: { transactionId: draft.id },
        body: { name: 'People' },
      });
    }
  },
  'over HTTP in the slow tier',
);
