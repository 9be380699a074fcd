import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { readPattern } from '../../../src/service/checks/pattern.ts';

function matches(source: string, value: string): boolean {
  const pattern = readPattern(source);
  if (!pattern.ok) throw new Error(pattern.why);
  return pattern.matches(value);
}

describe('a pattern of a field', () => {
  test.each([
    ['a+', 'aaa', true],
    ['a|b', 'ab', false],
    ['a|ab', 'ab', true],
    ['^a$', 'a', true],
    ['(?m)^a$', 'a\nb', false],
    ['.', '😀', true],
    ['[^a]', '😀', true],
    ['\\p{Lu}', 'Ä', true],
    ['\\p{Greek}+', 'Ελλάς', true],
    ['(?i)straße', 'STRAßE', true],
    ['a', 'a\n', false],
    ['', '', true],
    ['', 'a', false],
    ['(?<year>\\d{4})', '2026', true],
    ['\\u00e9\\u{1f600}\\ud83d\\ude00', 'é😀😀', true],
    ['\\\\u00e9', '\\u00e9', true],
    ['[\\u0041-\\u0043]+', 'ABC', true],
    ['\\/\\-\\.', '/-.', true],
    ['[A-Z]{2}\\d{2}( ?[A-Z0-9]{4}){3,7}', 'DE89 3704 0044 0532 0130 00', false],
    ['[A-Z]{2}\\d{2}( ?[A-Z0-9]{1,4}){3,8}', 'DE89 3704 0044 0532 0130 00', true],
  ])('%s on %j: %s', (source, value, expected) => {
    expect(matches(source, value)).toBe(expected);
  });

  test.each([
    ['(?=a)b', 'uses a look-ahead'],
    ['a(?!b)', 'uses a look-ahead'],
    ['(?<=a)b', 'uses a look-behind'],
    ['(?<!a)b', 'uses a look-behind'],
    ['(a)\\1', 'uses a back-reference'],
    ['(?<n>a)\\k<n>', 'uses a back-reference'],
    ['(?P<n>a)(?P=n)', 'uses a back-reference'],
    ['(?>a)', 'uses an atomic group'],
    ['(', 'is not a valid RE2 regular expression: missing closing )'],
    ['a**', 'is not a valid RE2 regular expression: invalid nested repetition operator'],
    ['\\p{Foo}', 'is not a valid RE2 regular expression: invalid character class range'],
    ['\\h', 'is not a valid RE2 regular expression: invalid escape sequence'],
    ['\\', 'is not a valid RE2 regular expression: trailing backslash at end of expression'],
    ['a{1001}', 'is not a valid RE2 regular expression: invalid repeat count'],
    ['(a{1000}){1000}', 'is not a valid RE2 regular expression: invalid repeat count'],
    ['a{600}b{600}', 'is too large, because its repetitions multiply. Use max_length instead'],
  ])('%s is refused, and the reason told', (source, why) => {
    const pattern = readPattern(source);
    expect(pattern).toMatchObject({ ok: false });
    expect(pattern.ok ? '' : pattern.why).toBe(
      why.startsWith('is') ? `"${source}" ${why}` : `"${source}" ${why}, which RE2 patterns do not support`,
    );
  });

  /** Exponential in engines that go back, and the worst found for one that does not. */
  test.each([
    ['^(a+)+$', 'a'],
    ['(a|a)*b', 'a'],
    ['(a?){300}a{300}', 'a'],
    ['(a|b)*a(a|b){300}', 'ab'],
    ['(a?b?){160}', 'ab'],
  ])('%s takes no time on the longest value', (source, unit) => {
    const pattern = readPattern(source);
    const value = `${unit.repeat(LIMITS.regexValueLength).slice(0, LIMITS.regexValueLength - 1)}!`;
    const startedMs = performance.now();
    expect(pattern.ok && pattern.matches(value)).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});
