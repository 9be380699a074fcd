// A refusal cannot be made without what its sentence needs: that does not compile. And no sentence has a hole.
import { expect, test } from 'vitest';
import { MEANINGS } from '../../../src/api/contract/documents.ts';
import { SCOPES } from '../../../src/api/contract/operation.ts';
import { PROBLEMS, problemOf, refusal } from '../../../src/api/contract/problems.ts';
import MAILS from '../../../src/service/mail/words/en.json' with { type: 'json' };
import PAGES from '../../../src/service/web/sign/words/en.json' with { type: 'json' };

test('a refusal has the facts of its code', () => {
  // @ts-expect-error: the id and the status are needed
  refusal('transaction_not_draft');
  // @ts-expect-error: the status is needed
  refusal('transaction_not_draft', { id: 'T' });
  // @ts-expect-error: nothing like it is known
  refusal('transaction_not_there', { id: 'T' });
  const { detail } = problemOf(
    refusal('transaction_not_draft', { id: 'T', status: 'started' }),
    'urn:uuid:1',
  );
  expect(detail).toBe('Transaction T is started; only a draft can be changed or started.');
  expect(problemOf(refusal('file_missing'), 'urn:uuid:1').detail).toContain('part "file"');
});

test('a title is no sentence, and every status is one of a refusal', () => {
  for (const { status, title } of Object.values(PROBLEMS)) {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

/** Facts that are whole sentences end the refusal themselves. */
const BRING_SENTENCES = new Set([
  'validation_failed',
  'invalid_grant',
  'transaction_incomplete',
  'sealing_unavailable',
  'storage_damaged',
]);

/** Words that a reader has to look at twice, or that only the project knows. */
const NOT_PLAIN =
  /\b(store|client applications?|e-mails?|colou?red|pictures?|folders?|whoever|nobody|somebody|everybody|is told|once more|holds)\b/i;

test.each(Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[])('%s is said in plain sentences', (code) => {
  const { title } = PROBLEMS[code];
  const detail = PROBLEMS[code].detail as (facts: object) => string;
  // Every fact is its own name in capitals, so that a hole would show as "undefined".
  const said = detail(new Proxy({}, { get: (_, name) => String(name).toUpperCase() }));
  expect(said).not.toContain('undefined');
  if (!BRING_SENTENCES.has(code)) expect(said).toMatch(/^["A-Z].*\.$/s);
  expect([title, said].filter((text) => NOT_PLAIN.test(text))).toEqual([]);
});

test('what is wrong with a document, scopes, pages and emails are said in plain words', () => {
  const said = [...Object.values(MEANINGS), ...Object.values(SCOPES), ...textsIn(PAGES), ...textsIn(MAILS)];
  expect(said.filter((text) => NOT_PLAIN.test(text))).toEqual([]);
});

/** Sentences with names in them get a name. */
const textsIn = (words: object): string[] =>
  Object.values(words).map((text) => (typeof text === 'function' ? text('Ada', 'Agreement') : text));
