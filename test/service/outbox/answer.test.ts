import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnswerProgress,
  type AnswerReader,
  createAnswerReader,
} from '../../../src/service/outbox/answer.ts';
import { roundsOf } from '../../support/random.ts';
import { sampleOf } from '../../support/tier.ts';

/** What a reader makes of an answer, in one piece or byte by byte. */
function readIn(pieces: readonly Buffer[]) {
  const reader: AnswerReader = createAnswerReader();
  let progress: AnswerProgress = 'more';
  for (const piece of pieces) {
    progress = reader.take(piece);
    if (progress !== 'more') break;
  }
  const { head, broken, isReusable } = reader;
  return { progress, status: head?.status, body: reader.body().toString(), isReusable, broken };
}

const bytewise = (text: string): Buffer[] =>
  [...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte]));
const whole = (text: string): Buffer[] => [Buffer.from(text, 'latin1')];

const OK = 'HTTP/1.1 200 OK\r\n';

type Expected = Partial<ReturnType<typeof readIn>>;

const NO_HTTP = 'its response is not HTTP/1.1';

/** The connection serves the next request only where the end of the answer is beyond doubt. */
const ANSWERS: [what: string, answer: string, expected: Expected][] = [
  [
    'a length',
    `${OK}Content-Length: 2\r\n\r\nok`,
    { status: 200, body: 'ok', isReusable: true, progress: 'done' },
  ],
  [
    'no body',
    `${OK}content-length: 0\r\n\r\n`,
    { status: 200, body: '', isReusable: true, progress: 'done' },
  ],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, isReusable: true, progress: 'done' }],
  ['no reason', 'HTTP/1.1 410\r\nContent-Length: 0\r\n\r\n', { status: 410, isReusable: true }],
  ['an empty reason', 'HTTP/1.1 410 \r\nContent-Length: 0\r\n\r\n', { status: 410, isReusable: true }],
  [
    'chunks',
    `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n`,
    { status: 200, body: 'abc0123456789', isReusable: true, progress: 'done' },
  ],
  [
    'no length',
    `${OK}\r\nall of it`,
    { status: 200, body: 'all of it', isReusable: false, progress: 'more' },
  ],
  [
    'a close',
    `${OK}Connection: Close\r\nContent-Length: 2\r\n\r\nok`,
    { body: 'ok', isReusable: false, progress: 'done' },
  ],
  [
    'HTTP/1.0',
    'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok',
    { body: 'ok', isReusable: false, progress: 'done' },
  ],
  [
    'line ends without CR',
    'HTTP/1.1 200 OK\nContent-Length: 2\n\nok',
    { body: 'ok', isReusable: false, progress: 'done' },
  ],
  [
    'interim answers',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 1\r\n\r\nx`,
    { status: 200, body: 'x', isReusable: true, progress: 'done' },
  ],
  [
    'two lengths',
    `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nokk`,
    { status: 200, isReusable: false },
  ],
  [
    'a length and chunks',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    { status: 200, body: 'ok', isReusable: false, progress: 'done' },
  ],
  [
    'a folded line',
    `${OK}X: a\r\n Content-Length: 9\r\nContent-Length: 2\r\n\r\nok`,
    { body: 'ok', isReusable: false },
  ],
  ['a line without colon', `${OK}nonsense\r\nContent-Length: 2\r\n\r\nok`, { body: 'ok', isReusable: false }],
  [
    'a length that is none',
    `${OK}Content-Length: -2\r\n\r\nok`,
    { status: 200, isReusable: false, progress: 'more' },
  ],
  [
    'a length with a sign',
    `${OK}Content-Length: +2\r\n\r\nok`,
    { status: 200, isReusable: false, progress: 'more' },
  ],
  [
    'an unknown coding',
    `${OK}Transfer-Encoding: gzip, chunked\r\n\r\nok`,
    { isReusable: false, progress: 'more' },
  ],
  [
    'a size that is none',
    `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nok`,
    { status: 200, isReusable: false, progress: 'enough' },
  ],
  [
    'a size with 0x',
    `${OK}Transfer-Encoding: chunked\r\n\r\n0x2\r\nok`,
    { progress: 'enough', isReusable: false },
  ],
  [
    'a size that is huge',
    `${OK}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(9)}\r\n`,
    { progress: 'enough' },
  ],
  [
    'a chunk that is too long',
    `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n`,
    { progress: 'enough' },
  ],
  [
    'an extension without end',
    `${OK}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(2000)}`,
    { progress: 'enough' },
  ],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', { progress: 'enough', broken: NO_HTTP, status: undefined }],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n', { broken: NO_HTTP }],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', { broken: NO_HTTP }],
  ['a status that is too large', 'HTTP/1.1 600 OK\r\n\r\n', { broken: NO_HTTP }],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n', { broken: NO_HTTP }],
  ['an empty line', '\r\n\r\n', { broken: NO_HTTP }],
  [
    'headers without end',
    `${OK}${'X: y\r\n'.repeat(5000)}`,
    { broken: 'its response has more than 16384 bytes of headers', status: undefined },
  ],
  [
    'interim answers without end',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000),
    { broken: 'its response has more than 16384 bytes of headers' },
  ],
];

describe('an answer', () => {
  test.each(ANSWERS)('with %s', (_, answer, expected) => {
    expect(readIn(whole(answer))).toMatchObject(expected);
  });

  test.each(sampleOf(ANSWERS, 11))('with %s, byte by byte', (_, answer, expected) => {
    expect(readIn(bytewise(answer))).toMatchObject(expected);
  });

  test('is not followed by another one without a request', () => {
    const two = `${OK}Content-Length: 2\r\n\r\nok${OK}`;
    expect(readIn(whole(two))).toMatchObject({ progress: 'done', body: 'ok', isReusable: false });
    const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${OK}`;
    expect(readIn(whole(chunked))).toMatchObject({ progress: 'done', isReusable: false });
  });

  test('is read up to 20,000 bytes, and its first 4,000 are kept', () => {
    const piece = Buffer.alloc(1000, 'x');
    const reader = createAnswerReader();
    reader.take(Buffer.from(`${OK}Content-Length: 10000000000\r\n\r\n`));
    const told = Array.from({ length: 21 }, () => reader.take(piece));
    expect(told).toEqual([...Array.from({ length: 20 }, () => 'more'), 'enough']);
    expect(reader.body().length).toBe(4000);
    expect(reader.isReusable).toBe(false);
  });

  test('that is larger than 20,000 bytes is enough when it comes in one piece', () => {
    const answer = `${OK}Content-Length: 10000000000\r\n\r\n${'x'.repeat(30_000)}`;
    expect(readIn(whole(answer))).toMatchObject({ progress: 'enough', status: 200, isReusable: false });
  });

  test('is read the same in whatever pieces it comes', () => {
    const part = fc.constantFrom(
      ...['HTTP/1.1 200 OK', 'HTTP/1.1 100 Continue', '\r\n', '\n', '\r', '\r\n\r\n', 'Content-Length: 5'],
      ...[
        'Transfer-Encoding: chunked',
        'Connection: close',
        '5\r\nhello\r\n',
        '0\r\n\r\n',
        'hello',
        ';',
        'x: y',
        ' ',
      ],
    );
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), cuts, (parts, at) => {
        const bytes = Buffer.from(`${OK}${parts.join('')}`, 'latin1');
        const ends = [...at.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const { isReusable, ...one } = readIn([bytes]);
        const { isReusable: reusedInPieces, ...many } = readIn(pieces);
        expect(many).toEqual(one);
        // What comes too much is seen at once only when it comes in the same piece; later it closes the connection.
        if (isReusable) expect(reusedInPieces).toBe(true);
      }),
      { numRuns: roundsOf({ short: 300, landing: 20_000, full: 50_000 }) },
    );
  });
});
