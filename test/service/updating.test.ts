import { expect, it } from 'vitest';
import { ask, problemFrom } from '../support/ask.ts';
import { ADA, BOB, detailOf, draftOf, fieldFor, refusalOf, SENDER, updateOf } from '../support/deal.ts';
import { expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

sharedSuite('updating a draft', (world) => {
  it('sets every property it takes, and shows each in the detail', async () => {
    const draft = await draftOf(world());
    world().clock.advance(1000);
    const body = updateOf(draft.detail, {
      name: 'Maintenance',
      description: 'First line\nsecond line',
      edit_navigation: true,
      email_alias: 'Example Ltd',
      email_subject: 'Please sign',
      email_body: 'Dear Ada,\n\nplease sign.',
      expiration_days: 30,
    });
    const answered = await ask(world(), `PUT /v1/transaction/${draft.id}`, { json: body });
    expect(answered).toMatchObject({ status: 200, body: { id: draft.id } });
    const detail = await detailOf(world(), draft.id);
    expect(detail).toMatchObject({ expiration_days: 30, updated_at: new Date(world().clock.now).toISOString() });
    expect(detail.created_at).not.toBe(detail.updated_at);
    const { name, description, edit_navigation, email_alias, email_subject, email_body } = body;
    expect(detail.template).toMatchObject({ name, description, edit_navigation, email_alias, email_subject, email_body });
  });

  it('keeps what is absent and empties what is null', async () => {
    const draft = await draftOf(world());
    const params = { transactionId: draft.id };
    const { client } = world();
    const full = { description: 'd', edit_navigation: true, email_alias: 'a', email_subject: 's', email_body: 'b', expiration_days: 3 };
    await client['transaction.update']({ params, body: updateOf(draft.detail, full) });
    await client['transaction.update']({ params, body: updateOf(draft.detail) });
    const kept = await detailOf(world(), draft.id);
    expect({ ...kept.template, expiration_days: kept.expiration_days }).toMatchObject(full);
    const nothing = { edit_navigation: null, email_alias: null, email_subject: null, email_body: null, expiration_days: null };
    await client['transaction.update']({ params, body: updateOf(draft.detail, nothing) });
    const emptied = await detailOf(world(), draft.id);
    expect({ ...emptied.template, expiration_days: emptied.expiration_days }).toMatchObject({
      description: 'd',
      edit_navigation: false,
      email_alias: '',
      email_subject: '',
      email_body: '',
      expiration_days: null,
    });
  });

  it.each(['name', 'documents', 'recipients'] as const)('requires %s', async (property) => {
    const draft = await draftOf(world());
    const { [property]: _, ...json } = updateOf(draft.detail);
    const problem = await expectNothingChanged(world(), () => problemFrom(world(), `PUT /v1/transaction/${draft.id}`, { json }));
    expect(problem).toMatchObject({ status: 422, errors: [{ path: property, message: 'is required' }] });
  });

  it.each(['documents', 'recipients'] as const)('refuses empty %s', async (property) => {
    const draft = await draftOf(world());
    const json = updateOf(draft.detail, { [property]: [] });
    const problem = await expectNothingChanged(world(), () => problemFrom(world(), `PUT /v1/transaction/${draft.id}`, { json }));
    expect(problem).toMatchObject({ status: 422, errors: [{ path: property, message: 'must not be empty' }] });
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['name', 'a\u0007b'],
    ['email_alias', 'x'.repeat(256)],
    ['email_subject', 'a\r\nBcc: eve@example.com'],
    ['email_body', 'x'.repeat(10_001)],
    ['description', 'x'.repeat(10_001)],
    ['description', 'a\u0000'],
    ['expiration_days', 0],
    ['expiration_days', -1],
    ['expiration_days', 1.5],
    ['expiration_days', 3651],
    ['expiration_days', '30'],
    ['edit_navigation', 'yes'],
  ])('refuses %s %j', async (property, value) => {
    const draft = await draftOf(world());
    const json = { ...updateOf(draft.detail), [property]: value };
    const problem = await expectNothingChanged(world(), () => problemFrom(world(), `PUT /v1/transaction/${draft.id}`, { json }));
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path: property }] });
    expect(problem.detail).toContain(property);
  });

  it.each([1, 255])('takes a name of %i code points', async (length) => {
    const draft = await draftOf(world());
    const name = '😀'.repeat(length);
    await world().client['transaction.update']({ params: { transactionId: draft.id }, body: updateOf(draft.detail, { name }) });
    expect((await detailOf(world(), draft.id)).template.name).toBe(name);
  });

  it.each([1, 3650])('takes %i days until it expires', async (expiration_days) => {
    const draft = await draftOf(world());
    await world().client['transaction.update']({ params: { transactionId: draft.id }, body: updateOf(draft.detail, { expiration_days }) });
    expect((await detailOf(world(), draft.id)).expiration_days).toBe(expiration_days);
  });
});

