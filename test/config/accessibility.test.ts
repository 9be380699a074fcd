// The variables of a person with a screen reader: which part each one turns on, and which values turn it on.
import { expect, test } from 'vitest';
import { accessibilityOf } from '../../src/config/environment.ts';

const NONE = { asksInLines: false, waitsInLines: false, usesOwnColors: false };
const ALL = { asksInLines: true, waitsInLines: true, usesOwnColors: true };

test.each([
  ['ACCESSIBLE', ALL],
  ['GH_ACCESSIBLE_PROMPTER', { ...NONE, asksInLines: true }],
  ['GH_SPINNER_DISABLED', { ...NONE, waitsInLines: true }],
  ['GH_ACCESSIBLE_COLORS', { ...NONE, usesOwnColors: true }],
])('%s', (name, accessibility) => {
  for (const value of ['1', 'true', 'yes', 'enabled'])
    expect(accessibilityOf({ [name]: value })).toEqual(accessibility);
  for (const value of [undefined, '', '0', 'false', 'FALSE'])
    expect(accessibilityOf({ [name]: value })).toEqual(NONE);
});
