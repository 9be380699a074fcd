import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  BOB,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

describeSharedService('the recipients of an update', (harness) => {
  const update = (id: string, json: unknown) => problemFrom(harness(), `PUT /v1/transaction/${id}`, { json });

  test('gives each recipient an id, a color, a position from 0 and no token', async () => {
    const { detail } = await createDraft(harness(), [ADA, { ...BOB, role: 'proxy' }]);
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

  test('orders recipients by index and numbers them anew from 0', async () => {
    const { id, detail } = await createDraft(harness(), [ADA, BOB]);
    const [sender, ada, bob] = updateBodyOf(detail).recipients;
    const recipients = [
      { ...sender!, index: 40 },
      { ...ada!, index: 7 },
      { ...bob!, index: 3 },
    ];
    await harness().client['transaction.update']({
      params: { transactionId: id },
      body: updateBodyOf(detail, { recipients }),
    });
    const after = (await readDetail(harness(), id)).template.recipients;
    expect(after.map(({ email, index }) => [email, index])).toEqual([
      [BOB.email, 0],
      [ADA.email, 1],
      [SENDER.email, 2],
    ]);
  });

  test('keeps the recipient whose id is given, and makes a new one where none is', async () => {
    const { id, detail } = await createDraft(harness());
    const [sender, ada] = updateBodyOf(detail).recipients;
    const recipients = [
      sender!,
      { ...ada!, name: 'Ada Lovelace', color: 'teal' },
      { role: 'signer' as const, index: 2, ...BOB },
    ];
    await harness().client['transaction.update']({
      params: { transactionId: id },
      body: updateBodyOf(detail, { recipients }),
    });
    const after = (await readDetail(harness(), id)).template.recipients;
    expect(after[1]).toMatchObject({ id: ada?.id, name: 'Ada Lovelace', color: 'teal' });
    expect(detail.template.recipients.map((recipient) => recipient.id)).not.toContain(after[2]?.id);
  });

  test('takes the fields of a removed recipient along', async () => {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [fieldFor(draft, ADA.email), fieldFor(draft, BOB.email)];
    await harness().client['transaction.fields']({ params, body: { fields } });
    const recipients = updateBodyOf(draft.detail).recipients.filter(
      (recipient) => recipient.email !== ADA.email,
    );
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { recipients }),
    });
    const { template } = await readDetail(harness(), draft.id);
    expect(template.fields.map((field) => field.recipient_id)).toEqual([fields[1]?.recipient_id]);
  });

  test('refuses a sender whose email is not that of the requesting user', async () => {
    const { id, detail } = await createDraft(harness());
    const recipients = updateBodyOf(detail).recipients.map((one) =>
      one.role === 'sender' ? { ...one, email: 'eve@example.com' } : one,
    );
    const problem = await assertUnchanged(harness(), () => update(id, updateBodyOf(detail, { recipients })));
    expect(problem).toMatchObject({
      status: 422,
      code: 'sender_email_mismatch',
      errors: [{ path: 'recipients.0.email' }],
    });
    expect(problem.detail).toContain('eve@example.com');
    expect(problem.detail).toContain(SENDER.email);
  });

  test('refuses two recipients with one index, and names both', async () => {
    const { id, detail } = await createDraft(harness(), [ADA, BOB]);
    const recipients = updateBodyOf(detail).recipients.map((recipient) => ({
      ...recipient,
      index: Math.min(recipient.index, 1),
    }));
    const problem = await assertUnchanged(harness(), () => update(id, updateBodyOf(detail, { recipients })));
    expect(problem).toMatchObject({
      status: 422,
      errors: [
        {
          path: 'recipients.2.index',
          message: 'must differ from recipients.1.index: both are 1',
        },
      ],
    });
  });

  test("takes the sender's email in any case", async () => {
    const { id, detail } = await createDraft(harness());
    const recipients = updateBodyOf(detail).recipients.map((one) =>
      one.role === 'sender' ? { ...one, email: 'Sender@ESIGN.test' } : one,
    );
    await harness().client['transaction.update']({
      params: { transactionId: id },
      body: updateBodyOf(detail, { recipients }),
    });
    expect((await readDetail(harness(), id)).template.recipients[0]?.email).toBe('Sender@ESIGN.test');
  });

  test.each(
    sampleOf(
      [
        [
          'something that is no e-mail',
          { email: 'ada' },
          'recipients.2.email',
          '"ada" is not a valid email address',
        ],
        [
          'two addresses in one',
          { email: 'a@example.com,b@example.com' },
          'recipients.2.email',
          'is not a valid email address',
        ],
        [
          'an e-mail with a line end',
          { email: 'bob@example.com\r\nBcc: eve@example.com' },
          'recipients.2.email',
          'is not a valid email',
        ],
        ['an unknown role', { role: 'witness' }, 'recipients.2.role', '"witness" is not a role'],
        ['no name', { name: '' }, 'recipients.2.name', 'must not be empty'],
        ['a name of 256 characters', { name: 'x'.repeat(256) }, 'recipients.2.name', 'but has 256'],
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
          'but has 33',
        ],
      ],
      6,
    ),
  )('refuses %s', async (_, wrong, path, sentence) => {
    const { id, detail } = await createDraft(harness());
    const recipients = [...updateBodyOf(detail).recipients, { role: 'signer', index: 2, ...BOB, ...wrong }];
    const problem = await assertUnchanged(harness(), () =>
      update(id, { ...updateBodyOf(detail), recipients }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
    expect(problem.detail).toContain(sentence);
  });

  test('takes a name of 255 characters, and at most 100 recipients', async () => {
    const { id, detail } = await createDraft(harness());
    const more = Array.from({ length: 99 }, (_, index) => ({
      role: 'signer' as const,
      index: index + 1,
      name: 'N'.repeat(255),
      email: `n${index}@example.com`,
    }));
    const params = { transactionId: id };
    const [sender] = updateBodyOf(detail).recipients;
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(detail, { recipients: [sender!, ...more] }),
    });
    expect((await readDetail(harness(), id)).template.recipients).toHaveLength(100);
    const refused = await refusalOf(
      harness().client['transaction.update']({
        params,
        body: updateBodyOf(detail, {
          recipients: [sender!, ...more, { role: 'signer', index: 1, ...ADA }],
        }),
      }),
    );
    expect(refused).toMatchObject({
      status: 422,
      errors: [{ path: 'recipients', message: 'must have at most 100 entries' }],
    });
  });
});
