// What was found out about a look is remembered for the version of the file in which it was read.
import { expect, test } from 'vitest';
import type { PdfView } from '../../../src/pdf/read/read-pdf.ts';
import { PdfStream } from '../../../src/pdf/read/values.ts';
import { oncePerStream } from '../../../src/pdf/verify/changes/diff-context.ts';

test('a stream is looked at once in each version, and another one is asked about anew', () => {
  const requests: [PdfView, PdfStream][] = [];
  const isOdd = oncePerStream((view, stream) => {
    requests.push([view, stream]);
    return view.index + stream.start === 1;
  });
  const [first, second] = [0, 1].map((index) => ({ index }) as PdfView) as [PdfView, PdfView];
  const [answer, other] = [0, 1].map((start) => new PdfStream(new Map(), start, start)) as [
    PdfStream,
    PdfStream,
  ];
  for (let round = 0; round < 3; round += 1)
    expect([isOdd(first, answer), isOdd(second, answer), isOdd(first, other)]).toEqual([false, true, true]);
  expect(requests).toEqual([
    [first, answer],
    [second, answer],
    [first, other],
  ]);
});
