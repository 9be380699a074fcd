// Reads the characters of a page with their origins, as PDFium takes them from the content.
import { REMOVAL_LIMITS } from '../limits.ts';
import { type Pdfium, withMemory } from '../render/pdfium.ts';
import { letterOf } from '../text/characters.ts';

/** A character that the content shows, at its origin in the coordinates of the page. `index`: as PDFium counts. */
export type PageCharacter = { index: number; text: string; x: number; y: number };

/** @param text the text page */
export function readCharacters(pdfium: Pdfium, text: number): PageCharacter[] {
  const count = Math.min(pdfium.FPDFText_CountChars(text), REMOVAL_LIMITS.characters);
  return withMemory(pdfium, 16, (pointer) => {
    const characters: PageCharacter[] = [];
    for (let index = 0; index < count; index += 1) {
      if (pdfium.FPDFText_IsGenerated(text, index) === 1) continue;
      if (!pdfium.FPDFText_GetCharOrigin(text, index, pointer, pointer + 8)) continue;
      const [x, y] = [
        pdfium.pdfium.getValue(pointer, 'double'),
        pdfium.pdfium.getValue(pointer + 8, 'double'),
      ];
      characters.push({ index, text: letterOf(pdfium, text, index), x, y });
    }
    return characters;
  });
}
