import { expect, test } from 'vitest';
import { fieldErrors } from '../../src/service/checks/field-errors.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  createDraft,
  type Draft,
  fieldFor,
  readDetail,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const DEFAULTS = {
  label: 'text',
  is_required: true,
  bold: false,
  italic: false,
  underline: false,
  font_family: 'Helvetica',
  font_size: 12,
  font_color: '#000000',
  helper_text: '',
  max_length: null,
  min_length: null,
  max_value: null,
  min_value: null,
  regex: null,
  options: [],
};

/** What cannot be told of a field before there is a draft. */
const OF_THE_PLACE = new Set([
  'document_id',
  'recipient_id',
  'page',
  'width',
  'height',
  'positionX',
  'positionY',
]);

const put = (harness: Harness, { id }: Draft, fields: unknown) =>
  sendRequest(harness, `PUT /v1/transaction/${id}/fields`, { json: { fields } });

describeSharedService('the fields of a draft', (harness) => {
  test('answers {updated: true} with 200, and fills in what is omitted', async () => {
    const draft = await createDraft(harness());
    const field = fieldFor(draft, ADA.email, { type: 'text' });
    expect(await put(harness(), draft, [field])).toMatchObject({ status: 200, body: { updated: true } });
    const { template } = await readDetail(harness(), draft.id);
    expect(template.fields).toEqual([
      { id: template.fields[0]?.id, template_id: template.id, ...field, ...DEFAULTS },
    ]);
  });

  test('keeps every property that is given', async () => {
    const draft = await createDraft(harness());
    const given = {
      ...fieldFor(draft, ADA.email),
      page: 2,
      width: 12.5,
      height: 10.25,
      positionX: 0.5,
      positionY: 0,
      type: 'number' as const,
      label: 'Amount',
      is_required: false,
      bold: true,
      italic: true,
      underline: true,
      font_family: 'Courier',
      font_size: 9,
      font_color: '#A1b2C3',
      helper_text: 'In euro',
      max_length: 10,
      min_length: 1,
      max_value: 99.5,
      min_value: -1,
      regex: '^\\d+$',
      options: ['a', 'b'],
    };
    await put(harness(), draft, [given]);
    const { template } = await readDetail(harness(), draft.id);
    expect(template.fields).toEqual([{ ...given, id: template.fields[0]?.id, template_id: template.id }]);
  });

  test.each(
    sampleOf(
      ['text', 'signature', 'person_name', 'email', 'initials', 'date', 'number', 'checkbox'] as const,
      2,
    ),
  )('takes the type %s', async (type) => {
    const draft = await createDraft(harness());
    await put(harness(), draft, [fieldFor(draft, ADA.email, { type })]);
    expect((await readDetail(harness(), draft.id)).template.fields[0]).toMatchObject({ type, label: type });
  });

  test.each(['select', 'radio'] as const)('takes the type %s with options', async (type) => {
    const draft = await createDraft(harness());
    await put(harness(), draft, [fieldFor(draft, ADA.email, { type, options: ['Yes', 'No'] })]);
    expect((await readDetail(harness(), draft.id)).template.fields[0]).toMatchObject({
      type,
      options: ['Yes', 'No'],
    });
  });

  test('replaces all fields that were there, and removes all with an empty array', async () => {
    const draft = await createDraft(harness());
    await put(harness(), draft, [
      fieldFor(draft, ADA.email),
      fieldFor(draft, ADA.email, { label: 'Second' }),
    ]);
    const [first] = (await readDetail(harness(), draft.id)).template.fields;
    await put(harness(), draft, [{ ...fieldFor(draft, ADA.email), id: first?.id, label: 'Kept' }]);
    expect((await readDetail(harness(), draft.id)).template.fields).toMatchObject([
      { id: first?.id, label: 'Kept' },
    ]);
    await put(harness(), draft, []);
    expect((await readDetail(harness(), draft.id)).template.fields).toEqual([]);
  });

  test('keeps the order in which fields were given', async () => {
    const draft = await createDraft(harness());
    const labels = Array.from({ length: 30 }, (_, index) => `Field ${index}`);
    await put(
      harness(),
      draft,
      labels.map((label) => fieldFor(draft, ADA.email, { label })),
    );
    expect((await readDetail(harness(), draft.id)).template.fields.map((field) => field.label)).toEqual(
      labels,
    );
  });

  test('are kept by an update without fields, replaced by one with fields, removed by one with none', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    await put(harness(), draft, [fieldFor(draft, ADA.email, { label: 'First' })]);
    const labels = async () =>
      (await readDetail(harness(), draft.id)).template.fields.map((field) => field.label);
    await harness().client['transaction.update']({ params, body: updateBodyOf(draft.detail) });
    expect(await labels()).toEqual(['First']);
    const fields = [fieldFor(draft, ADA.email, { label: 'Other' })];
    await harness().client['transaction.update']({ params, body: updateBodyOf(draft.detail, { fields }) });
    expect(await labels()).toEqual(['Other']);
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(draft.detail, { fields: [] }),
    });
    expect(await labels()).toEqual([]);
  });

  test('may fill the page to its edges', async () => {
    const draft = await createDraft(harness());
    const { width = 0, height = 0 } = draft.detail.template.documents[0]?.pages[0] ?? {};
    const field = fieldFor(draft, ADA.email, { positionX: 0, positionY: 0, width, height });
    expect((await put(harness(), draft, [field])).status).toBe(200);
  });
});

