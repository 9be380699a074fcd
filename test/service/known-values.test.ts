// A value that the sender fills in is accepted or refused as the same value of a recipient: one table, run through both ways.
import { describe, expect, test } from 'vitest';
import { describeSharedService } from '../support/describe-service.ts';
import { ADA, BOB, createDraft, fieldFor, refusalOf, tokenOf } from '../support/fixtures/transactions.ts';
import { sampleOf } from '../support/tier.ts';

type Value = string | number | boolean;
type Properties = Parameters<typeof fieldFor>[2];

/** The sender may have the date of signing filled in. */
const NO_DATE = 'must be a date in the form YYYY-MM-DD';
const OR_TODAY = ', or "today" for the date of signing';

/** What is wrong with the value; null when it is accepted. */
const CASES: [type: string, properties: Properties, value: Value, wrong: string | null][] = [
  ['text', {}, 'Easterholm', null],
  ['text', { max_length: 4 }, 'Käße', null],
  ['text', { max_length: 4 }, 'abcde', 'must have at most 4 characters'],
  ['text', { min_length: 3 }, 'ab', 'must have at least 3 characters'],
  ['text', { regex: '^[A-Z]{2}\\d+$' }, 'DE12', null],
  ['text', { regex: '^[A-Z]{2}\\d+$' }, 'DE12 ', 'does not have the required form'],
  ['text', {}, 'a\u0378b', 'contains characters that cannot be written into the document: \u0378'],
  ['text', {}, 12, null],
  ['person_name', { max_length: 3 }, 'Ada L', 'must have at most 3 characters'],
  ['email', {}, 'ada@example.com', null],
  ['email', {}, 'ada', 'must be a valid email address'],
  ['date', {}, '2028-02-29', null],
  ['date', {}, '2027-02-29', NO_DATE],
  ['date', {}, '1.2.2027', NO_DATE],
  ['number', { min_value: 1, max_value: 10 }, 10, null],
  ['number', { min_value: 1, max_value: 10 }, '0.5', 'must be at least 1'],
  ['number', { min_value: 1, max_value: 10 }, 11, 'must be at most 10'],
  ['number', {}, '1,5', 'must be a number'],
  ['select', { options: ['Yes', 'No'] }, 'No', null],
  ['select', { options: ['Yes', 'No'] }, 'no', 'must be one of "Yes", "No"'],
  ['radio', { options: ['Yes', 'No'] }, 'Maybe', 'must be one of "Yes", "No"'],
  ['checkbox', {}, true, null],
  ['checkbox', {}, false, 'must be checked'],
  ['checkbox', { is_required: false }, false, null],
  ['checkbox', {}, 'yes', 'must be true or false'],
];

describeSharedService('values', (harness) => {
  /** A draft with a field, which the sender has filled in or not. */
  async function draftWith(field: Properties) {
    // Another recipient follows, so that nothing is sealed yet.
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [fieldFor(draft, ADA.email, { label: 'Given', ...field })];
    const set = () => harness().client['transaction.fields']({ params, body: { fields } });
    return { params, set };
  }

  async function tokenWith(field: Properties): Promise<string> {
    const { params, set } = await draftWith(field);
    await set();
    return tokenOf((await harness().client['transaction.start']({ params })).url);
  }

  async function submit(token: string, value?: Value) {
    const { client } = harness();
    const { fields } = await client['signing.view']({ query: { token } });
    const values = value === undefined ? [] : [{ field_id: fields[0]!.id, value }];
    return client['signing.submit']({ query: { token }, body: { values } });
  }

  describe.each(sampleOf(CASES, 6))('of a %s field with %j: %j', (type, properties, value, wrong) => {
    const field = { ...properties, type } as Properties;

    test(`${wrong === null ? 'is accepted' : 'is refused'} from the sender`, async () => {
      const { set } = await draftWith({ ...field, value });
      if (wrong === null) expect(await set()).toBeDefined();
      else
        expect((await refusalOf(set())).errors).toEqual([
          { path: 'fields.0.value', message: `${wrong}${wrong === NO_DATE ? OR_TODAY : ''}` },
        ]);
    });

    test(`${wrong === null ? 'is accepted' : 'is refused'} from the recipient`, async () => {
      const submitted = submit(await tokenWith(field), value);
      if (wrong === null) expect(await submitted).toBeDefined();
      else expect((await refusalOf(submitted)).errors).toMatchObject([{ message: `Given ${wrong}` }]);
    });
  });

  test('of a read-only field are submitted as they are, and not changed', async () => {
    const token = await tokenWith({ type: 'text', value: 'Easterholm', readonly: true });
    expect((await refusalOf(submit(token, 'Westerholm'))).errors).toMatchObject([
      { message: 'Given was filled in by the sender and cannot be changed' },
    ]);
    expect(await submit(token)).toBeDefined();
  });

  test.each([
    [
      'a read-only field without a value',
      { type: 'text', readonly: true },
      'must be given for a field that is read-only',
    ],
    [
      'a signature',
      { type: 'signature', value: 'Ada' },
      'must be empty for signature, which only the recipient can make',
    ],
    [
      'read-only initials',
      { type: 'initials', readonly: true },
      'must be empty for initials, which only the recipient can make',
    ],
  ] as [string, Properties, string][])('of the sender are refused for %s', async (_, field, message) => {
    const { set } = await draftWith(field);
    expect((await refusalOf(set())).errors).toEqual([{ path: 'fields.0.value', message }]);
  });
});
