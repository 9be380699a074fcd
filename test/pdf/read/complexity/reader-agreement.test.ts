// What the strict reader finds in a file, the check before it has found as well: each object with the same value, each stream with as much
// data. Otherwise a file could show the check something harmless, and readers something else.
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '../../../../src/pdf/limits.ts';
import { searchable } from '../../../../src/pdf/read/characters.ts';
import {
  type Complexity,
  complexityOf,
  readStructure,
} from '../../../../src/pdf/read/complexity/complexity.ts';
import type { Objects } from '../../../../src/pdf/read/complexity/objects.ts';
import { filtersOf, type Stream, unpack } from '../../../../src/pdf/read/complexity/streams.ts';
import { type PdfFile, type PdfView, readPdf } from '../../../../src/pdf/read/read-pdf.ts';
import { PdfStream, PdfString, Ref, type Value } from '../../../../src/pdf/read/values.ts';
import { brokenPdf, seededRandom } from '../../../support/documents/broken-pdf.ts';
import { HOSTILE } from '../../../support/documents/hostile/index.mjs';
import { linearizedPdf } from '../../../support/documents/linearized-pdf.ts';
import { compressedPdf, contentPdf, pagesPdf, pdfOf } from '../../../support/documents/pdf.ts';
import { rounds, roundsOf, SEED } from '../../../support/random.ts';
import { SLOW } from '../../../support/tier.ts';

/** The values that both know: strings are null to the check, and a stream is its dictionary. */
function comparable(value: Value | undefined): unknown {
  if (value instanceof PdfString || value === undefined) return null;
  if (value instanceof Ref) return `${value.number} R`;
  if (value instanceof PdfStream) return comparable(value.dict);
  if (Array.isArray(value)) return value.map(comparable);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, first]) => [`/${key}`, comparable(first)]));
}

const textOf = (value: Value | undefined): string => JSON.stringify(comparable(value));

/** @returns what the reader finds and the check does not; nothing for files that either of the two does not read */
function missedIn(pdf: Uint8Array): string[] {
  const bytes = searchable(pdf);
  if (complexityOf(bytes)) return [];
  const file = readPdf(bytes);
  const parts = readStructure(bytes);
  if (!file.ok || file.isEncrypted || 'limit' in parts) return [];
  return Array.from({ length: Math.min(file.highestNumber, 2000) + 1 }, (_, number) => number).flatMap(
    (number) => missedOf(file, number, parts),
  );
}

type Parts = { objects: Objects; streams: Stream[] };

function missedOf(file: PdfFile, number: number, { objects, streams }: Parts): string[] {
  return file.sections.flatMap((_, index) => {
    const view = file.view(index);
    const object = view.object(number);
    if (!object) return [];
    const result = objects.definitions(number).map(textOf);
    if (!result.includes(textOf(object.value)))
      return [`${number} is ${textOf(object.value)}, not ${result}`];
    return object.value instanceof PdfStream
      ? missedData(file, view, object.value, { objects, streams })
      : [];
  });
}

function missedData({ bytes }: PdfFile, view: PdfView, stream: PdfStream, parts: Parts): string[] {
  const data = view.data(stream);
  if (!data) return [];
  const sizes = parts.streams
    .filter(({ start }) => start === stream.start)
    .map((item) => {
      const filters = filtersOf(item, parts.objects);
      return unpack(bytes.subarray(item.start), item.end - item.start, filters, DOCUMENT_LIMITS.streamBytes)
        .sizeBytes;
    });
  const isFiltered = [view.resolve(stream.dict.get('Filter'))].flat().some((name) => name !== null);
  if (sizes.length === 0) return [`no stream at ${stream.start}`];
  const has = sizes.some((size) => size >= data.length) || !isFiltered;
  return has ? [] : [`${data.length} bytes at ${stream.start}, not ${sizes}`];
}

const page = '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>';
const withObjects = (...others: string[]): Buffer =>
  pdfOf(['<</Type/Catalog/Pages 2 0 R>>', page, '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>', ...others]);
const blanks = deflateSync(Buffer.alloc(17 * 1024 * 1024, ' ')).toString('latin1');
const padding = `<</Length ${DOCUMENT_LIMITS.harmlessFileBytes}>>stream\n${' '.repeat(DOCUMENT_LIMITS.harmlessFileBytes)}\nendstream`;
const bomb = (entries: string, before = '') =>
  `<<${entries}/Length ${blanks.length}>>${before}stream\n${blanks}\nendstream`;

