// Reads the text of a page with its positions, so that it can be selected and read aloud over a picture of the page. It must never
// return text that the page does not show, or more than the limits allow. The text is as hostile as the document.
import {
  type Box,
  boxOfRect,
  displayedPage,
  fromUserSpace,
  isTouching,
  type Point,
  transformed,
} from './geometry.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { type OpenPage, withPage } from './open-page.ts';
import { type Pdfium, withDocument, withMemory } from './pdfium.ts';
import type { TooComplex } from './too-complex.ts';
import { userUnitsOf } from './user-unit.ts';

/**
 * A piece of a line. `x` and `y` are where its top left corner is for who reads it upright, in displayed points; `width`
 * goes along the text, `height` across it. `angle` is how far it is turned clockwise about that corner, in degrees; absent
 * for upright text. A run that ends with a space continues in the next.
 */
export type TextRun = Box & { text: string; angle?: number };

/** In reading order. `isCut`: the page has more text than this. */
export type PageText = { runs: TextRun[]; isCut: boolean };

export type TextRead = ({ ok: true } & PageText) | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function readText(bytes: Uint8Array, pageIndex: number): Promise<TextRead> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => textOf(pdfium, page));
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function textOf(pdfium: Pdfium, open: OpenPage): PageText {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return { runs: [], isCut: false };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const most = Math.min(count, DOCUMENT_LIMITS.textCharacters);
    const runs = createRuns();
    withMemory(pdfium, MEMORY_BYTES, (pointer) => {
      const read = characterReader(pdfium, text, open, pointer);
      for (let index = 0; index < most && !runs.isFull(); index += 1) runs.add(read(index));
    });
    return { runs: runs.all(), isCut: count > most || runs.isFull() };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

// ── one character ───────────────────────────────────────────────────────────────────────────────────────────────

/** Where a character is, seen along its line: `from` to `to` along it, `top` to `bottom` across it. */
type CharacterBox = { angle: number; from: number; to: number; top: number; bottom: number };

/** `place` is absent for what PDFium put in between, such as the space between two words that are far apart. */
type Character = { text: string; place?: CharacterBox };

const MEMORY_BYTES = 32;
const FULL_TURN = 360;

function characterReader(pdfium: Pdfium, text: number, { geometry }: OpenPage, pointer: number) {
  const matrix = fromUserSpace(geometry);
  const page = displayedPage(geometry);
  const number = (position: number, type: 'float' | 'double') =>
    pdfium.pdfium.getValue(pointer + position, type);
  return (index: number): Character | 'hidden' => {
    const letter = letterOf(pdfium, text, index);
    if (letter === '\n' || pdfium.FPDFText_IsGenerated(text, index) === 1) return { text: letter };
    if (!pdfium.FPDFText_GetLooseCharBox(text, index, pointer)) return { text: letter };
    // FS_RECTF: left, top, right, bottom.
    const rect = {
      left: number(0, 'float'),
      top: number(4, 'float'),
      right: number(8, 'float'),
      bottom: number(12, 'float'),
    };
    const box = boxOfRect(geometry, rect);
    if (!isTouching(box, page)) return 'hidden';
    pdfium.FPDFText_GetCharOrigin(text, index, pointer, pointer + 8);
    const origin = transformed(matrix, { x: number(0, 'double'), y: number(8, 'double') });
    const turned = (pdfium.FPDFText_GetCharAngle(text, index) * 180) / Math.PI + page.rotation;
    const place = placeOf(box, origin, (Math.round(turned * 10) / 10) % FULL_TURN);
    return place ? { text: letter, place } : { text: letter };
  };
}

const UNSPEAKABLE = /[\p{Cc}\p{Cs}\p{Co}\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;

/** What a character is read as: nothing for one that cannot be shown, or would reorder what is read. */
export function letterOf(pdfium: Pdfium, text: number, index: number): string {
  if (pdfium.FPDFText_IsHyphen(text, index) === 1) return '-';
  const code = pdfium.FPDFText_GetUnicode(text, index);
  if (code === 0x0a) return '\n';
  if (code === 0x09 || code === 0xa0) return ' ';
  if (code > 0x10ffff) return '';
  const letter = isHighHalf(code)
    ? String.fromCharCode(code, pdfium.FPDFText_GetUnicode(text, index + 1))
    : String.fromCodePoint(code);
  return UNSPEAKABLE.test(letter) ? '' : letter;
}

/** Emoji and rare scripts come as two characters; what the first does not take along of the second is dropped. */
const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * A character that is turned is known by the upright box around it: its width is twice the way from its origin to the
 * middle, and its height follows from the side of the box that tells more of it.
 */
function placeOf(box: Box, origin: Point, angle: number): CharacterBox | undefined {
  const { cos, sin } = turn(angle);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const from = along(origin, angle);
  const to = 2 * along(middle, angle) - from;
  const width = Math.abs(to - from);
  const height =
    Math.abs(cos) >= Math.abs(sin)
      ? (box.height - width * Math.abs(sin)) / Math.abs(cos)
      : (box.width - width * Math.abs(cos)) / Math.abs(sin);
  if (!(height > 0 && Number.isFinite(height) && Number.isFinite(width))) return undefined;
  const centre = across(middle, angle);
  return {
    angle,
    from: Math.min(from, to),
    to: Math.max(from, to),
    top: centre - height / 2,
    bottom: centre + height / 2,
  };
}

const turn = (angle: number) => {
  const radians = (angle * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
};

/** How far along, and how far across, a line through the corner of the page that is turned by `angle`. */
const along = ({ x, y }: Point, angle: number): number => x * turn(angle).cos + y * turn(angle).sin;
const across = ({ x, y }: Point, angle: number): number => y * turn(angle).cos - x * turn(angle).sin;

// ── characters to runs ──────────────────────────────────────────────────────────────────────────────────────────

/** Times the height of a line: a wider gap is one between columns. */
const GAP = 1.2;
/** How much of two characters on one line is beside each other. */
const BESIDE = 0.4;

function createRuns() {
  const runs: TextRun[] = [];
  let text = '';
  let place: CharacterBox | undefined;

  function end(continues: boolean): void {
    if (place && text.trim() !== '') runs.push(runOf(`${text.trimEnd()}${continues ? ' ' : ''}`, place));
    text = '';
    place = undefined;
  }

  return {
    add(character: Character | 'hidden'): void {
      if (character === 'hidden' || character.text === '\n') {
        end(false);
        return;
      }
      if (!character.place) {
        if (place) text += character.text;
        return;
      }
      if (place && !isSameRun(place, character.place)) end(isSameLine(place, character.place));
      place = place ? around(place, character.place) : character.place;
      text += character.text;
    },
    isFull: () => runs.length >= DOCUMENT_LIMITS.textRuns,
    all(): TextRun[] {
      end(false);
      return runs;
    },
  };
}

function isSameLine(one: CharacterBox, other: CharacterBox): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const smaller = Math.min(one.bottom - one.top, other.bottom - other.top);
  return one.angle === other.angle && shared >= smaller * BESIDE;
}

function isSameRun(run: CharacterBox, next: CharacterBox): boolean {
  const gap = Math.max(run.from - next.to, next.from - run.to);
  return isSameLine(run, next) && gap <= (run.bottom - run.top) * GAP;
}

const around = (one: CharacterBox, other: CharacterBox): CharacterBox => ({
  angle: one.angle,
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
  top: Math.min(one.top, other.top),
  bottom: Math.max(one.bottom, other.bottom),
});

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
