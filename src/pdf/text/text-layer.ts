// Reads the text of a page with its positions, so that it can be selected and read aloud over a picture of the page. It must never
// return text that the page does not show, or more than the limits allow. The text is as hostile as the document.
import type { Box } from '../geometry.ts';

import { DOCUMENT_LIMITS, type TooComplex } from '../limits.ts';
import { type OpenPage, userUnitsOf, withPage } from '../read/open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../read/pdfium.ts';
import { type Character, type CharacterBox, characterReader, MEMORY_BYTES, turn } from './characters.ts';
import { around, columnsInReadingOrder, isMixedLine, isSameLine, isSameRun, type LineItem } from './lines.ts';

/**
 * `x` and `y` are where its top left corner is for who reads it upright, in displayed points; `width` goes along the text, `height` across
 * it. `angle` is how far it is turned clockwise about that corner, in degrees; absent for upright text. A run that ends with a space
 * continues in the next.
 */
export type TextRun = Box & { text: string; angle?: number };

/** Runs are in reading order. `isCut` says that the page has more text than this. */
export type PageText = { runs: TextRun[]; isCut: boolean };

/**
 * `drawn` is the text in the order in which it is drawn, where text over other text stays in one piece. `inBoxes` has the part of it that
 * lies in each box that was asked for.
 */
export type DrawnText = PageText & { drawn: string; inBoxes: string[] };

export type TextRead = ({ ok: true } & DrawnText) | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function readText(
  bytes: Uint8Array,
  pageIndex: number,
  boxes: readonly Box[] = [],
): Promise<TextRead> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => textOf(pdfium, page, boxes));
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function textOf(pdfium: Pdfium, open: OpenPage, boxes: readonly Box[]): DrawnText {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return { runs: [], isCut: false, drawn: '', inBoxes: boxes.map(() => '') };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const most = Math.min(count, DOCUMENT_LIMITS.textCharacters);
    const runs = createRuns();
    let drawn = '';
    const inBoxes = boxes.map(() => '');
    withMemory(pdfium, MEMORY_BYTES, (pointer) => {
      const read = characterReader(pdfium, text, open, pointer);
      for (let index = 0; index < most && !runs.isFull(); index += 1) {
        const character = read(index);
        runs.add(character);
        if (character === 'hidden') continue;
        drawn += character.text;
        const { text: letter, place } = character;
        if (!place) continue;
        for (const [at, box] of boxes.entries()) if (isMiddleIn(place, box)) inBoxes[at] += letter;
      }
    });
    return { runs: runs.all(), isCut: count > most || runs.isFull(), drawn, inBoxes };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** Text that is written to the edge of a box may reach a little beyond it. */
const AROUND_BOX = 1;

function isMiddleIn({ angle, from, to, top, bottom }: CharacterBox, box: Box): boolean {
  const { cos, sin } = turn(angle);
  const [along, across] = [(from + to) / 2, (top + bottom) / 2];
  const [x, y] = [along * cos - across * sin, along * sin + across * cos];
  return (
    x >= box.x - AROUND_BOX &&
    x <= box.x + box.width + AROUND_BOX &&
    y >= box.y - AROUND_BOX &&
    y <= box.y + box.height + AROUND_BOX
  );
}

// ── characters to runs ──────────────────────────────────────────────────────────────────────────────────────────

function createRuns() {
  const runs: TextRun[] = [];
  let line: LineItem[] = [];
  let run: CharacterBox | undefined;

  function endLine(): void {
    runs.push(...((isMixedLine(line) && runsOfMixedLine(line)) || runsAsReturned(line)));
    line = [];
  }

  return {
    add(character: Character | 'hidden'): void {
      if (character === 'hidden' || character.text === '\n') {
        line.push('end');
        return;
      }
      const { place } = character;
      if (place && run && !isSameLine(run, place)) endLine();
      if (place) run = run && isSameRun(run, place) ? around(run, place) : place;
      line.push(character);
    },
    isFull: () => runs.length >= DOCUMENT_LIMITS.textRuns,
    all(): TextRun[] {
      endLine();
      return runs.slice(0, DOCUMENT_LIMITS.textRuns);
    },
  };
}

/** Makes the runs of a line in the order in which PDFium returns it: that of reading, where all of it runs from left to right. */
function runsAsReturned(line: readonly LineItem[]): TextRun[] {
  const runs: TextRun[] = [];
  let text = '';
  let place: CharacterBox | undefined;

  function end(continues: boolean): void {
    if (place && text.trim() !== '') runs.push(runOf(`${text.trimEnd()}${continues ? ' ' : ''}`, place));
    text = '';
    place = undefined;
  }

  for (const item of line) {
    if (item === 'end') end(false);
    else if (!item.place) text += place ? item.text : '';
    else {
      if (place && !isSameRun(place, item.place)) end(isSameLine(place, item.place));
      place = place ? around(place, item.place) : item.place;
      text += item.text;
    }
  }
  end(false);
  return runs;
}

/** Makes the runs of a line with letters that run from right to left: one for each column. */
function runsOfMixedLine(line: readonly LineItem[]): TextRun[] | undefined {
  return columnsInReadingOrder(line)?.map((column, index, { length }) => {
    const text = column
      .map((glyph) => glyph.text)
      .join('')
      .trim();
    return runOf(`${text}${index < length - 1 ? ' ' : ''}`, column.reduce<CharacterBox>(around, column[0]!));
  });
}

function runOf(text: string, { angle, from, to, top, bottom }: CharacterBox): TextRun {
  const { cos, sin } = turn(angle);
  return {
    text,
    x: hundredths(from * cos - top * sin),
    y: hundredths(from * sin + top * cos),
    width: hundredths(to - from),
    height: hundredths(bottom - top),
    ...(angle !== 0 && { angle }),
  };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;
