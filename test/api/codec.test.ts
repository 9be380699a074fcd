import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeReply, parseErrorBody } from '../../src/api/codec.ts';
import { OPERATIONS } from '../../src/api/contract/operations.ts';

const NOTHING = 'The service answered with status 422.';

describe('an error body', () => {
  test.each<[string, unknown, string, string, [string, string][]]>([
    [
      'of RFC 9457',
      { type: 'about:blank', title: 'Wrong', status: 422, detail: 'No good.' },
      'http_422',
      'No good.',
      [],
    ],
    ['with a title only', { title: 'Wrong' }, 'http_422', 'Wrong', []],
    ['with a message', { message: 'Nope', code: 'E_NO' }, 'E_NO', 'Nope', []],
    [
      'with messages',
      { message: ['a is empty', 'b is empty'], error: 'Bad Request' },
      'http_422',
      'Bad Request',
      [
        ['', 'a is empty'],
        ['', 'b is empty'],
      ],
    ],
    ['with an error as text', { error: 'Not today' }, 'http_422', 'Not today', []],
    [
      'with an error as code',
      { error: 'invalid_grant', error_description: 'Too late' },
      'invalid_grant',
      'Too late',
      [],
    ],
    [
      'with an error inside',
      { error: { code: 'E1', message: 'Inside', details: [{ field: 'a', message: 'b' }] } },
      'E1',
      'Inside',
      [['a', 'b']],
    ],
    [
      'with a list of sentences',
      { errors: ['One.', 'Two'] },
      'http_422',
      'One. Two.',
      [
        ['', 'One.'],
        ['', 'Two'],
      ],
    ],
    [
      'with a list of objects',
      { errors: [{ path: 'a.b', message: 'is wrong' }] },
      'http_422',
      'a.b is wrong.',
      [['a.b', 'is wrong']],
    ],
    [
      'of JSON:API',
      { errors: [{ title: 'T', detail: 'D', source: { pointer: '/data/a' } }] },
      'http_422',
      'data.a: D.',
      [['data.a', 'D']],
    ],
    [
      'with a map of fields',
      { errors: { name: ['too long', 'odd'], email: 'missing' } },
      'http_422',
      'name: too long. name: odd. email: missing.',
      [
        ['name', 'too long'],
        ['name', 'odd'],
        ['email', 'missing'],
      ],
    ],
    [
      'with a list as detail',
      { detail: [{ loc: ['body', 'recipients', 0], msg: 'required', type: 'x' }] },
      'http_422',
      'recipients.0: required.',
      [['recipients.0', 'required']],
    ],
    [
      'with more than is shown',
      { errors: ['a', 'b', 'c', 'd', 'e'] },
      'http_422',
      'a. b. c. 2 more values are not valid.',
      [
        ['', 'a'],
        ['', 'b'],
        ['', 'c'],
        ['', 'd'],
        ['', 'e'],
      ],
    ],
    ['with nothing that is known', { foo: 1, errors: 5, message: {}, detail: null }, 'http_422', NOTHING, []],
    ['that is a list', ['x'], 'http_422', NOTHING, []],
    ['that is a number', 5, 'http_422', NOTHING, []],
  ])('%s', (_, body, code, detail, errors) => {
    expect(parseErrorBody(JSON.stringify(body), 422)).toEqual({
      code,
      detail,
      errors: errors.map(([path, message]) => ({ path, message })),
    });
  });

  test.each([
    ['text', 'Out of order\n', 'Out of order'],
    [
      'a page with a title',
      '<html><head><title>\n 502 Bad Gateway </title>',
      'The service answered with status 422 and a page titled "502 Bad Gateway".',
    ],
    ['a page without one', '<html><p>x', NOTHING],
    ['half of JSON', '{"message":"x', NOTHING],
    ['nothing', '', NOTHING],
    ['blanks', ' \n', NOTHING],
  ])('that is %s', (_, text, detail) => {
    expect(parseErrorBody(text, 422)).toEqual({ code: 'http_422', detail, errors: [] });
  });

  test('is truncated to a readable length', () => {
    const { detail, errors } = parseErrorBody(
      JSON.stringify({ message: 'x'.repeat(9000), errors: Array(900).fill('y') }),
      400,
    );
    expect(detail.length).toBeLessThan(600);
    expect(errors).toHaveLength(50);
  });

  test('never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ errors: value, detail: value, error: value })),
        ),
        (text) => {
          const { code, detail, errors } = parseErrorBody(text, 400);
          expect([typeof code, typeof detail]).toEqual(['string', 'string']);
          for (const { path, message } of errors)
            expect([typeof path, typeof message]).toEqual(['string', 'string']);
        },
      ),
    );
  });
});

describe('an answer', () => {
  const errorOf = (status: number, headers: Record<string, string>) => {
    const call = { method: 'GET', url: 'https://sign.example/api/v1/x', headers: {} };
    try {
      decodeReply('transaction.detail', OPERATIONS['transaction.detail'], call, {
        status,
        headers,
        body: '',
      });
    } catch (error) {
      return error;
    }
  };

  test.each(['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'])('has its id in %s', (name) => {
    expect(errorOf(500, { [name]: 'R' })).toMatchObject({ requestId: 'R' });
  });

  test('that sends elsewhere is an error that names where', () => {
    expect(errorOf(302, { location: 'https://login.example/x?secret=1' })).toMatchObject({
      code: 'redirected',
      message: 'The service redirects to https://login.example (status 302). Redirects are not followed.',
    });
    expect(errorOf(301, { location: '/other?x' })).toMatchObject({
      message:
        'The service redirects to https://sign.example/other (status 301). Redirects are not followed.',
    });
    expect(errorOf(301, {})).toMatchObject({
      message: 'The service redirects (status 301). Redirects are not followed.',
    });
  });

  test('tells how long to wait', () => {
    expect(errorOf(429, { 'retry-after': '90' })).toMatchObject({ waitMs: 90_000 });
  });

  test('keeps unknown text, and omits what cannot be used', () => {
    const call = { method: 'GET', url: 'https://sign.example/', headers: {} };
    const body = {
      id: 'T',
      status: 'draft',
      more: { a: [1] },
      sent_at: 5,
      template: { name: 5, x: null, recipients: 'x' },
    };
    const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
    expect(decodeReply('transaction.detail', OPERATIONS['transaction.detail'], call, reply)).toEqual({
      id: 'T',
      status: 'draft',
      more: { a: [1] },
      template: { x: null },
    });
  });
});
