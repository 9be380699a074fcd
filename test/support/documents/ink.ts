// Compares a drawn area with the expected drawing: both are cropped to their ink, scaled to one size, and laid over one another.

import { readFile } from 'node:fs/promises';
import { PDFDocument, rgb } from '@cantoo/pdf-lib';
import * as fontkit from 'fontkit';
import { readText, type TextRun } from '../../../src/pdf/text/text-layer.ts';
import { type Picture, readPixels, shown } from './pixels.ts';

/** How dark each cell of a grid over the ink is, from 0 to 1, and how wide the ink is for its height. */
export type Ink = { cells: number[]; ratio: number };

type PixelBox = { left: number; top: number; right: number; bottom: number };

const COLUMNS = 24;
const ROWS = 8;
const IS_INK = 0.3;

/** @throws Error where nothing is drawn */
export function inkIn(picture: Picture, within: PixelBox = wholeOf(picture)): Ink {
  const box = cropToInk(picture, within);
  const cells: number[] = [];
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  for (let row = 0; row < ROWS; row += 1)
    for (let column = 0; column < COLUMNS; column += 1)
      cells.push(
        meanDarkness(picture, {
          left: box.left + Math.floor((column * width) / COLUMNS),
          right: box.left + Math.max(Math.ceil(((column + 1) * width) / COLUMNS), 1),
          top: box.top + Math.floor((row * height) / ROWS),
          bottom: box.top + Math.max(Math.ceil(((row + 1) * height) / ROWS), 1),
        }),
      );
  return { cells, ratio: width / height };
}

/** From 0, the same, to 1, nothing in common. */
export function inkDifference(one: Ink, other: Ink): number {
  const ratio = Math.max(one.ratio, other.ratio) / Math.min(one.ratio, other.ratio);
  if (ratio > 1.25) return 1;
  let [apart, together] = [0, 0];
  for (const [index, cell] of one.cells.entries()) {
    apart += Math.abs(cell - other.cells[index]!);
    together += Math.max(cell, other.cells[index]!);
  }
  return apart / together;
}

const wholeOf = ({ width, height }: Picture): PixelBox => ({ left: 0, top: 0, right: width, bottom: height });

function cropToInk(picture: Picture, { left, top, right, bottom }: PixelBox): PixelBox {
  const found = { left: right, top: bottom, right: left, bottom: top };
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      if (darkness(picture, x, y) < IS_INK) continue;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x + 1);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y + 1);
    }
  if (found.left >= found.right) throw new Error('Nothing is drawn there.');
  return found;
}

function meanDarkness(picture: Picture, { left, top, right, bottom }: PixelBox): number {
  let sum = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += darkness(picture, x, y);
  return sum / ((right - left) * (bottom - top));
}

/** On white paper. */
function darkness({ width, rgba }: Picture, x: number, y: number): number {
  const at = (y * width + x) * 4;
  const least = Math.min(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!);
  return ((255 - least) / 255) * (rgba[at + 3]! / 255);
}

export const inkOfPng = (png: Uint8Array): Ink => inkIn(readPixels(png));

const FONTS = { handwriting: 'caveat-regular', script: 'great-vibes-regular' };

/** The outlines of the characters in a face, one after the other, as its font defines them. It uses no code of ours. */
export async function inkOfText(text: string, face: keyof typeof FONTS): Promise<Ink> {
  const font = fontkit.create(
    await readFile(new URL(`../../../fonts/${FONTS[face]}.ttf`, import.meta.url)),
  ) as fontkit.Font;
  const document = await PDFDocument.create();
  const page = document.addPage([600, 120]);
  const scale = SIZE / font.unitsPerEm;
  let x = 40;
  for (const character of text) {
    const glyph = font.glyphForCodePoint(character.codePointAt(0)!);
    page.drawSvgPath(glyph.path.scale(1, -1).toSVG(), { x, y: 60, scale, color: rgb(0, 0, 0) });
    x += glyph.advanceWidth * scale;
  }
  return inkIn(await shown(await document.save(), 0, DPI));
}

const SIZE = 20;

/** The resolution at which a certificate page has fewer pixels than the maximum of `shown`. */
const DPI = 200;

/** Returns the marks on a certificate between `Signature` or `Initials` and the word for how it was adopted, from top to bottom. */
export async function marksOnCertificate(pdf: Uint8Array, pageIndex: number): Promise<ShownMark[]> {
  const read = await readText(pdf, pageIndex);
  if (!read.ok) throw new Error('The page has no text.');
  const picture = await shown(pdf, pageIndex, DPI);
  const labels = read.runs.filter(({ text }) => /^(Signature|Initials)$/.test(text.trim()));
  return labels.flatMap((label): ShownMark[] => {
    const kind = read.runs.find((run) => isBeside(label, run) && KIND.test(run.text.trim()));
    if (!kind) return [];
    const middle = label.y + label.height / 2;
    const pixels = (points: number) => Math.round((points * DPI) / 72);
    const box = {
      left: pixels(label.x + label.width + 4),
      right: pixels(kind.x - 4),
      top: pixels(middle - HALF_HEIGHT),
      bottom: pixels(middle + HALF_HEIGHT),
    };
    return [{ mark: label.text.trim(), kind: kind.text.trim(), ink: inkIn(picture, box) }];
  });
}

export type ShownMark = { mark: string; kind: string; ink: Ink };

const KIND = /^(Typed|Drawn|Uploaded as an image)$/;
/** A little more than half of the maximum height of a signature. */
const HALF_HEIGHT = 17;

const isBeside = (label: TextRun, run: TextRun): boolean =>
  run.x > label.x + label.width && Math.abs(run.y + run.height / 2 - label.y - label.height / 2) < 4;
