// Lists the words of pages with their places, as people and scripts need them to find what a field can be put at.
import type { Box } from '../geometry.ts';
import { FIND_LIMITS, type TooComplex } from '../limits.ts';
import { userUnitsOf, withPage } from '../read/open-page.ts';
import { withDocument } from '../read/pdfium.ts';
import { boxAround, type CharacterBox } from './characters.ts';
import type { PageRange } from './find-words.ts';
import { around, isSameLine } from './lines.ts';
import { type PageLetters, withLetters } from './page-letters.ts';

/** A word, or the part of one that is on a line, is in displayed points. */
export type PlacedWord = Box & { page: number; text: string };

/** Words are in reading order. `isCut` says that there are more than these. */
export type WordsListed = { ok: true; words: PlacedWord[]; isCut: boolean } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function listWords(bytes: Uint8Array, pages: PageRange): Promise<WordsListed> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const words: PlacedWord[] = [];
      let isCut = false;
      for (let page = pages.from; page < pages.to; page += 1)
        withPage(pdfium, document, { pageIndex: page, unit: units(page) }, (open) =>
          withLetters(pdfium, open, (letters) => {
            isCut ||= letters.isCut;
            for (const word of wordsOf(letters)) words.push({ page, ...word });
          }),
        );
      return {
        words: words.slice(0, FIND_LIMITS.wordsOfJob),
        isCut: isCut || words.length > FIND_LIMITS.wordsOfJob,
      };
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function* wordsOf({ letters, placeOf }: PageLetters): Generator<Box & { text: string }> {
  let text = '';
  let place: CharacterBox | undefined;
  for (const [index, letter] of letters.entries()) {
    const isLetter = letter.kind === 'letter' || letter.kind === 'hyphen';
    const at = isLetter ? placeOf(index) : undefined;
    if (place && (!isLetter || (at && !isSameLine(place, at)))) {
      yield wordOf(text, place);
      text = '';
      place = undefined;
    }
    if (!at) continue;
    text += letter.text;
    place = place ? around(place, at) : at;
  }
  if (place) yield wordOf(text, place);
}

function wordOf(text: string, place: CharacterBox): Box & { text: string } {
  const { x, y, width, height } = boxAround(place);
  return { text, x: hundredths(x), y: hundredths(y), width: hundredths(width), height: hundredths(height) };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;
