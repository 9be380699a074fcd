import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { eventTypesOf, readDetail } from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';

const EMOJI = '🖋';

describeSharedService('creating a transaction', (harness) => {
  test('answers 201 with the id of a draft that belongs to the user and the company', async () => {
    const { client } = harness();
    const { id } = await client['transaction.create']({ body: { name: 'Agreement' } });
    const detail = await readDetail(harness(), id);
    const now = new Date(harness().clock.now).toISOString();
    expect(detail).toMatchObject({
      id,
      status: 'draft',
      created_at: now,
      updated_at: now,
      created_by_id: detail.sender_id,
      provider_type: 'embedded',
      provider_id: null,
      is_provider_ready: true,
      is_sealed: false,
      is_archived: false,
      sent_at: null,
      expires_at: null,
      expired_at: null,
      completed_at: null,
      rejected_at: null,
      rejected_by_id: null,
      rejected_reason: null,
      expiration_days: null,
    });
    expect(detail.template).toMatchObject({
      id: detail.template_id,
      name: 'Agreement',
      description: '',
      reusable: false,
      edit_navigation: false,
      company_id: detail.company_id,
      created_by_id: detail.created_by_id,
      documents: [],
      recipients: [],
      fields: [],
    });
    expect(await eventTypesOf(harness(), id)).toEqual(['transaction_created']);
  });

  test('needs no name at creation', async () => {
    const { id } = await harness().client['transaction.create']({ body: {} });
    expect((await readDetail(harness(), id)).template.name).toBe('Untitled');
  });

  test.each([1, 255])('takes a name of %i code points, emoji counted as one', async (length) => {
    const name = EMOJI.repeat(length);
    const { id } = await harness().client['transaction.create']({ body: { name } });
    expect((await readDetail(harness(), id)).template.name).toBe(name);
  });

  test.each([
    ['empty', '', 'must not be empty'],
    ['of 256 code points', EMOJI.repeat(256), 'at most 255 characters, but has 256'],
    ['with NUL', 'a\u0000b', 'must not contain control characters'],
    ['with an escape sequence', '\u001b[31mred', 'must not contain control characters'],
    ['that turns the direction of text', 'gpj\u202efdp', 'must not contain control characters'],
    ['of two lines', 'a\nb', 'must not contain control characters'],
    ['with half a character', 'a\ud800b', 'must not contain control characters'],
    ['that is a number', 7, 'must be a string'],
  ])('refuses a name %s', async (_, name, sentence) => {
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { json: { name } }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path: 'name' }] });
    expect(problem.detail).toContain(sentence);
  });

  test.each([
    null,
    'https://hooks.example.com/esign',
    'http://127.0.0.1:9000/hook',
    'http://localhost/hook',
    'http://[::1]:8080/hook',
    `https://hooks.example.com/${'a'.repeat(255 - 26)}`,
  ])('takes the notification_endpoint %s', async (notification_endpoint) => {
    const { id } = await harness().client['transaction.create']({ body: { notification_endpoint } });
    const rows = await harness().store.database.read((db) =>
      db.selectFrom('transaction').select('notification_endpoint').where('id', '=', id).execute(),
    );
    expect(rows.map((row) => row.notification_endpoint)).toEqual([notification_endpoint]);
  });

  test.each([
    'http://hooks.example.com/esign',
    'ftp://hooks.example.com',
    'hooks.example.com',
    'https://user:secret@hooks.example.com/',
    'http://127.0.0.1.example.com/',
    'http://10.0.0.1/',
    'http://0x7f000001/',
    ' https://hooks.example.com/',
    'https://169.254.169.254/',
    `https://hooks.example.com/${'a'.repeat(256 - 26)}`,
    '',
    7,
  ])('refuses the notification_endpoint %s', async (notification_endpoint) => {
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { json: { notification_endpoint } }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toContain('notification_endpoint');
  });

  test('ignores properties it does not know', async () => {
    const { id } = await harness().client['transaction.create']({
      body: { name: 'A', status: 'completed' } as { name: string },
    });
    expect((await readDetail(harness(), id)).status).toBe('draft');
  });
});
