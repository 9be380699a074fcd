// A whole number of days or seconds, as options take it.
import { expect, test } from 'vitest';
import { wholeUnits } from '../../../src/cli/input/parse-input.ts';

const days = (text: string) => wholeUnits('--expires', text, { unit: 'd', min: 1, max: 3650 });
const seconds = (text: string) => wholeUnits('--expires', text, { unit: 's', min: 1, max: 3600 });

test.each([
  ['14', 14],
  ['14d', 14],
  ['48h', 2],
  ['3650d', 3650],
])('%s is %d days', (text, count) => {
  expect(days(text)).toBe(count);
});

test.each([
  ['90', 90],
  ['90s', 90],
  ['2m', 120],
  ['1h', 3600],
])('%s is %d seconds', (text, count) => {
  expect(seconds(text)).toBe(count);
});

test.each([
  ['36h', '"36h" is not a whole number of days'],
  ['1.5d', '"1.5d" is not a whole number of days'],
  ['0d', '"0d" is not a valid value'],
  ['3651d', '"3651d" is not a valid value'],
  ['1.5', '"1.5" is not a valid value'],
  ['2w', '"2w" is not a valid value'],
  ['', '"" is not a valid value'],
])('%j is no number of days', (text, problem) => {
  expect(() => days(text)).toThrow(problem);
});
