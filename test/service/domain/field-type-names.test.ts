import { expect, test } from 'vitest';
import { labelOrTypeName } from '../../../src/service/domain/known-value.ts';

test.each([
  [{ type: 'signature', label: 'signature' }, 'Signature'],
  [{ type: 'person_name', label: 'person_name' }, 'Name'],
  [{ type: 'text', label: 'City' }, 'City'],
] as const)('a field %o is called %s on the certificate', (field, name) => {
  expect(labelOrTypeName(field)).toBe(name);
});