describe('the check before a library', () => {
  test.each<[string, Complexity['limit'], Buffer]>([
    ['behind a comment', 'stream_bytes', withObjects(bomb('/Filter/FlateDecode', '%>\n%\n'), padding)],
    [
      'behind a string that looks like an object',
      'stream_bytes',
      withObjects(bomb('/Filter/FlateDecode/A(5 0 obj<<)'), padding),
    ],
    [
      'with a filter that readers skip',
      'stream_bytes',
      withObjects(bomb('/Filter[/Crypt/FlateDecode]'), padding),
    ],
    [
      'with run lengths in Flate',
      'stream_bytes',
      withObjects(
        (() => {
          const runs = deflateSync(Buffer.alloc(1024 * 1024, Buffer.from([129, 32]))).toString('latin1');
          return `<</Filter[/FlateDecode/RunLengthDecode/AHx]/Length ${runs.length}>>stream\n${runs}\nendstream`;
        })(),
        padding,
      ),
    ],
  ])('finds a large stream %s', (_, limit, pdf) => {
    expect(complexityOf(pdf)?.limit).toBe(limit);
  });

  test('finds objects in an object stream whose numbers and filter are objects', () => {
    const objects = '7 0 8 4 (a) <</B 1>>';
    const packed = deflateSync(Buffer.from(objects)).toString('latin1');
    const pdf = withObjects(
      '<<>>',
      `<</Type/ObjStm/N 6 0 R/First 9 0 R/Filter 10 0 R/Length ${packed.length}>>stream\n${packed}\nendstream`,
      '2',
      'null',
      'null',
      '8',
      '/FlateDecode',
    );
    const parts = readStructure(searchable(pdf));
    expect('limit' in parts ? [] : parts.objects.definitions(8).map(textOf)).toContain('{"/B":1}');
  });

  test('finds an object that a table places within a number', () => {
    const pdf = withObjects('<</Length 0>>stream\n\nendstream');
    const at = pdf.indexOf('4 0 obj');
    const before = Buffer.concat([pdf.subarray(0, at), Buffer.from('99'), pdf.subarray(at)]);
    // Offsets behind the two digits grow by two; the table still leads to the 4.
    const moved = Buffer.from(
      before
        .toString('latin1')
        .replace(
          /(\d{10})( 00000 n)/g,
          (_, offset: string, rest: string) =>
            `${String(Number(offset) >= at ? Number(offset) + 2 : Number(offset)).padStart(10, '0')}${rest}`,
        )
        .replace(/startxref\n(\d+)/, (_, offset: string) => `startxref\n${Number(offset) + 2}`),
      'latin1',
    );
    expect(missedIn(moved)).toEqual([]);
    const file = readPdf(moved);
    expect(file.ok && file.latest.object(4)).toBeTruthy();
  });
});

describe('the check and the strict reader agree', () => {
  const LARGE = new Set(['a million pages', 'one page a million times', 'many streams']);
  const harmless = HOSTILE.filter(
    ({ kind, name, limit }) => kind === 'pdf' && limit === undefined && (SLOW || !LARGE.has(name)),
  );
  test.each(harmless)('on $name', ({ bytes }) => {
    expect(missedIn(bytes)).toEqual([]);
  });

  const sound = [
    pagesPdf(['/Rotate 90', '/CropBox[0 0 50 50]', '']),
    contentPdf('BT /F 12 Tf (Hello) Tj ET'),
    linearizedPdf(),
    compressedPdf(['<</Type/Catalog/Pages 2 0 R>>', page, '<</Type/Page/Parent 2 0 R>>']),
    withObjects(bomb('/Filter/FlateDecode').replace(blanks, blanks), '(a)', '<</A[1 2 0 R(b)<41>]>>'),
  ];
  test('on files with random changes', () => {
    const random = seededRandom(SEED);
    let [read, count] = [0, 0];
    for (const round of rounds(roundsOf({ short: 500, landing: 2000, full: 10_000 }))) {
      count += 1;
      const pdf = brokenPdf(sound[round % sound.length]!, random);
      const missed = missedIn(pdf);
      expect(missed, `round ${round}`).toEqual([]);
      if (readPdf(pdf).ok) read += 1;
    }
    // The test says something only where both read the files.
    expect(read).toBeGreaterThan(count / 5);
  });
});
