// Answers about a page of a sound file without PDFium, or leaves it to PDFium by answering nothing.
import { type Box, isOverlapping } from '../geometry.ts';
import type { CoveredText, CoveringBox } from './covered-text.ts';
import { type DrawnBox, drawnBoxes } from './drawn.ts';
import { findFreeBoxes } from './free-boxes.ts';
import type { FreeBoxes, WantedPlace } from './free-place.ts';
import { occupiedBy } from './occupied.ts';

type Look =
  | { do: 'free'; pageIndex: number; wanted: WantedPlace }
  | { do: 'covered'; pageIndex: number; boxes: readonly CoveringBox[] };

export function lookAtDrawn(bytes: Uint8Array, look: Look): FreeBoxes | CoveredText | undefined {
  const drawn = drawnBoxes(bytes, look.pageIndex);
  if (!drawn) return undefined;
  return look.do === 'free' ? findFreeAmong(drawn, look.wanted) : answerWhenNone(drawn, look.boxes);
}

/** More counts as drawn than is: where no place is found, PDFium may still find one. */
function findFreeAmong(drawn: readonly DrawnBox[], wanted: WantedPlace): FreeBoxes | undefined {
  const boxes = findFreeBoxes(occupiedBy(wanted.page, drawn, wanted.taken), wanted);
  return boxes && { ok: true, boxes };
}

/** Which words lie under a box is known to PDFium alone. */
function answerWhenNone(drawn: readonly DrawnBox[], boxes: readonly Box[]): CoveredText | undefined {
  const isFree = (box: Box) => drawn.every((one) => !one.isText || !isOverlapping(box, one));
  return boxes.every(isFree) ? { ok: true, words: boxes.map(() => []) } : undefined;
}
