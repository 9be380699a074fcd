// Chooses the fonts that pages and texts are drawn with: those that come with esign (fonts/), and for what they lack those of the
// system. Everything is read when it is first needed and kept. It must never be imported by what runs at every start.
//
// For callers that draw text:
//   `faceFor({ family: 'serif', isBold: true }, codePoint)`   the face for one character; undefined: no font has it
//   `facesFor({ family: 'sans' })`                            those that come with esign, in the order they are tried
//   `bytesOf(face)`                                           a TrueType or OpenType file, to embed with fontkit
//   `hasCharacter(face, codePoint)`, `coverageOf(face)`       what a face can show
//   `runsOf(text, { family: 'sans' })` in `runs.ts`           a line of text in pieces of one face and direction
// A face is the same object each time: keep embedded fonts of a document in a Map by face.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { once } from '../../common/once.ts';
import { type CodePoints, codePointsOf, covers, readingFrom, tableBytes, tablesOf } from './opentype.ts';
import {
  bytesOfSystem,
  coverageOfSystem,
  fontFolder,
  hasFonts,
  type SystemFace,
  systemFaceWith,
} from './system-fonts.ts';

/** `handwriting` and `script` are for typed signatures: an informal hand, and a formal one. */
export type Typeface = { family: FontFamily; isBold?: boolean; isItalic?: boolean };
export type FontFamily = 'sans' | 'serif' | 'mono' | 'handwriting' | 'script';

export type Face = BundledFace | SystemFace;
export type BundledFace = { readonly name: string; readonly path: string };

type Style = 'regular' | 'bold' | 'italic' | 'bold-italic';

