import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { createDraft, readDetail, updateBodyOf } from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

describeSharedService('updating a draft', (harness) => {
  test('sets every property it takes, and shows each in the detail', async () => {
    const draft = await createDraft(harness());
    harness().clock.advance(1000);
    const body = updateBodyOf(draft.detail, {
      name: 'Maintenance',
      description: 'First line\nsecond line',
      edit_navigation: true,
      email_alias: 'Example Ltd',
      email_subject: 'Please sign',
      email_body: 'Dear Ada,\n\nplease sign.',
      expiration_days: 30,
    });
    const answered = await sendRequest(harness(), `PUT /v1/transaction/${draft.id}`, { json: body });
    expect(answered).toMatchObject({ status: 200, body: { id: draft.id } });
    const detail = await readDetail(harness(), draft.id);
    expect(detail).toMatchObject({
      expiration_days: 30,
      updated_at: new Date(harness().clock.now).toISOString(),
    });
    expect(detail.created_at).not.toBe(detail.updated_at);
    const { name, description, edit_navigation, email_alias, email_subject, email_body } = body;
    expect(detail.template).toMatchObject({
      name,
      description,
      edit_navigation,
      email_alias,
      email_subject,
      email_body,
    });
  });

  test('keeps what is absent and empties what is null', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const { client } = harness();
    const full = {
      description: 'd',
      edit_navigation: true,
      email_alias: 'a',
      email_subject: 's',
      email_body: 'b',
      expiration_days: 3,
    };
    await client['transaction.update']({ params, body: updateBodyOf(draft.detail, full) });
    await client['transaction.update']({ params, body: updateBodyOf(draft.detail) });
    const kept = await readDetail(harness(), draft.id);
    expect({ ...kept.template, expiration_days: kept.expiration_days }).toMatchObject(full);
    const nothing = {
      edit_navigation: null,
      email_alias: null,
      email_subject: null,
      email_body: null,
      expiration_days: null,
    };
    await client['transaction.update']({ params, body: updateBodyOf(draft.detail, nothing) });
    const emptied = await readDetail(harness(), draft.id);
    expect({ ...emptied.template, expiration_days: emptied.expiration_days }).toMatchObject({
      description: 'd',
      edit_navigation: false,
      email_alias: '',
      email_subject: '',
      email_body: '',
      expiration_days: null,
    });
  });

  test.each(['name', 'documents', 'recipients'] as const)('requires %s', async (property) => {
    const draft = await createDraft(harness());
    const { [property]: _, ...json } = updateBodyOf(draft.detail);
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}`, { json }),
    );
    expect(problem).toMatchObject({ status: 422, errors: [{ path: property, message: 'is required' }] });
  });

  test.each(['documents', 'recipients'] as const)('refuses empty %s', async (property) => {
    const draft = await createDraft(harness());
    const json = updateBodyOf(draft.detail, { [property]: [] });
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}`, { json }),
    );
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ path: property, message: 'must not be empty' }],
    });
  });

  test.each(
    sampleOf(
      [
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
      ],
      7,
    ),
  )('refuses %s %j', async (property, value) => {
    const draft = await createDraft(harness());
    const json = { ...updateBodyOf(draft.detail), [property]: value };
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}`, { json }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path: property }] });
    expect(problem.detail).toContain(property);
  });

  test.each([1, 255])('takes a name of %i code points', async (length) => {
    const draft = await createDraft(harness());
    const name = '😀'.repeat(length);
    await harness().client['transaction.update']({
      params: { transactionId: draft.id },
      body: updateBodyOf(draft.detail, { name }),
    });
    expect((await readDetail(harness(), draft.id)).template.name).toBe(name);
  });

  test.each([1, 3650])('takes %i days until it expires', async (expiration_days) => {
    const draft = await createDraft(harness());
    await harness().client['transaction.update']({
      params: { transactionId: draft.id },
      body: updateBodyOf(draft.detail, { expiration_days }),
    });
    expect((await readDetail(harness(), draft.id)).expiration_days).toBe(expiration_days);
  });
});
