import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useFontFolder } from '../../src/pdf/fonts/system-fonts.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { fontWith } from '../support/documents/font.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  refusalOf,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

// A character outside of the basic plane counts once. None of the bundled fonts has one, so a font is made.
const BEYOND_BMP = '𝐀';
const fonts = mkdtempSync(join(tmpdir(), 'esign-fonts-'));
beforeAll(() => {
  writeFileSync(join(fonts, 'made.ttf'), fontWith(BEYOND_BMP.codePointAt(0)!));
  useFontFolder(fonts);
});
afterAll(() => {
  useFontFolder(undefined);
  rmSync(fonts, { recursive: true });
});

type More = Parameters<typeof fieldFor>[2];

/** Sealing takes longer than all else here, so in the short tier one more person has to sign and nothing is completed. */
const PEOPLE = SLOW ? [ADA] : [ADA, BOB];
const AFTER_ADA = SLOW ? 'completed' : 'started';

describeSharedService('the values of a submit', (harness) => {
  /** Started, with this one field for Ada. */
  async function asked(more: More): Promise<{ id: string; token: string; field_id: string }> {
    const draft = await createDraft(harness(), PEOPLE);
    const params = { transactionId: draft.id };
    await harness().client['transaction.fields']({
      params,
      body: { fields: [fieldFor(draft, ADA.email, { label: 'Value', ...more })] },
    });
    await harness().client['transaction.start']({ params });
    const detail = await readDetail(harness(), draft.id);
    return {
      id: draft.id,
      token: await currentToken(harness(), draft.id),
      field_id: detail.template.fields[0]?.id ?? '',
    };
  }

  const kept = (field_id: string) =>
    harness()
      .store.database.read((db) =>
        db.selectFrom('field').select('value').where('id', '=', field_id).executeTakeFirstOrThrow(),
      )
      .then((row) => row.value);

  test.each(
    sampleOf(
      [
        ['text', { type: 'text' }, 'anything', 'anything'],
        ['text of two lines', { type: 'text' }, 'a\nb', 'a\nb'],
        ['text at its shortest', { type: 'text', min_length: 2 }, `${BEYOND_BMP}A`, `${BEYOND_BMP}A`],
        ['text at its longest', { type: 'text', max_length: 2 }, `${BEYOND_BMP}A`, `${BEYOND_BMP}A`],
        ['text that matches', { type: 'text', regex: '[A-Z]{2}\\d+' }, 'AB12', 'AB12'],
        ['a name', { type: 'person_name' }, 'Zoë', 'Zoë'],
        ['an e-mail', { type: 'email' }, 'zoe@example.com', 'zoe@example.com'],
        ['a typed signature', { type: 'signature' }, 'Ada Lovelace', 'Ada Lovelace'],
        ['initials', { type: 'initials' }, 'AL', 'AL'],
        ['a day', { type: 'date' }, '2028-02-29', '2028-02-29'],
        ['a number', { type: 'number' }, '-12.50', '-12.50'],
        ['a number that is a number', { type: 'number' }, 12.5, '12.5'],
        ['the smallest number', { type: 'number', min_value: 3 }, 3, '3'],
        ['the largest number', { type: 'number', max_value: 3.5 }, '3.5', '3.5'],
        ['a tick', { type: 'checkbox' }, true, 'true'],
        ['no tick where none is required', { type: 'checkbox', is_required: false }, false, 'false'],
        ['an option of a select', { type: 'select', options: ['Yes', 'No'] }, 'No', 'No'],
        ['an option of a radio', { type: 'radio', options: ['Yes', 'No'] }, 'Yes', 'Yes'],
        ['nothing where nothing is required', { type: 'text', is_required: false }, null, null],
        ['an empty text where nothing is required', { type: 'email', is_required: false }, '', null],
      ] as [string, More, string | number | boolean | null, string | null][],
      4,
    ),
  )('take %s', async (_, more, value, stored) => {
    const { token, field_id } = await asked(more);
    expect(
      await harness().client['signing.submit']({
        query: { token },
        body: { values: [{ field_id, value }] },
      }),
    ).toMatchObject({ status: AFTER_ADA });
    expect(await kept(field_id)).toBe(stored);
  });

  test.each(
    sampleOf(
      [
        ['nothing where something is required', { type: 'text' }, null, 'Value is required'],
        ['blanks where something is required', { type: 'person_name' }, '  \t', 'Value is required'],
        ['text that is too short', { type: 'text', min_length: 3 }, '𝐀𝐀', 'must have at least 3 characters'],
        ['text that is too long', { type: 'text', max_length: 2 }, '𝐀𝐀𝐀', 'must have at most 2 characters'],
        [
          'text of 10001 characters',
          { type: 'text' },
          'x'.repeat(10_001),
          'must have at most 10000 characters',
        ],
        [
          'text that does not match',
          { type: 'text', regex: '[A-Z]{2}\\d+' },
          'AB12 ',
          'does not have the required form',
        ],
        [
          'text that matches and is too long to be tried',
          { type: 'text', regex: 'x*' },
          'x'.repeat(1001),
          'must have at most 1000 characters',
        ],
        [
          'text that matches in part',
          { type: 'text', regex: 'a|b' },
          'ab',
          'does not have the required form',
        ],
        [
          'an expression that would take for ever',
          { type: 'text', regex: '(a+)+b' },
          `${'a'.repeat(40)}!`,
          'does not have the required form',
        ],
        ['an e-mail that is none', { type: 'email' }, 'zoe@', 'must be a valid email address'],
        [
          'a signature of 256 characters',
          { type: 'signature' },
          'x'.repeat(256),
          'must have at most 255 characters',
        ],
        [
          'a signature that is a page',
          { type: 'signature' },
          'data:text/html,<script>',
          'must be a PNG drawing or a typed name',
        ],
        [
          'initials that are a JPEG',
          { type: 'initials' },
          'data:image/jpeg;base64,AAAA',
          'must be a PNG drawing',
        ],
        [
          'a day that does not exist',
          { type: 'date' },
          '2027-02-29',
          'must be a date in the form YYYY-MM-DD',
        ],
        ['a day of another form', { type: 'date' }, '29.02.2028', 'must be a date in the form'],
        ['a number that is none', { type: 'number' }, '1e3', 'must be a number'],
        ['a number with a comma', { type: 'number' }, '1,5', 'must be a number'],
        ['a number that is too small', { type: 'number', min_value: 3 }, 2.99, 'must be at least 3'],
        ['a number that is too large', { type: 'number', max_value: 3 }, '3.01', 'must be at most 3'],
        ['no tick where one is required', { type: 'checkbox' }, false, 'must be checked'],
        ['a tick that is a word', { type: 'checkbox' }, 'yes', 'must be true or false'],
        [
          'what is not an option of a select',
          { type: 'select', options: ['Yes'] },
          'yes',
          'must be one of "Yes"',
        ],
        [
          'what is not an option of a radio',
          { type: 'radio', options: ['Yes'] },
          'No',
          'must be one of "Yes"',
        ],
      ] as [string, More, string | number | boolean | null, string][],
      4,
    ),
  )('refuse %s, and say so', async (_, more, value, sentence) => {
    const { id, token, field_id } = await asked(more);
    const json = { values: [{ field_id, value }] };
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `POST /sign/submit?token=${token}`, { json, token: null }),
    );
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: `values.${field_id}` }],
    });
    expect(problem.detail).toContain(sentence);
    expect((await readDetail(harness(), id)).status).toBe('started');
  });

  test.each([
    ['a value with NUL', 'a\u0000b'],
    ['a value that is a list', ['a']],
    ['a value that is an object', { a: 1 }],
  ])('refuse %s', async (_, value) => {
    const { token, field_id } = await asked({ type: 'text' });
    const json = { values: [{ field_id, value }] };
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `POST /sign/submit?token=${token}`, { json, token: null }),
    );
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toContain('values.0.value');
  });

  test('refuse a field that is missing, unknown, given twice, or of another recipient', async () => {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [fieldFor(draft, ADA.email), fieldFor(draft, BOB.email)];
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const token = await currentToken(harness(), draft.id);
    const [mine = '', theirs = ''] = (await readDetail(harness(), draft.id)).template.fields.map(
      (field) => field.id,
    );
    const value = (field_id: string) => ({ field_id, value: 'Ada' });
    for (const [values, path, sentence] of [
      [[], `values.${mine}`, 'signature is required'],
      [[value(mine), value('unknown')], 'values.1.field_id', '"unknown" is not a field of this recipient'],
      [[value(mine), value(theirs)], 'values.1.field_id', 'is not a field of this recipient'],
      [[value(mine), value(mine)], 'values.1.field_id', 'is given twice'],
    ] as const) {
      const call = () =>
        refusalOf(harness().client['signing.submit']({ query: { token }, body: { values: [...values] } }));
      const no = await assertUnchanged(harness(), call);
      expect(no).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
      expect(no.message).toContain(sentence);
    }
  });

  test('need none where there are no fields', async () => {
    const { id } = await createDraft(harness());
    await harness().client['transaction.start']({ params: { transactionId: id } });
    const token = await currentToken(harness(), id);
    expect(await harness().client['signing.submit']({ query: { token }, body: {} })).toMatchObject({
      status: 'completed',
    });
  });
});