describeSharedService('fields that are refused', (harness) => {
  test.each(
    sampleOf(['document_id', 'recipient_id', 'page', 'width', 'height', 'positionX', 'positionY', 'type'], 3),
  )('because %s is missing', async (name) => {
    const draft = await createDraft(harness());
    const { [name]: _, ...field } = fieldFor(draft, ADA.email) as Record<string, unknown>;
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}/fields`, { json: { fields: [field] } }),
    );
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: `fields.0.${name}`, message: 'is required' }],
    });
  });

  test.each(
    sampleOf(
      [
        ['an unknown type', { type: 'stamp' }, 'type', '"stamp" is not a field type'],
        ['a page that is not there', { page: 3 }, 'page', '"contract.pdf" has no page 3. Use 0 to 2'],
        ['a negative page', { page: -1 }, 'page', 'must be at least 0'],
        ['half a page', { page: 0.5 }, 'page', 'whole number'],
        ['a width of 0', { width: 0 }, 'width', 'must be at least 4 points'],
        ['a height that nobody can read', { height: 3.99 }, 'height', 'must be at least 4 points'],
        ['a negative height', { height: -1 }, 'height', 'must be at least 4 points'],
        ['a width that is text', { width: '10' }, 'width', 'must be a number'],
        ['a box left of the page', { positionX: -1 }, 'positionX', '-1 with width 120 is outside the page'],
        [
          'a box right of the page',
          { positionX: 500 },
          'positionX',
          '500 with width 120 is outside the page (595.28 × 841.89 points)',
        ],
        ['a box above the page', { positionY: -0.5 }, 'positionY', '-0.5 with height 40 is outside the page'],
        ['a box below the page', { positionY: 830 }, 'positionY', '830 with height 40 is outside the page'],
        ['a box of enormous size', { width: 1e308, positionX: 1e308 }, 'positionX', 'is outside the page'],
        [
          'an unknown document',
          { document_id: UNKNOWN },
          'document_id',
          `"${UNKNOWN}" is not a document of this draft`,
        ],
        [
          'an unknown recipient',
          { recipient_id: UNKNOWN },
          'recipient_id',
          `"${UNKNOWN}" is not a recipient of this draft`,
        ],
        ['an empty recipient', { recipient_id: '' }, 'recipient_id', 'must not be empty'],
        ['a label with NUL', { label: 'a\u0000' }, 'label', 'control characters'],
        ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label', 'but has 256'],
        ['a colour name', { font_color: 'black' }, 'font_color', '#RRGGBB'],
        ['a short colour', { font_color: '#fff' }, 'font_color', '#RRGGBB'],
        ['a font size of 0', { font_size: 0 }, 'font_size', 'must be at least 1'],
        ['a font size of 201', { font_size: 201 }, 'font_size', 'must be at most 200'],
        [
          'a regular expression that is none',
          { regex: '(' },
          'regex',
          '"(" is not a valid RE2 regular expression',
        ],
        ['a look-ahead', { regex: '(?=a).' }, 'regex', '"(?=a)." uses a look-ahead'],
        ['a look-behind', { regex: '(?<!a).' }, 'regex', '"(?<!a)." uses a look-behind'],
        ['a back-reference', { regex: '(.)\\1' }, 'regex', '"(.)\\1" uses a back-reference'],
        ['a pattern of enormous size', { regex: '.{900}.{900}' }, 'regex', 'is too large'],
        [
          'a pattern of 501 characters',
          { regex: 'a'.repeat(501) },
          'regex',
          'must have at most 500 characters',
        ],
        [
          'min_length above max_length',
          { min_length: 5, max_length: 4 },
          'min_length',
          '5 is greater than max_length 4',
        ],
        [
          'min_value above max_value',
          { min_value: 2, max_value: 1 },
          'min_value',
          '2 is greater than max_value 1',
        ],
        ['a select without options', { type: 'select' }, 'options', 'must not be empty for a select'],
        [
          'a radio without options',
          { type: 'radio', options: [] },
          'options',
          'must not be empty for a radio',
        ],
        ['an option twice', { type: 'select', options: ['a', 'a'] }, 'options', 'the same option twice'],
        ['is_required that is text', { is_required: 'yes' }, 'is_required', 'must be true or false'],
      ],
      17,
    ),
  )('because of %s', async (_, wrong, name, sentence) => {
    const draft = await createDraft(harness());
    const fields = [fieldFor(draft, ADA.email), { ...fieldFor(draft, ADA.email), ...wrong }];
    for (const what of [`PUT /v1/transaction/${draft.id}/fields`, `PUT /v1/transaction/${draft.id}`]) {
      const json = what.endsWith('fields') ? { fields } : { ...updateBodyOf(draft.detail), fields };
      const problem = await assertUnchanged(harness(), () => problemFrom(harness(), what, { json }));
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(problem.errors?.map((error) => error.path)).toContain(`fields.1.${name}`);
      expect(problem.detail).toContain(sentence);
      if (!OF_THE_PLACE.has(name)) expect(await fieldErrors(fields)).toEqual(problem.errors);
    }
  });

  test('because one id is used twice', async () => {
    const draft = await createDraft(harness());
    await put(harness(), draft, [fieldFor(draft, ADA.email)]);
    const id = (await readDetail(harness(), draft.id)).template.fields[0]?.id;
    const twice = [
      { ...fieldFor(draft, ADA.email), id },
      { ...fieldFor(draft, ADA.email), id },
    ];
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${draft.id}/fields`, { json: { fields: twice } }),
    );
    expect(problem.errors).toEqual([{ path: 'fields.1.id', message: `"${id}" is used twice` }]);
  });

  test('because there are 2001 of them, and every wrong value is listed', async () => {
    const draft = await createDraft(harness());
    const many = Array.from({ length: 2001 }, () => fieldFor(draft, ADA.email));
    const url = `PUT /v1/transaction/${draft.id}/fields`;
    expect(await problemFrom(harness(), url, { json: { fields: many } })).toMatchObject({
      status: 422,
      errors: [{ path: 'fields' }],
    });
    const wrong = Array.from({ length: 5 }, () => fieldFor(draft, ADA.email, { page: 7 }));
    expect((await problemFrom(harness(), url, { json: { fields: wrong } })).errors).toHaveLength(5);
    expect(await problemFrom(harness(), url, { json: {} })).toMatchObject({
      errors: [{ path: 'fields', message: 'is required' }],
    });
  });
});
