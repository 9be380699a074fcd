// docs/seed.schema.json accepts what the program accepts, as an editor uses it.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(
  JSON.parse(read('docs/seed.schema.json')),
);

test('it accepts the example of docs/testing.md', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(read('docs/testing.md')) ?? [];
  expect(yaml).toContain('transactions:');
  expect(validate(parse(yaml))).toBe(true);
  expect(validate.errors).toBeNull();
});

test.each([
  { transaction: [] },
  { transactions: [{}] },
  { transactions: [{ name: 'A', state: 'sent' }] },
  { users: [{ name: 'Ada' }] },
])('it refuses %j', (seed) => {
  expect(validate(seed)).toBe(false);
});
