// Reads the two things of EXIF that decide how a photograph lies on a page: its orientation and its density.
// It must never trust an offset, and never read anything that says where or by whom the picture was taken.

import { DOCUMENT_LIMITS } from './limits.ts';

/** Where row 0 and column 0 of the stored picture belong (TIFF 6.0, tag 274). 1 is upright; 6 is a phone held upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels per inch in each direction. */
export type Density = { x: number; y: number };

export type Exif = { orientation: Orientation; density: Density | undefined };

const TAG = { orientation: 0x0112, densityX: 0x011a, densityY: 0x011b, densityUnit: 0x0128 };
const SHORT = 3;
const RATIONAL = 5;
const CM_PER_INCH = 2.54;

/** Reads a TIFF block, the content of a JPEG's APP1 segment after `Exif\0\0`. Whatever is damaged counts as absent. */
export function readExif(tiff: Buffer): Exif {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number) =>
    at + 2 <= tiff.length ? (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0;
  const u32 = (at: number) =>
    at + 4 <= tiff.length ? (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)) : 0;
  const directory = u32(4);
  const values = new Map<number, number>();
  for (let index = 0; index < u16(directory); index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) break;
    const type = u16(entry + 2);
    if (type === SHORT) values.set(u16(entry), u16(entry + 8));
    if (type === RATIONAL) values.set(u16(entry), u32(u32(entry + 8)) / u32(u32(entry + 8) + 4));
  }
  const orientation = values.get(TAG.orientation) ?? 1;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? (orientation as Orientation) : 1,
    density: densityOf(values),
  };
}

function densityOf(values: Map<number, number>): Density | undefined {
  const perInch = values.get(TAG.densityUnit) === 3 ? CM_PER_INCH : 1;
  const x = values.get(TAG.densityX);
  if (x === undefined) return undefined;
  return plausible({ x: x * perInch, y: (values.get(TAG.densityY) ?? x) * perInch });
}

/** The density, unless it is one no scanner, camera or screen has: then it was not meant. */
export function plausible(density: Density): Density | undefined {
  const { densityMin, densityMax, densityRatio } = DOCUMENT_LIMITS;
  const least = Math.min(density.x, density.y);
  const most = Math.max(density.x, density.y);
  return least >= densityMin && most <= densityMax && most <= least * densityRatio ? density : undefined;
}
