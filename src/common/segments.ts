// Cuts text into words, or into characters as people see them. Node copies the whole text for each segment of it, which takes gigabytes for
// a hundred thousand letters, so the text is given to it in pieces.

const PIECE = 500;

const segmenters = {
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
};

/** A segment that is longer than a piece, such as a letter with hundreds of marks, is cut. */
export function* segmentsOf(text: string, granularity: keyof typeof segmenters): Generator<string> {
  const segmenter = segmenters[granularity];
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    const segments = Array.from(segmenter.segment(text.slice(from, to)), ({ segment }) => segment);
    // The last one may go on behind the piece.
    if (to < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      yield segment;
      from += segment.length;
    }
  }
}

/** Not between the halves of a character. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(text.length, from + PIECE);
  return (text.codePointAt(to - 1) ?? 0) > 0xffff ? to - 1 : to;
}
