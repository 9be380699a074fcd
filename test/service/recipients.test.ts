import { expect, it } from 'vitest';
import { problemFrom } from '../support/ask.ts';
import { ADA, BOB, detailOf, draftOf, fieldFor, refusalOf, SENDER, updateOf } from '../support/deal.ts';
import { expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

sharedSuite(
  'the recipients of an update',
  (world) => {
    const update = (id: string, json: unknown) => problemFrom(world(), `PUT /v1/transaction/${id}`, { json });

    it('gives each recipient an id, a colour, a position from 0 and no token', async () => {
      const { detail } = await draftOf(world(), [ADA, { ...BOB, role: 'proxy' }]);
      expect(detail.template.recipients).toMatchObject([
        { role: 'sender', index: 0, ...SENDER },
        { role: 'signer', index: 1, name: ADA.name, email: ADA.email },
        { role: 'proxy', index: 2, name: BOB.name, email: BOB.email },
      ]);
      for (const recipient of detail.template.recipients) {
        expect(recipient).toMatchObject({ token: null, submitted_at: null, is_current: false });
        expect(recipient.color).toMatch(/^[a-z]+$/);
      }
      expect(new Set(detail.template.recipients.map((recipient) => recipient.color)).size).toBe(3);
    });

    it('orders recipients by index and numbers them anew from 0', async () => {
      const { id, detail } = await draftOf(world(), [ADA, BOB]);
      const [sender, ada, bob] = updateOf(detail).recipients;
      const recipients = [
        { ...sender!, index: 40 },
        { ...ada!, index: 7 },
        { ...bob!, index: 3 },
      ];
      await world().client['transaction.update']({
        params: { transactionId: id },
        body: updateOf(detail, { recipients }),
      });
      const after = (await detailOf(world(), id)).template.recipients;
      expect(after.map(({ email, index }) => [email, index])).toEqual([
        [BOB.email, 0],
        [ADA.email, 1],
        [SENDER.email, 2],
      ]);
    });

    it('keeps the recipient whose id is given, and makes a new one where none is', async () => {
      const { id, detail } = await draftOf(world());
      const [sender, ada] = updateOf(detail).recipients;
      const recipients = [
        sender!,
        { ...ada!, name: 'Ada Lovelace', color: 'teal' },
        { role: 'signer' as const, index: 2, ...BOB },
      ];
      await world().client['transaction.update']({
        params: { transactionId: id },
        body: updateOf(detail, { recipients }),
      });
      const after = (await detailOf(world(), id)).template.recipients;
      expect(after[1]).toMatchObject({ id: ada?.id, name: 'Ada Lovelace', color: 'teal' });
      expect(detail.template.recipients.map((recipient) => recipient.id)).not.toContain(after[2]?.id);
    });

    it('takes the fields of a removed recipient along', async () => {
      const draft = await draftOf(world(), [ADA, BOB]);
      const params = { transactionId: draft.id };
      const fields = [fieldFor(draft, ADA.email), fieldFor(draft, BOB.email)];
      await world().client['transaction.fields']({ params, body: { fields } });
      const recipients = updateOf(draft.detail).recipients.filter(
        (recipient) => recipient.email !== ADA.email,
      );
      await world().client['transaction.update']({ params, body: updateOf(draft.detail, { recipients }) });
      const { template } = await detailOf(world(), draft.id);
      expect(template.fields.map((field) => field.recipient_id)).toEqual([fields[1]?.recipient_id]);
    });

    it('refuses a sender whose e-mail is not that of the requesting user', async () => {
      const { id, detail } = await draftOf(world());
      const recipients = updateOf(detail).recipients.map((one) =>
        one.role === 'sender' ? { ...one, email: 'eve@example.com' } : one,
      );
      const problem = await expectNothingChanged(world(), () => update(id, updateOf(detail, { recipients })));
      expect(problem).toMatchObject({
        status: 422,
        code: 'sender_email_mismatch',
        errors: [{ path: 'recipients.0.email' }],
      });
      expect(problem.detail).toContain('eve@example.com');
      expect(problem.detail).toContain(SENDER.email);
    });

    it("takes the sender's e-mail in any case", async () => {
      const { id, detail } = await draftOf(world());
      const recipients = updateOf(detail).recipients.map((one) =>
        one.role === 'sender' ? { ...one, email: 'Sender@ESIGN.test' } : one,
      );
      await world().client['transaction.update']({
        params: { transactionId: id },
        body: updateOf(detail, { recipients }),
      });
      expect((await detailOf(world(), id)).template.recipients[0]?.email).toBe('Sender@ESIGN.test');
    });

    it.each([
      [
        'something that is no e-mail',
        { email: 'ada' },
        'recipients.2.email',
        '"ada" is not an e-mail address',
      ],
      [
        'two addresses in one',
        { email: 'a@example.com,b@example.com' },
        'recipients.2.email',
        'is not an e-mail address',
      ],
      [
        'an e-mail with a line end',
        { email: 'bob@example.com\r\nBcc: eve@example.com' },
        'recipients.2.email',
        'is not an e-mail',
      ],
      ['an unknown role', { role: 'witness' }, 'recipients.2.role', '"witness" is not a role'],
      ['no name', { name: '' }, 'recipients.2.name', 'must not be empty'],
      ['a name of 256 characters', { name: 'x'.repeat(256) }, 'recipients.2.name', 'this has 256'],
      [
        'a name with an escape sequence',
        { name: '\u001b]0;x\u0007' },
        'recipients.2.name',
        'control characters',
      ],
      ['a negative index', { index: -1 }, 'recipients.2.index', 'must be at least 0'],
      ['an index that is no number', { index: '2' }, 'recipients.2.index', 'must be'],
      ['a colour without a name', { color: '' }, 'recipients.2.color', 'must not be empty'],
      [
        'a colour with a name of 33 characters',
        { color: 'x'.repeat(33) },
        'recipients.2.color',
        'this has 33',
      ],
    ])('refuses %s', async (_, wrong, path, sentence) => {
      const { id, detail } = await draftOf(world());
      const recipients = [...updateOf(detail).recipients, { role: 'signer', index: 2, ...BOB, ...wrong }];
      const problem = await expectNothingChanged(world(), () =>
        update(id, { ...updateOf(detail), recipients }),
      );
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
      expect(problem.detail).toContain(sentence);
    });

    it('takes a name of 255 characters, and at most 100 recipients', async () => {
      const { id, detail } = await draftOf(world());
      const more = Array.from({ length: 99 }, (_, index) => ({
        role: 'signer' as const,
        index,
        name: 'N'.repeat(255),
        email: `n${index}@example.com`,
      }));
      const params = { transactionId: id };
      const [sender] = updateOf(detail).recipients;
      await world().client['transaction.update']({
        params,
        body: updateOf(detail, { recipients: [sender!, ...more] }),
      });
      expect((await detailOf(world(), id)).template.recipients).toHaveLength(100);
      const refused = await refusalOf(
        world().client['transaction.update']({
          params,
          body: updateOf(detail, { recipients: [sender!, ...more, { role: 'signer', index: 1, ...ADA }] }),
        }),
      );
      expect(refused).toMatchObject({
        status: 422,
        errors: [{ path: 'recipients', message: 'must have at most 100 entries' }],
      });
    });
  },
  'over HTTP in the slow tier',
);
