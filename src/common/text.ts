// Cuts text into words and characters, and shortens names for a sentence.

/** Half a surrogate pair. JSON can hold one; UTF-8 and URLs cannot, and `encodeURIComponent` throws. */
export const LONE_SURROGATE = /[\ud800-\udfff]/u;

// Node copies the whole text for each segment of it, which takes gigabytes for a hundred thousand letters: it is cut in pieces.
const PIECE = 500;

type Granularity = 'word' | 'grapheme';

/** Making a segmenter takes several milliseconds, and few commands need one: it is made with its first use. */
const segmenters: Partial<Record<Granularity, Intl.Segmenter>> = {};

function segmenterFor(granularity: Granularity): Intl.Segmenter {
  segmenters[granularity] ??= new Intl.Segmenter('en', { granularity });
  return segmenters[granularity];
}

/** Yields words, or characters as people see them. A segment longer than a piece, such as a letter with hundreds of marks, is cut. */
export function* segmentsOf(text: string, granularity: Granularity): Generator<string> {
  const segmenter = segmenterFor(granularity);
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    const segments = Array.from(segmenter.segment(text.slice(from, to)), ({ segment }) => segment);
    // The last segment may go on behind the piece.
    if (to < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      yield segment;
      from += segment.length;
    }
  }
}

/** Ends a piece between characters, never between the halves of a surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(text.length, from + PIECE);
  return (text.codePointAt(to - 1) ?? 0) > 0xffff ? to - 1 : to;
}

const MOST_NAMED = 5;
const NAME_CHARACTERS = 40;

/** Cuts a name from a document that is longer than 40 characters. */
export function shortName(name: string): string {
  const characters = [...name.replace(/\s+/g, ' ').trim()];
  return characters.length > NAME_CHARACTERS
    ? `${characters.slice(0, NAME_CHARACTERS).join('')}…`
    : characters.join('');
}

/** Lists the first five names, and says how many more there are. */
export function shortList(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED);
  const others = names.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
