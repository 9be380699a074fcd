// Counts the scans of a JPEG. It must never decode it.
import { DOCUMENT_LIMITS } from '../limits.ts';

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** Whether the JPEG has more scans, each of which makes a reader process the whole picture, than any program writes. */
export function hasEndlessScans(jpeg: Buffer): boolean {
  let scans = 0;
  // In the data of a scan a byte 255 is always followed by a zero or a restart marker.
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1; at = jpeg.indexOf(START_OF_SCAN, at + 2)) {
    scans += 1;
    if (scans > DOCUMENT_LIMITS.jpegScans) return true;
  }
  return false;
}
