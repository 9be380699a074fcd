// Recognises pictures that take only a moment to convert to a page, by their headers.

import { ENGINE_LIMITS } from '../limits.ts';
import { searchable } from '../read/characters.ts';
import { jpegHeaderOf } from './read-jpeg.ts';
import { pngHeaderOf } from './read-png.ts';

/** Other kinds are decoded, which is never done in the process of a command. */
export function isSmallImage(bytes: Uint8Array, type: 'png' | 'jpeg'): boolean {
  const file = searchable(bytes);
  const size = type === 'png' ? pngHeaderOf(file) : jpegHeaderOf(file);
  return size !== undefined && size.width * size.height <= ENGINE_LIMITS.inProcessPixels;
}
