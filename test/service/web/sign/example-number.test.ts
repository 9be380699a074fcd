// The example in "Enter a number, such as …" is one that the field takes.
import { expect, test } from 'vitest';
import { exampleNumber } from '../../../../src/service/web/sign/language.ts';

test.each([
  [null, null, '1500.50'],
  [1, 50, '25'],
  [100, 5000, '1500.50'],
  [0, 1, '0'],
  [0.5, 0.9, '0.7'],
  [2.25, 2.26, '2.25'],
  [0.001, 0.002, '0.001'],
  [5, 5, '5'],
  [-20, -10, '-15'],
  [2000, null, '3000'],
  [null, 10, '5'],
  [null, -10, '-15'],
  [null, 0, '0'],
])('an example for %s to %s is %s', (min_value, max_value, example) => {
  expect(exampleNumber({ min_value, max_value })).toBe(example);
});
