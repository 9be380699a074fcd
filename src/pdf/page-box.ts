// Defines the size of a page as all files of this folder use it. It must never contain positions or facts of a field.

/**
 * A page as a reader displays it: after /Rotate, with /CropBox cut to /MediaBox, inherited values taken over and
 * UserUnit applied (assumed: A18). `width` and `height` are in points (1/72 inch), rounded to thousandths;
 * `rotation` is the clockwise turn in degrees that has already been applied to them.
 */
export type PageBox = { width: number; height: number; rotation: 0 | 90 | 180 | 270 };

/** A length in points without the noise of 32-bit floats: 595.2760009765625 is meant as 595.276. */
export function roundedPoints(points: number): number {
  return Math.round(points * 1000) / 1000;
}
