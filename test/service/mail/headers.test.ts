// Names, subjects and file names that try to become headers, addresses or parts of a mail; read back by Python's parser.
import { describe, expect, test } from 'vitest';
import { composeMail } from '../../../src/service/mail/compose.ts';
import { headerText } from '../../../src/service/mail/words.ts';
import { mailWith, parsedByPython } from '../../support/fixtures/mails.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const HOSTILE: readonly string[] = [
  'Ada\r\nBcc: eve@evil.example',
  'Ada\nBcc: eve@evil.example',
  'Ada\rBcc: eve@evil.example',
  'Ada\r\n\r\n<html>body</html>',
  'Ada\r\n Bcc: eve@evil.example',
  'Ada\u0000Bcc: eve@evil.example',
  'Ada\u2028Bcc: eve@evil.example',
  'Ada\u2029Bcc: eve@evil.example',
  'Ada\u0085Bcc: eve@evil.example',
  'Ada\u000bBcc: eve@evil.example',
  'Ada\u000cBcc: eve@evil.example',
  'Ada\u001b[31mred',
  'Ada\u007f\u0080\u009f',
  'Ada\u560a\u560dBcc: eve@evil.example',
  'Ada%0d%0aBcc: eve@evil.example',
  'Ada\\r\\nBcc: eve@evil.example',
  '=?utf-8?Q?=0D=0ABcc:_eve@evil.example?=',
  '=?UTF-8?B?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=',
  '=?utf-8?Q?Ada?= <eve@evil.example>',
  '=?utf-8?Q?unclosed',
  '?=',
  'Ada <eve@evil.example>',
  'Ada <eve@evil.example>, Bob',
  'eve@evil.example',
  'eve@evil.example, ',
  'eve@evil.example;',
  'Ada, Eve',
  'Friends: ada@example.com, eve@evil.example;',
  '"Ada"',
  '"Ada',
  'Ada"',
  'Ada\\',
  'Ada\\"',
  '"Ada\\" <eve@evil.example>, "',
  "Ada 'O' Brien",
  'Ada (comment)',
  'Ada (unclosed',
  'Ada)',
  'Ada <',
  'Ada >',
  '<>',
  '<<>>',
  '@',
  'a@b@c',
  ';',
  ':',
  ',',
  ', ,',
  '.',
  '..Ada..',
  '[127.0.0.1]',
  'Ada\tTab',
  '   spaces   around   ',
  '\u00a0\u2003',
  '',
  'Ă'.repeat(300),
  'x'.repeat(5000),
  'word '.repeat(400),
  '😀'.repeat(200),
  '👩‍👩‍👧‍👦 family',
  'e\u0301'.repeat(100),
  'عَدا بنت',
  'עדה "כהן", <ada>',
  '\u202eelpmaxe.live@eve\u202c',
  '\u2066Ada\u2069',
  '\u200fAda\u200e',
  'Ada\ufeff\u200b\u2060',
  'Ада Лавлейс',
  '山田 太郎',
  'Ada\ud800half',
  '\udc00',
  'From: eve@evil.example',
  'Content-Type: text/html',
  '--_NmP-01a20003-ef50-748f-9266-e303593196ce-Part_1--',
  '\r\n.\r\nMAIL FROM:<eve@evil.example>',
];

/** Whatever a name says, these and no others. */
const HEADERS = [
  'auto-submitted',
  'x-auto-response-suppress',
  'content-language',
  'from',
  'to',
  'reply-to',
  'in-reply-to',
  'references',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
];

const python = needsCommand('python3');

const hostileMail = (text: string) =>
  composeMail(
    mailWith({
      from: { name: text, email: 'no-reply@example.com' },
      replyTo: { name: text, email: 'sam@example.com' },
      to: { name: text, email: 'ada@example.com' },
      subject: text,
      letter: {
        transaction: text,
        message: text,
        documents: [text],
        sender: { name: text, email: 'sam@example.com' },
      },
    }),
    [{ name: `${text}.pdf`, bytes: Buffer.from('%PDF-1.7 content') }],
  );

/** That parser puts a space between the pieces of a long name. */
const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

describe('hostile texts', () => {
  test(`are read as they are meant, and leave headers, addresses and parts alone${python.why}`, {
    skip: !SLOW || python.skip,
  }, async () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
    const composed = await Promise.all(HOSTILE.map(hostileMail));
    const parsed = parsedByPython(composed.map(({ message }) => message));
    for (const [index, mail] of parsed.entries()) {
      const text = HOSTILE[index] ?? '';
      const known = [text, mail.headers.map(([name]) => name.toLowerCase()).sort()];
      const expected = HEADERS.filter((name) => name !== 'subject' || headerText(text) !== '');
      expect(known).toEqual([text, expected.sort()]);
      expect([text, mail.defects]).toEqual([text, []]);
      expect([text, mail.from.map(({ address }) => address)]).toEqual([text, ['no-reply@example.com']]);
      expect([text, mail.to.map(({ address }) => address)]).toEqual([text, ['ada@example.com']]);
      expect([text, mail.reply_to.map(({ address }) => address)]).toEqual([text, ['sam@example.com']]);
      expect([text, mail.parts.map(({ type }) => type)]).toEqual([
        text,
        ['text/plain', 'text/html', 'application/pdf'],
      ]);
      const shown = headerText(text);
      expect(withoutSpaces(mail.from[0]?.name ?? '')).toBe(withoutSpaces(shown));
      expect(withoutSpaces(mail.subject ?? '')).toBe(withoutSpaces(shown));
      expect(composed[index]?.envelope).toEqual({ from: 'no-reply@example.com', to: 'ada@example.com' });
    }
  });

  test.each(HOSTILE)('%j is one line in a header, and no longer than can be shown', (text) => {
    const line = headerText(text);
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect([...line].length).toBeLessThanOrEqual(255);
    expect(Buffer.from(line).toString()).toBe(line);
  });

  test('make no header, and no line that is longer than servers take', async () => {
    for (const text of HOSTILE) {
      const { message } = await hostileMail(text);
      const lines = Buffer.from(message).toString('latin1').split('\r\n');
      const head = lines.slice(0, lines.indexOf('')).filter((line) => !/^[ \t]/.test(line));
      const names = head.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
      expect([text, names.filter((name) => !HEADERS.includes(name))]).toEqual([text, []]);
      expect([text, new Set(names).size]).toEqual([text, names.length]);
      expect([text, Math.max(...lines.map((line) => line.length)) <= 998]).toEqual([text, true]);
      expect([text, lines.some((line) => /[\r\n]/.test(line))]).toEqual([text, false]);
    }
  });
});

test('a domain in another script travels as ASCII', async () => {
  const { envelope, message } = await composeMail(
    mailWith({ to: { name: 'Ada', email: 'ada@bücher.example' } }),
    [],
  );
  expect(envelope.to).toBe('ada@xn--bcher-kva.example');
  expect(Buffer.from(message).toString()).toContain('To: Ada <ada@xn--bcher-kva.example>');
});
