// Tells the pictures that are made a page in a moment, by their header.
import { searchable } from './bytes.ts';
import { ENGINE_LIMITS } from './limits.ts';
import { readJpeg } from './read-jpeg.ts';
import { readPngHeader } from './read-png.ts';

export function isSmallImage(bytes: Uint8Array, type: 'png' | 'jpeg'): boolean {
  const file = searchable(bytes);
  const size = type === 'png' ? readPngHeader(file) : readJpeg(file);
  return size !== undefined && size.width * size.height <= ENGINE_LIMITS.inProcessPixels;
}
