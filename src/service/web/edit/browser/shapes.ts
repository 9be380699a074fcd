// Draws the shape of a recipient, which tells recipients apart where colors do not.
import { drawing } from './elements.ts';

/** In a square from 0 to 10. */
const PATHS = [
  'M5 0.5A4.5 4.5 0 1 1 4.99 0.5Z',
  'M1 1H9V9H1Z',
  'M5 0.5L9.5 9H0.5Z',
  'M5 0L10 5L5 10L0 5Z',
  'M3.5 0.5H6.5V3.5H9.5V6.5H6.5V9.5H3.5V6.5H0.5V3.5H3.5Z',
  'M5 0L6.5 3.4L10 3.8L7.4 6.2L8.1 9.8L5 8L1.9 9.8L2.6 6.2L0 3.8L3.5 3.4Z',
];

export const shapePath = (index: number): string => PATHS[index % PATHS.length]!;

export const shapeIcon = (index: number, color: string): SVGSVGElement =>
  drawing(
    'svg',
    { viewBox: '0 0 10 10', width: 12, height: 12, class: 'shape', 'aria-hidden': 'true' },
    drawing('path', { d: shapePath(index), fill: color }),
  );
