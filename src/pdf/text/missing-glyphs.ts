// Tells whether a PDF that LibreOffice made has empty boxes in the place of letters: it draws the first glyph of a font where no font has the
// letter, and says nothing. Its fonts hold only the glyphs that are drawn, so that one which equals the first was drawn for it.
import { readPdf } from '../read/read-pdf.ts';
import { Ref } from '../read/values.ts';

/**
 * Reads TrueType fonts, which most are. What cannot be read lacks nothing, and a first glyph without strokes cannot be told from a blank.
 */
export function lacksGlyphs(pdf: Uint8Array): boolean {
  const file = readPdf(pdf);
  if (!file.ok) return false;
  const { latest } = file;
  for (let number = 1; number <= file.highestNumber; number += 1) {
    const descriptor = latest.dict(new Ref(number, 0));
    if (descriptor?.get('Type') !== 'FontDescriptor') continue;
    const font = latest.data(descriptor.get('FontFile2'));
    if (font && repeatsFirst(glyphsOf(font))) return true;
  }
  return false;
}

function repeatsFirst([first, ...others]: readonly Buffer[]): boolean {
  return first !== undefined && first.length > 0 && others.some((glyph) => glyph.equals(first));
}

const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
const LOCATION_FORMAT_AT = 50;

function glyphsOf(font: Buffer): Buffer[] {
  const [head, locations, glyphs] = ['head', 'loca', 'glyf'].map((tag) => tableOf(font, tag));
  if (!head || !locations || !glyphs || head.length < LOCATION_FORMAT_AT + 2) return [];
  const isLong = head.readUInt16BE(LOCATION_FORMAT_AT) === 1;
  const size = isLong ? 4 : 2;
  const count = Math.floor(locations.length / size);
  const at = (index: number) =>
    isLong ? locations.readUInt32BE(index * size) : locations.readUInt16BE(index * size) * 2;
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    glyphs.subarray(at(index), at(index + 1)),
  );
}

function tableOf(font: Buffer, tag: string): Buffer | undefined {
  const count = font.length < HEADER_BYTES ? 0 : font.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * RECORD_BYTES;
    if (at + RECORD_BYTES > font.length) return undefined;
    if (font.toString('latin1', at, at + 4) !== tag) continue;
    const start = font.readUInt32BE(at + 8);
    return font.subarray(start, start + font.readUInt32BE(at + 12));
  }
  return undefined;
}
