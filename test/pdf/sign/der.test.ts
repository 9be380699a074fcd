// ASN.1 is written in DER, and hostile values are read without harm.

import { expect, test } from 'vitest';
import {
  childrenOf,
  derInteger,
  flags,
  octets,
  oid,
  oidOf,
  readDer,
  sequence,
  set,
  time,
  timeOf,
} from '../../../src/pdf/sign/der.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('numbers, flags, identifiers and lengths have one way to be written', () => {
  expect([0, 127, 128, 256].map((value) => hex(derInteger(value)))).toEqual([
    '020100',
    '02017f',
    '02020080',
    '02020100',
  ]);
  expect(hex(derInteger(Buffer.from([0, 0, 0x80])))).toBe('02020080');
  expect(hex(derInteger(Buffer.alloc(3)))).toBe('020100');
  expect(hex(flags(0, 1))).toBe('030206c0');
  expect(hex(flags(5, 6))).toBe('03020106');
  expect(hex(oid('2.999.1'))).toBe('0603883701');
  expect([0x7f, 0x80, 0x1_0000].map((length) => hex(octets(Buffer.alloc(length))).slice(0, 10))).toEqual([
    '047f000000',
    '0481800000',
    '0483010000',
  ]);
  expect(hex(set(derInteger(2), derInteger(1)))).toBe('3106020101020102');
});

test('times of certificates change their kind in 2050', () => {
  for (const instant of ['1999-12-31T23:59:59Z', '2049-12-31T23:59:59Z', '2050-01-01T00:00:00Z'])
    expect(timeOf(readDer(time(instant)))).toBe(Date.parse(instant));
  expect(hex(time('2049-12-31T23:59:59Z')).slice(0, 4)).toBe('170d');
  expect(hex(time('2050-01-01T00:00:00Z')).slice(0, 4)).toBe('180f');
});

test.each(['2.999.1', '1.2.840.113549.1.9.16.2.47', '0.4.0.1862.1.1'])(
  '%s is read as it was written',
  (id) => {
    expect(oidOf(readDer(oid(id)))).toBe(id);
  },
);

test('a truncated or too long value is undefined', () => {
  for (const bytes of ['', '30', '3080', '3081', '308200', '30050201', '3f0100', '3085ffffffffff'])
    expect(readDer(Buffer.from(bytes, 'hex')), bytes).toBeUndefined();
  expect(childrenOf(readDer(Buffer.from('3004020101ff', 'hex')))).toBeUndefined();
  expect(childrenOf(readDer(derInteger(1)))).toBeUndefined();
  expect(childrenOf(readDer(sequence(derInteger(1), derInteger(2))))).toHaveLength(2);
});
