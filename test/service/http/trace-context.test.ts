// The header `traceparent`: what W3C Trace Context allows is read, and anything else is as if it were not there.
import { describe, expect, test } from 'vitest';
import { readTraceparent, replaceTrace, traceIdOf } from '../../../src/service/http/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${PARENT}-01`;

describe('a traceparent', () => {
  test.each([
    [VALID, VALID],
    [`00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
    // Flags other than "sampled" are not known.
    [`00-${TRACE}-${PARENT}-fe`, `00-${TRACE}-${PARENT}-00`],
    [`00-${TRACE}-${PARENT}-ff`, VALID],
    // A later version may have more.
    [`cc-${TRACE}-${PARENT}-01-what-comes-later`, VALID],
  ])('%s is read', (text, read) => {
    expect(readTraceparent(text)).toBe(read);
    expect(traceIdOf(read)).toBe(TRACE);
  });

  test.each([
    undefined,
    '',
    TRACE,
    `${VALID} `,
    `${VALID}-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01-${'x'.repeat(200)}`,
    `00-${TRACE}-${PARENT}-01\r\nset-cookie: a=b`,
  ])('%j is ignored', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });

  test('of a call is replaced by the checked one, or removed', () => {
    const call = { method: 'GET', url: '/v1/user/me', headers: { traceparent: 'wrong', accept: '*/*' } };
    expect(replaceTrace(call, VALID).headers).toEqual({ traceparent: VALID, accept: '*/*' });
    expect(replaceTrace(call, undefined).headers).toEqual({ accept: '*/*' });
    expect(call.headers.traceparent).toBe('wrong');
  });
});
