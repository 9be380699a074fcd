// Skips tests that need a font of this machine that draws a text.

import { covers } from '../../../src/pdf/fonts/opentype.ts';
import { coverageOfSystem, systemFaceForMost } from '../../../src/pdf/fonts/system-fonts.ts';
import { type Need, need } from '../tools.ts';

/** Needs one font that has every character of the text, as a line is drawn with one. */
export const needsSystemFont = (script: string, text: string): Need =>
  need(`no font of this machine has ${script}`, () => {
    const characters = [...text].map((character) => character.codePointAt(0)!);
    const face = systemFaceForMost(characters);
    return face !== undefined && characters.every((one) => covers(coverageOfSystem(face), one));
  });