describeSharedService('the signing token', (harness) => {
  const dead = async (token: string) => {
    const { client } = harness();
    const query = { token };
    for (const call of [
      () => client['signing.view']({ query }),
      () => client['signing.submit']({ query, body: { values: [] } }),
      () => client['signing.reject']({ query, body: { reason: 'x' } }),
    ])
      expect(await assertUnchanged(harness(), () => refusalOf(call()))).toMatchObject({
        status: 404,
        code: 'signing_link_invalid',
      });
  };

  test('is dead after its recipient has submitted, while others go on', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    await harness().client['sandbox.sign']({ params: { transactionId: id }, body: {} });
    await dead(token);
    const { recipients } = (await readDetail(harness(), id)).template;
    expect(recipients.map((one) => one.token !== null)).toEqual([false, false, true]);
  });

  test('that is unknown, or of another kind, opens nothing', async () => {
    await startTransaction(harness());
    for (const token of ['nothing', harness().service.ownToken, harness().service.controlSecret])
      await dead(token);
    expect(await problemFrom(harness(), 'GET /sign?token=')).toMatchObject({
      status: 422,
      errors: [{ path: 'token' }],
    });
    expect(await problemFrom(harness(), 'GET /sign')).toMatchObject({
      status: 422,
      errors: [{ path: 'token', message: 'is required' }],
    });
  });

  test('opens nothing but signing: it is no access token', async () => {
    const { token } = await startTransaction(harness());
    expect(await problemFrom(harness(), 'GET /v1/webhook?limit=1&page=1', { token })).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
  });

  test("shows its recipient's fields only, and no other email", async () => {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [
      fieldFor(draft, ADA.email, { type: 'text', label: 'Mine', helper_text: 'Help', regex: 'a+' }),
      fieldFor(draft, BOB.email),
    ];
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const view = await harness().client['signing.view']({
      query: { token: await currentToken(harness(), draft.id) },
    });
    expect(view.transaction).toMatchObject({ id: draft.id, name: 'Agreement' });
    expect(view.recipient).toMatchObject({ name: ADA.name, email: ADA.email, role: 'signer' });
    expect(view.sender).toEqual({ name: 'Sandbox Sender' });
    expect(view.fields).toMatchObject([
      { label: 'Mine', helper_text: 'Help', regex: 'a+', page: 0, positionX: 72, width: 120 },
    ]);
    expect(JSON.stringify(view)).not.toContain(BOB.email);
    expect(JSON.stringify(view)).not.toContain('sender@esign.test');
  });

  test('is kept as a hash and under seal, never as it is', async () => {
    const { token } = await startTransaction(harness());
    const rows = await harness().store.database.read(async (db) => [
      ...(await db.selectFrom('recipient').selectAll().execute()),
      ...(await db.selectFrom('mail').selectAll().execute()),
      ...(await db.selectFrom('event').selectAll().execute()),
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is good for one of many submits at the same moment', async () => {
    const { id, token } = await startTransaction(harness(), PEOPLE);
    const view = await harness().client['signing.view']({ query: { token } });
    const values = view.fields.map((field) => ({ field_id: field.id, value: 'Ada' }));
    const submits = Array.from({ length: 8 }, () =>
      harness().client['signing.submit']({ query: { token }, body: { values } }),
    );
    const outcomes = await Promise.allSettled(submits);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const { items } = await harness().client['sandbox.events']({
      query: { transaction_id: id, type: 'recipient_submitted' },
    });
    expect(items).toHaveLength(1);
  });
});
