import { describe, expect, test } from 'vitest';
import { parseAddressee, parsePerson } from '../../../src/cli/input/person.ts';

const refusalOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { facts: { code: string } }).facts.code;
  }
  return undefined;
};

describe('a recipient as it is typed', () => {
  test.each([
    ['Ada <ada@example.com>', { name: 'Ada', email: 'ada@example.com', role: 'signer' }],
    [
      '  Ada Lovelace   < ada@example.com > ',
      { name: 'Ada Lovelace', email: 'ada@example.com', role: 'signer' },
    ],
    ['Ada<ada@example.com>', { name: 'Ada', email: 'ada@example.com', role: 'signer' }],
    ['ada@example.com', { name: 'ada@example.com', email: 'ada@example.com', role: 'signer' }],
    ['<ada@example.com>', { name: 'ada@example.com', email: 'ada@example.com', role: 'signer' }],
    [
      '"Lovelace, Ada; Dr." <ada@example.com>',
      { name: 'Lovelace, Ada; Dr.', email: 'ada@example.com', role: 'signer' },
    ],
    ['Ada <ada@example.com>;role=proxy', { name: 'Ada', email: 'ada@example.com', role: 'proxy' }],
    ['Ada <ada@example.com>,role=proxy', { name: 'Ada', email: 'ada@example.com', role: 'proxy' }],
    ['ada@example.com, role=proxy', { name: 'ada@example.com', email: 'ada@example.com', role: 'proxy' }],
    ['Lovelace, Ada <ada@example.com>', { name: 'Lovelace, Ada', email: 'ada@example.com', role: 'signer' }],
    ['ada@example.com; role=proxy', { name: 'ada@example.com', email: 'ada@example.com', role: 'proxy' }],
    ['Zoë 🖊 <zoe@exämple.com>', { name: 'Zoë 🖊', email: 'zoe@exämple.com', role: 'signer' }],
  ])('%s', (text, expected) => {
    expect(parseAddressee(text, '--to')).toEqual(expected);
  });

  test.each([
    ['', 'email_invalid'],
    ['Ada', 'email_invalid'],
    ['Ada <>', 'email_invalid'],
    ['Ada <ada>', 'email_invalid'],
    ['Ada <ada@example.com', 'email_invalid'],
    ['Ada <a@b@c.com>', 'email_invalid'],
    ['Ada <ada@example.com>, Bob <bob@example.com>', 'recipient_invalid'],
    ['Ada <ada@example.com>;role=sender', 'recipient_invalid'],
    ['Ada <ada@example.com>,role=sender', 'recipient_invalid'],
    ['ada@example.com, bob@example.com', 'email_invalid'],
    ['Ada <ada@example.com> role=proxy', 'recipient_invalid'],
    ['Ada\u0000 <ada@example.com>', 'recipient_invalid'],
    ['Ada\r\nBcc: x <ada@example.com>', 'recipient_invalid'],
    ['A\u202eda <ada@example.com>', 'recipient_invalid'],
    [`${'n'.repeat(256)} <ada@example.com>`, 'recipient_invalid'],
  ])('%j is refused', (text, code) => {
    expect(refusalOf(() => parseAddressee(text, '--to'))).toBe(code);
  });

  test('a sender has no role', () => {
    expect(parsePerson('Ada <ada@example.com>', '--sender')).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
    });
    expect(refusalOf(() => parsePerson('Ada <ada@example.com>;role=proxy', '--sender'))).toBe(
      'recipient_invalid',
    );
  });
});