const folder = once(() => {
  // Beside dist/ in what is installed, and three rooms up from here in the sources.
  const places = ['../fonts/', '../../../fonts/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const match = places.find((place) => existsSync(`${place}sans-regular.ttf`));
  if (!match) throw new Error('The fonts of esign are not where they were installed.');
  return match;
});

const bundled = new Map<string, BundledFace>();

function bundledFace(name: string): BundledFace {
  const face = bundled.get(name) ?? { name, path: `${folder()}${name}.ttf` };
  bundled.set(name, face);
  return face;
}

const facesByTypeface = new Map<string, readonly BundledFace[]>();

/** A face that lacks a character is followed by the next one: scripts first, then signs. Each character of a text asks for them. */
export function facesFor(typeface: Typeface): readonly BundledFace[] {
  const { family, isBold = false, isItalic = false } = typeface;
  const key = `${family} ${isBold} ${isItalic}`;
  const faces = facesByTypeface.get(key) ?? listFaces(family, isBold, isItalic);
  facesByTypeface.set(key, faces);
  return faces;
}

function listFaces(family: FontFamily, isBold: boolean, isItalic: boolean): BundledFace[] {
  const weight = isBold ? 'bold' : 'regular';
  const style: Style = isItalic ? (isBold ? 'bold-italic' : 'italic') : weight;
  const first: Record<FontFamily, string[]> = {
    sans: [`sans-${style}`],
    serif: [`serif-${style}`],
    mono: [`mono-${weight}`, `sans-${style}`],
    handwriting: ['caveat-regular', `sans-${style}`],
    script: ['great-vibes-regular', `sans-${style}`],
  };
  const scripts = ['arabic', 'hebrew', 'devanagari'].map((script) => `${script}-${weight}`);
  return [...first[family], ...scripts, 'math-regular', 'symbols-regular'].map(bundledFace);
}

/** Returns the first face that has the character; where none of ours does, one of the system. Undefined means that it cannot be shown. */
export function faceFor(typeface: Typeface, codePoint: number): Face | undefined {
  return (
    facesFor(typeface).find((face) => hasCharacter(face, codePoint)) ??
    systemFaceWith(codePoint, { isBold: typeface.isBold === true, isSerif: typeface.family === 'serif' })
  );
}

/** Returns the folder that is named for fonts, and whether it has some; undefined where none is named. */
export function namedFolder(): { path: string; hasFonts: boolean } | undefined {
  const path = fontFolder();
  return path === undefined ? undefined : { path, hasFonts: hasFonts(path) };
}

export const hasCharacter = (face: Face, codePoint: number): boolean =>
  covers(charactersOfFace(face), codePoint);

const coverages = new Map<Face, CodePoints>();

function charactersOfFace(face: Face): CodePoints {
  if ('offset' in face) return coverageOfSystem(face);
  const cached = coverages.get(face);
  if (cached) return cached;
  const read = readingFrom(fontBytesOf(face));
  const coverage = codePointsOf(tableBytes(read, tablesOf(read, 0), 'cmap'));
  coverages.set(face, coverage);
  return coverage;
}

const files = new Map<Face, Uint8Array>();

/** Returns a font file with this face alone, also where it is one of a collection. Ours are kept, for they are small. */
export function fontBytesOf(face: Face): Uint8Array {
  if ('offset' in face) return bytesOfSystem(face);
  const cached = files.get(face);
  if (cached) return cached;
  const bytes = readFileSync(face.path);
  files.set(face, bytes);
  return bytes;
}

type Substitute = {
  family: FontFamily;
  /** The size is multiplied by it. */
  scale: number;
  /** A document asks for the height of a line in sizes of its text. */
  lineHeight: number;
};

const of = (family: FontFamily, scale: number, lineHeight: number): Substitute => ({
  family,
  scale,
  lineHeight,
});

// Scales make a lower-case alphabet as long as in the font that is named.
const CALIBRI = of('sans', 0.88, 1.22);
const ARIAL = of('sans', 0.94, 1.15);
const TIMES = of('serif', 0.86, 1.15);
const CAMBRIA = of('serif', 0.92, 1.17);
const KNOWN = new Map<string, Substitute>(
  Object.entries({
    calibri: CALIBRI,
    'calibri light': CALIBRI,
    carlito: CALIBRI,
    aptos: of('sans', 0.95, 1.28),
    arial: ARIAL,
    helvetica: ARIAL,
    'liberation sans': ARIAL,
    'arial narrow': of('sans', 0.77, 1.15),
    verdana: of('sans', 1.04, 1.22),
    tahoma: of('sans', 0.95, 1.21),
    'segoe ui': of('sans', 0.96, 1.33),
    'open sans': of('sans', 0.99, 1.36),
    'noto sans': of('sans', 1, 1.36),
    'trebuchet ms': of('sans', 0.94, 1.16),
    'century gothic': of('sans', 0.97, 1.23),
    'times new roman': TIMES,
    times: TIMES,
    'liberation serif': TIMES,
    cambria: CAMBRIA,
    caladea: CAMBRIA,
    georgia: of('serif', 0.95, 1.14),
    garamond: of('serif', 0.81, 1.12),
    'book antiqua': of('serif', 0.93, 1.25),
    'palatino linotype': of('serif', 0.93, 1.35),
    'noto serif': of('serif', 1, 1.36),
    'courier new': of('mono', 1, 1.13),
    courier: of('mono', 1, 1.13),
    'liberation mono': of('mono', 1, 1.13),
    consolas: of('mono', 0.92, 1.17),
  }),
);
const SERIF =
  /serif|roman|times|garamond|book|palatino|baskerville|caslon|bodoni|century(?! gothic)|minion|mincho|song|ming/i;
const MONO = /mono(?!type)|courier|consol|typewriter|\bcode\b/i;

export function substituteOf(name: string): Substitute {
  const substitute = knownAs(name.toLowerCase());
  if (substitute) return substitute;
  if (MONO.test(name)) return of('mono', 0.96, 1.17);
  return SERIF.test(name) && !/sans/i.test(name) ? of('serif', 0.9, 1.17) : of('sans', 0.94, 1.18);
}

/** `Arial Unicode MS` and `Arial Black` are looked up as `Arial`. */
function knownAs(name: string): Substitute | undefined {
  const words = name.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const substitute = KNOWN.get(words.slice(0, count).join(' '));
    if (substitute) return substitute;
  }
  return undefined;
}
