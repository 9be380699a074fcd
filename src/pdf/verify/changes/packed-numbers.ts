// Reads which objects an object stream holds (ISO 32000-2, 7.5.7), whatever the sections of the file say of it.
import type { PdfView } from '../../syntax/read-pdf.ts';
import { NOTHING, Scanner } from '../../syntax/scanner.ts';
import type { PdfStream } from '../../syntax/values.ts';

/** The number of each object, and where it begins in the data. Undefined where that cannot be read. */
export function packedPairsIn(
  view: PdfView,
  stream: PdfStream,
): { number: number; start: number }[] | undefined {
  const [count, first] = [view.resolve(stream.dict.get('N')), view.resolve(stream.dict.get('First'))];
  const data = view.data(stream);
  if (typeof count !== 'number' || typeof first !== 'number' || !data || first > data.length)
    return undefined;
  const scanner = new Scanner(data, 0, first);
  const pairs: { number: number; start: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [scanner.integer(), scanner.integer()];
    if (number === undefined || offset === undefined) return undefined;
    pairs.push({ number, start: first + offset });
  }
  return pairs;
}

/**
 * The numbers of the objects in an object stream, in their order. Undefined where one does not end before the next begins: some readers read
 * up to the next, others up to the end of the value.
 */
export function packedNumbersIn(view: PdfView, stream: PdfStream): number[] | undefined {
  const isWritten = typeof stream.dict.get('N') === 'number' && typeof stream.dict.get('First') === 'number';
  const [pairs, data] = [packedPairsIn(view, stream), view.data(stream)];
  if (!isWritten || !pairs || !data) return undefined;
  const isAlone = (start: number, index: number) => {
    const end = pairs[index + 1]?.start ?? data.length;
    const value = new Scanner(data, start, end);
    if (value.value() === NOTHING) return false;
    value.skipBlanks();
    return value.at === end;
  };
  return pairs.every(({ start }, index) => isAlone(start, index))
    ? pairs.map(({ number }) => number)
    : undefined;
}