sharedSuite('the recipients of an update', (world) => {
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
    const recipients = [{ ...sender!, index: 40 }, { ...ada!, index: 7 }, { ...bob!, index: 3 }];
    await world().client['transaction.update']({ params: { transactionId: id }, body: updateOf(detail, { recipients }) });
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
    const recipients = [sender!, { ...ada!, name: 'Ada Lovelace', color: 'teal' }, { role: 'signer' as const, index: 2, ...BOB }];
    await world().client['transaction.update']({ params: { transactionId: id }, body: updateOf(detail, { recipients }) });
    const after = (await detailOf(world(), id)).template.recipients;
    expect(after[1]).toMatchObject({ id: ada?.id, name: 'Ada Lovelace', color: 'teal' });
    expect(detail.template.recipients.map((recipient) => recipient.id)).not.toContain(after[2]?.id);
  });

  it('takes the fields of a removed recipient along', async () => {
    const draft = await draftOf(world(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [fieldFor(draft, ADA.email), fieldFor(draft, BOB.email)];
    await world().client['transaction.fields']({ params, body: { fields } });
    const recipients = updateOf(draft.detail).recipients.filter((recipient) => recipient.email !== ADA.email);
    await world().client['transaction.update']({ params, body: updateOf(draft.detail, { recipients }) });
    const { template } = await detailOf(world(), draft.id);
    expect(template.fields.map((field) => field.recipient_id)).toEqual([fields[1]?.recipient_id]);
  });

  it('refuses a sender whose e-mail is not that of the requesting user', async () => {
    const { id, detail } = await draftOf(world());
    const recipients = updateOf(detail).recipients.map((one) => (one.role === 'sender' ? { ...one, email: 'eve@example.com' } : one));
    const problem = await expectNothingChanged(world(), () => update(id, updateOf(detail, { recipients })));
    expect(problem).toMatchObject({ status: 422, code: 'sender_email_mismatch', errors: [{ path: 'recipients.0.email' }] });
    expect(problem.detail).toContain('eve@example.com');
    expect(problem.detail).toContain(SENDER.email);
  });

  it("takes the sender's e-mail in any case", async () => {
    const { id, detail } = await draftOf(world());
    const recipients = updateOf(detail).recipients.map((one) => (one.role === 'sender' ? { ...one, email: 'Sender@ESIGN.test' } : one));
    await world().client['transaction.update']({ params: { transactionId: id }, body: updateOf(detail, { recipients }) });
    expect((await detailOf(world(), id)).template.recipients[0]?.email).toBe('Sender@ESIGN.test');
  });

  it.each([
    ['the same e-mail twice', { email: 'ADA@example.com' }, 'recipients.2.email', '"ADA@example.com" is a recipient twice'],
    ['something that is no e-mail', { email: 'ada' }, 'recipients.2.email', '"ada" is not an e-mail address'],
    ['two addresses in one', { email: 'a@example.com,b@example.com' }, 'recipients.2.email', 'is not an e-mail address'],
    ['an e-mail with a line end', { email: 'bob@example.com\r\nBcc: eve@example.com' }, 'recipients.2.email', 'is not an e-mail'],
    ['an unknown role', { role: 'witness' }, 'recipients.2.role', '"witness" is not a role'],
    ['an unknown id', { id: UNKNOWN }, 'recipients.2.id', `"${UNKNOWN}" is not a recipient of this draft`],
    ['no name', { name: '' }, 'recipients.2.name', 'must not be empty'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'recipients.2.name', 'this has 256'],
    ['a name with an escape sequence', { name: '\u001b]0;x\u0007' }, 'recipients.2.name', 'control characters'],
    ['a negative index', { index: -1 }, 'recipients.2.index', 'must be at least 0'],
    ['an index that is no number', { index: '2' }, 'recipients.2.index', 'must be'],
    ['a colour without a name', { color: '' }, 'recipients.2.color', 'must not be empty'],
    ['a colour with a name of 33 characters', { color: 'x'.repeat(33) }, 'recipients.2.color', 'this has 33'],
  ])('refuses %s', async (_, wrong, path, sentence) => {
    const { id, detail } = await draftOf(world());
    const recipients = [...updateOf(detail).recipients, { role: 'signer', index: 2, ...BOB, ...wrong }];
    const problem = await expectNothingChanged(world(), () => update(id, { ...updateOf(detail), recipients }));
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
    await world().client['transaction.update']({ params, body: updateOf(detail, { recipients: [sender!, ...more] }) });
    expect((await detailOf(world(), id)).template.recipients).toHaveLength(100);
    const refused = await refusalOf(
      world().client['transaction.update']({
        params,
        body: updateOf(detail, { recipients: [sender!, ...more, { role: 'signer', index: 1, ...ADA }] }),
      }),
    );
    expect(refused).toMatchObject({ status: 422, errors: [{ path: 'recipients', message: 'must have at most 100 entries' }] });
  });
});
