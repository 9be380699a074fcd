// A date in each of the forms that a field can have. What is no calendar day stays as it was typed.
import { expect, test } from 'vitest';
import { DATE_FORMATS, formatDate } from '../../../src/api/contract/date-format.ts';

test.each([
  ['YYYY-MM-DD', '2026-03-05', '0987-12-31'],
  ['DD.MM.YYYY', '05.03.2026', '31.12.0987'],
  ['DD/MM/YYYY', '05/03/2026', '31/12/0987'],
  ['MM/DD/YYYY', '03/05/2026', '12/31/0987'],
  ['D MMMM YYYY', '5 March 2026', '31 December 0987'],
  ['MMMM D, YYYY', 'March 5, 2026', 'December 31, 0987'],
] as const)('%s', (format, spring, winter) => {
  expect(formatDate('2026-03-05', format)).toBe(spring);
  expect(formatDate('0987-12-31', format)).toBe(winter);
});

test.each(['', '2026-02-30', '5 March', '2026-03-05T00:00'])('"%s" stays as it is', (text) => {
  for (const format of DATE_FORMATS) expect(formatDate(text, format)).toBe(text);
});
