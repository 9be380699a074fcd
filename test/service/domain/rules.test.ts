import { describe, expect, test } from 'vitest';
import { matchPath } from '../../../src/api/codec.ts';
import { codePoints, isEmail, paginate } from '../../../src/api/contract/values.ts';
import { addMs, isCalendarDay } from '../../../src/common/instant.ts';
import { NEXT_STATE, nextState, type StateCommand } from '../../../src/service/domain/states.ts';
import type { Status, Transaction } from '../../../src/service/domain/transaction.ts';
import { createRouter } from '../../../src/service/http/route.ts';

const STATES: Status[] = ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled'];
const COMMANDS = Object.keys(NEXT_STATE) as StateCommand[];

describe('the table state × command', () => {
  const expected: Record<StateCommand, string> = {
    edit: 'draft - - - - -',
    start: 'started - - - - -',
    submit: '- started - - - -',
    submit_last: '- completed - - - -',
    reject: '- rejected - - - -',
    cancel: '- cancelled - - - -',
    expire: '- expired - - - -',
  };

  test.each(COMMANDS)('%s', (command) => {
    const next = STATES.map((status) => {
      const followed = nextState({ id: 'T', status } as Transaction, command);
      if (followed.ok) return followed.status;
      expect(followed.refusal.facts).toMatchObject({ id: 'T', status });
      expect(followed.refusal.code).toBe(
        command === 'edit' || command === 'start' ? 'transaction_not_draft' : 'transaction_not_started',
      );
      return '-';
    });
    expect(next.join(' ')).toBe(expected[command]);
  });
});

describe('pages', () => {
  test.each([
    [
      0,
      10,
      1,
      { is_first_page: true, is_last_page: true, page_count: 0, previous_page: null, next_page: null },
    ],
    [
      10,
      10,
      1,
      { is_first_page: true, is_last_page: true, page_count: 1, previous_page: null, next_page: null },
    ],
    [
      11,
      10,
      1,
      { is_first_page: true, is_last_page: false, page_count: 2, previous_page: null, next_page: 2 },
    ],
    [
      11,
      10,
      2,
      { is_first_page: false, is_last_page: true, page_count: 2, previous_page: 1, next_page: null },
    ],
    [
      11,
      10,
      7,
      { is_first_page: false, is_last_page: true, page_count: 2, previous_page: 2, next_page: null },
    ],
    [
      0,
      10,
      7,
      { is_first_page: false, is_last_page: true, page_count: 0, previous_page: null, next_page: null },
    ],
  ])('%i items, %i a page, page %i', (total, limit, page, expected) => {
    expect(paginate(total, limit, page)).toEqual({ limit, current_page: page, ...expected });
  });
});

describe('values', () => {
  test.each([
    ['ada@example.com', true],
    ['a.b+c@sub.example.co.uk', true],
    ["o'neil@example.com", true],
    ['zoë@exämple.com', true],
    ['root@localhost', true],
    [`${'a'.repeat(64)}@example.com`, true],
    [`${'a'.repeat(65)}@example.com`, false],
    [`a@${'b'.repeat(63)}.com`, true],
    [`a@${'b'.repeat(64)}.com`, false],
    [`a@${'b.'.repeat(130)}com`, false],
    ['', false],
    ['ada', false],
    ['@example.com', false],
    ['ada@', false],
    ['a@b@c', false],
    ['.a@example.com', false],
    ['a..b@example.com', false],
    ['a@-example.com', false],
    ['a@example..com', false],
    ['Ada <ada@example.com>', false],
    ['a b@example.com', false],
    ['a@example.com\n', false],
    ['a@[127.0.0.1]', false],
  ])('%j is an email address: %s', (text, expected) => {
    expect(isEmail(text)).toBe(expected);
  });

  test.each([
    ['2028-02-29', true],
    ['2100-02-29', false],
    ['2026-04-31', false],
    ['0001-01-01', true],
    ['2026-1-1', false],
    ['2026-01-01T00:00', false],
    ['', false],
  ])('%j is a calendar day: %s', (text, expected) => {
    expect(isCalendarDay(text)).toBe(expected);
  });

  test('lengths are code points, moments are UTC', () => {
    expect([codePoints('a😀'), codePoints('👩‍🚀'), codePoints('')]).toEqual([2, 3, 0]);
    expect(addMs('2026-03-29T00:30:00.000Z', 24 * 3600 * 1000)).toBe('2026-03-30T00:30:00.000Z');
  });
});

describe('paths', () => {
  test.each([
    ['/a/{id}', '/a/b', { id: 'b' }],
    ['/a/{id}', '/a/%2e%2e%2Fb', { id: '../b' }],
    ['/a/{id}', '/a/', undefined],
    ['/a/{id}', '/a/b/', undefined],
    ['/a/{id}', '/A/b', undefined],
    ['/a/{id}/c', '/a/b/c', { id: 'b' }],
  ])('%s and %s', (template, path, expected) => {
    expect(matchPath(template, path)).toEqual(expected);
  });

  test('lead to an operation by method and path', () => {
    const route = createRouter({ isSandbox: true });
    expect(route('GET', '/v1/file/abc')).toMatchObject({
      ok: true,
      id: 'file.content',
      params: { fileId: 'abc' },
    });
    expect(route('POST', '/v1/file/upload')).toMatchObject({ ok: true, id: 'file.upload' });
    expect(route('POST', '/v1/transaction/abc/document')).toMatchObject({
      ok: true,
      id: 'transaction.add_document',
    });
    expect(route('GET', '/sign')).toMatchObject({ ok: true, id: 'signing.view' });
    expect(route('DELETE', '/sign')).toMatchObject({
      ok: false,
      refusal: { code: 'method_not_allowed', facts: { allow: 'GET' } },
    });
    expect(route('GET', '/v1/transaction/%')).toMatchObject({
      ok: false,
      refusal: { code: 'malformed_path' },
    });
  });
});
