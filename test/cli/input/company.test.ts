import { describe, expect, test } from 'vitest';
import { recognizeCompany } from '../../../src/cli/input/person.ts';

describe('the company of a new user', () => {
  test.each([
    ['Engines', { isNew: false, similar: undefined }],
    ['engines', { isNew: true, similar: 'Engines' }],
    ['Enginse', { isNew: true, similar: 'Engines' }],
    ['Navy', { isNew: true, similar: undefined }],
  ])('%s is known, new, or similar to one that is known', (name, expected) => {
    expect(recognizeCompany(name, ['Engines', 'Harbour'])).toEqual(expected);
  });
});
