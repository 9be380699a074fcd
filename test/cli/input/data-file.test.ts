// Files of --data: values by label, or by recipient and label, and what is wrong with such a file, by name.
import { describe, expect, test } from 'vitest';
import { fillable, readDataFile, valuesOf, withData } from '../../../src/cli/input/field-file.ts';
import { parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import type { FileReader } from '../../../src/cli/input/files.ts';
import type { Addressee } from '../../../src/cli/input/person.ts';

const read = (text: string, path = 'values.json') =>
  readDataFile(path, { read: async () => new TextEncoder().encode(text) } as unknown as FileReader);

const person = (name: string): Addressee => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  role: 'signer',
});
const TO = [person('Ada'), person('Bob')];

const FIELDS = [
  'text@1:9,9,90x20=1,label=City',
  'text@1:9,39,90x20=bob@example.com,label=City',
  'text@1:9,69,90x20=2,label=Street',
  'number@1:9,99,90x20=2,label=Street',
  'date@1:9,129,90x20=1',
].map(parseFieldSpec);

async function fill(text: string, fields = FIELDS, to = TO, others?: Parameters<typeof withData>[3]) {
  return withData(fields, await read(text), to, others).map(({ properties: { value } }) => value);
}

describe('values', () => {
  test('are given by label to all fields of one recipient', async () => {
    expect(await fill('{"Street": "Main"}')).toEqual([undefined, undefined, 'Main', 'Main', undefined]);
  });

  test('are given by recipient and label, whatever the case of the address', async () => {
    const text = '{"ADA@example.com": {"City": "Bonn"}, "bob@example.com": {"City": 7, "Street": true}}';
    expect(await fill(text)).toEqual(['Bonn', 7, true, true, undefined]);
  });

  test('are given by type to a field without a label', async () => {
    expect(await fill('{"date": "2027-01-31"}')).toEqual([...Array(4).fill(undefined), '2027-01-31']);
  });

  test('belong to the only recipient where the field names none', async () => {
    const fields = [parseFieldSpec('text@1:9,9,90x20,label=City')];
    const text = '{"ada@example.com": {"City": "Bonn"}}';
    expect(await fill(text, fields, TO.slice(0, 1))).toEqual(['Bonn']);
    await expect(fill(text, fields)).rejects.toThrow('is the label of no field of ada@example.com');
  });

  test('may be for fields of templates, also where these are not known', async () => {
    const others = [{ label: 'Fee', holder: 'eve@example.com' }];
    expect(await fill('{"Fee": 5}', [], TO, others)).toEqual([]);
    expect(valuesOf(others, await read('{"eve@example.com": {"Fee": 5}}')).get(others[0]!)).toBe(5);
    expect(await fill('{"Anything": 5}', FIELDS.slice(2, 3), TO, 'unknown')).toEqual([undefined]);
    const city = [{ label: 'City', holder: 'eve@example.com' }];
    await expect(fill('{"City": "Bonn"}', FIELDS.slice(0, 1), TO, city)).rejects.toThrow(
      'several recipients',
    );
  });

  test('leave the value of a field alone that they do not name', async () => {
    const fields = [parseFieldSpec('text@1:9,9,90x20=1,label=City,value=Bonn')];
    expect(withData(fields, await read('{}'), TO)).toEqual(fields);
    expect(fillable(fields[0]!, TO)).toMatchObject({ label: 'City', holder: 'ada@example.com' });
  });
});

describe('a file', () => {
  test.each([
    ['', 'is empty'],
    ['{"City": ', 'values.json'],
    ['["Bonn"]', 'is not a JSON object'],
    ['"Bonn"', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"City": null}', 'has a value for "City" that is not a string, a number, true or false'],
    ['{"City": ["Bonn"]}', 'has a value for "City" that is not a string'],
    ['{"ada@example.com": {"City": {}}}', 'has a value for "City" that is not a string'],
    ['{"Ada": {"City": "Bonn"}}', 'has an object for "Ada", which is not an email address'],
    ['{"Town": "Bonn"}', 'has a value for "Town", which is the label of no field'],
    ['{"City": "Bonn"}', 'has a value for "City", which is a field of several recipients'],
    ['{"eve@example.com": {"City": "Bonn"}}', 'is the label of no field of eve@example.com'],
    ['{"ada@example.com": {"Street": "Main"}}', 'is the label of no field of ada@example.com'],
    ['{"city": "Bonn"}', 'has a value for "city", which is the label of no field'],
    ['{"__proto__": "Bonn"}', 'has a value for "__proto__"'],
  ])('with %s is refused by name', async (text, problem) => {
    await expect(fill(text)).rejects.toThrow(problem);
    await expect(fill(text)).rejects.toMatchObject({ facts: { exit: 2 } });
  });

  test('suggests the label that is meant', async () => {
    await expect(fill('{"Ctiy": "Bonn"}')).rejects.toMatchObject({
      facts: { code: 'data_invalid', hint: expect.stringContaining('Did you mean "City"?') },
    });
  });

  test('is standard input', async () => {
    await expect(read('[]', '-')).rejects.toThrow('Standard input is not a JSON object');
  });
});
