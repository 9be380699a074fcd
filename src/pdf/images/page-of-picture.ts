// Computes the size of the page of a picture, and the position of the picture on it. It must never read pixels.

import { DOCUMENT_LIMITS } from '../limits.ts';
import { type PageBox, roundedPoints } from '../page-box.ts';
import type { Density, Orientation, PictureLayout } from './picture.ts';

const POINTS_PER_INCH = 72;
const SCREEN_DENSITY: Density = { x: 96, y: 96 };
// A4 in whole points, upright; a wide picture may lie on its side.
const MOST = { short: 595, long: 842 };
const LEAST_POINTS = 1;

/** Returns the density if a scanner, camera or screen could have it, otherwise undefined: then the file states it by mistake. */
export function plausible(density: Density): Density | undefined {
  const { densityMin, densityMax, densityRatio } = DOCUMENT_LIMITS;
  const least = Math.min(density.x, density.y);
  const most = Math.max(density.x, density.y);
  return least >= densityMin && most <= densityMax && most <= least * densityRatio ? density : undefined;
}

/** A page as large as the picture: at the density it states, else 96 pixels per inch, made smaller to fit A4 but never larger. */
export function pageBoxOf({ width, height, density = SCREEN_DENSITY, orientation }: PictureLayout): PageBox {
  const stored = { x: (width / density.x) * POINTS_PER_INCH, y: (height / density.y) * POINTS_PER_INCH };
  const shown = isOnItsSide(orientation) ? { x: stored.y, y: stored.x } : stored;
  const most = shown.x > shown.y ? { x: MOST.long, y: MOST.short } : { x: MOST.short, y: MOST.long };
  const scale = Math.min(1, most.x / shown.x, most.y / shown.y);
  return {
    width: roundedPoints(Math.max(LEAST_POINTS, shown.x * scale)),
    height: roundedPoints(Math.max(LEAST_POINTS, shown.y * scale)),
    rotation: 0,
  };
}

/** How many pixels of the stored picture its page needs: the picture's own, unless they are far more. */
export function neededSize(layout: PictureLayout): { width: number; height: number } {
  const page = pageBoxOf(layout);
  const [across, down] = isOnItsSide(layout.orientation)
    ? [page.height, page.width]
    : [page.width, page.height];
  return { width: needed(layout.width, across), height: needed(layout.height, down) };
}

function needed(pixels: number, points: number): number {
  const enough = Math.ceil((points / POINTS_PER_INCH) * DOCUMENT_LIMITS.neededDensity);
  return pixels > enough * DOCUMENT_LIMITS.densityToSpare ? enough : pixels;
}

const isOnItsSide = (orientation: Orientation): boolean => orientation >= 5;

/** The matrix that puts the stored picture upright onto the whole page, for each orientation. */
export function placement(orientation: Orientation, { width: w, height: h }: PageBox): readonly number[] {
  const matrices: Record<Orientation, readonly number[]> = {
    1: [w, 0, 0, h, 0, 0],
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  return matrices[orientation];
}
