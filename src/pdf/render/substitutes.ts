// Gives PDFium fonts of ours, and of the system, for those that a document does not bring along. PDFium asks for each font
// by name, weight, slant and character set, and again (always for "Helvetica") when the font it received lacks a character: that is
// when it receives a font of the system. It must never be attached while another document is open.

import { facesFor, fontBytesOf, hasCharacter, type Typeface } from '../fonts/faces.ts';
import { mergedFont } from '../fonts/merged-face.ts';
import { type SystemFace, systemFaceForMost } from '../fonts/system-fonts.ts';
import type { Pdfium } from '../read/pdfium.ts';

export type Substitutes = {
  has(codePoint: number): boolean;
  /** PDFium asks these from now on, until the returned function is called. */
  attach(pdfium: Pdfium): () => void;
  /** The requests from now on are second attempts. */
  pageIsLoaded(): void;
  /** The requests from now on are for our labels, for which PDFium's own fonts suffice. */
  pageIsDrawn(): void;
};

// fpdf_sysfontinfo.h
const VERSION_ASKED_EACH_TIME = 2;
const SYMBOL_CHARSET = 2;
const CHINESE_JAPANESE_KOREAN = [128, 129, 134, 136];
const FIXED_PITCH = 1;
const ROMAN = 16;
const BOLD_FROM = 600;

/** @param characters of the text of the document that PDFium's own fonts lack */
export function substitutesFor(characters: Iterable<number>): Substitutes {
  const ours = facesFor({ family: 'sans' });
  const isOurs = (codePoint: number) => ours.some((face) => hasCharacter(face, codePoint));
  const others = [...characters].filter((codePoint) => !isOurs(codePoint));
  const system = others.length > 0 ? systemFaceForMost(others) : undefined;
  let isLoaded = false;
  let isDrawn = false;
  const choose: Choose = ({ name, weight, isItalic, charset, pitch }) => {
    if (isDrawn || charset === SYMBOL_CHARSET) return undefined;
    const isSecondTry = isLoaded && /^(Helvetica|Arial)$/.test(name);
    if (system && (isSecondTry || CHINESE_JAPANESE_KOREAN.includes(charset))) return systemFont(system);
    return ourFont({ family: familyOf(name, pitch), isBold: weight >= BOLD_FROM, isItalic });
  };
  return {
    has: (codePoint) => isOurs(codePoint) || (system !== undefined && hasCharacter(system, codePoint)),
    pageIsLoaded: () => {
      isLoaded = true;
    },
    pageIsDrawn: () => {
      isDrawn = true;
    },
    attach(pdfium) {
      isLoaded = false;
      isDrawn = false;
      const callbacks = installCallbacks(pdfium);
      callbacks.choose = choose;
      return () => {
        callbacks.choose = undefined;
        callbacks.supplied.length = 0;
      };
    },
  };
}

type FontRequest = { name: string; weight: number; isItalic: boolean; charset: number; pitch: number };
type SuppliedFont = { name: string; bytes: Uint8Array; charset: number };
type Choose = (wanted: FontRequest) => Omit<SuppliedFont, 'charset'> | undefined;

function familyOf(name: string, pitch: number): Typeface['family'] {
  if (pitch & FIXED_PITCH || /courier|mono|consol|typewriter/i.test(name)) return 'mono';
  if (/sans|gothic/i.test(name)) return 'sans';
  return pitch & ROMAN ||
    /times|serif|roman|georgia|garamond|cambria|palatino|bookman|schoolbook|minion/i.test(name)
    ? 'serif'
    : 'sans';
}

const merged = new Map<string, Omit<SuppliedFont, 'charset'>>();

function ourFont(typeface: Typeface): Omit<SuppliedFont, 'charset'> {
  const faces = facesFor(typeface);
  const name = `esign ${faces[0]!.name}`;
  const font = merged.get(name) ?? { name, bytes: mergedFont(faces.map(fontBytesOf), name) };
  merged.set(name, font);
  return font;
}

const systemFont = (face: SystemFace) => ({ name: `system ${face.name}`, bytes: fontBytesOf(face) });

type FontCallbacks = { choose: Choose | undefined; supplied: SuppliedFont[] };
const callbacksByEngine = new WeakMap<Pdfium, FontCallbacks>();

/** Puts our functions where PDFium asks for fonts: once, for that cannot be undone. Without `choose` they know none. */
function installCallbacks(pdfium: Pdfium): FontCallbacks {
  const installed = callbacksByEngine.get(pdfium);
  if (installed) return installed;
  const callbacks: FontCallbacks = { choose: undefined, supplied: [] };
  const { addFunction, setValue, wasmExports } = pdfium.pdfium;
  const functions = functionsOf(pdfium, callbacks);
  const structure = wasmExports.malloc(4 * (functions.length + 1));
  setValue(structure, VERSION_ASKED_EACH_TIME, 'i32');
  for (const [index, [signature, run]] of functions.entries())
    setValue(structure + 4 * (index + 1), addFunction(run, signature), 'i32');
  pdfium.FPDF_SetSystemFontInfo(structure);
  callbacksByEngine.set(pdfium, callbacks);
  return callbacks;
}

type Numbers = (...values: number[]) => number | undefined;

/** The functions are in the order of FPDF_SYSFONTINFO. A handle is the position among the supplied fonts, from 1. */
function functionsOf(pdfium: Pdfium, callbacks: FontCallbacks): [signature: string, run: Numbers][] {
  const { supplied } = callbacks;
  const mapFont: Numbers = (_, weight = 0, italic, charset = 0, pitch = 0, name = 0) => {
    const text = pdfium.pdfium.UTF8ToString(name);
    const font = callbacks.choose?.({ name: text, weight, isItalic: italic !== 0, charset, pitch });
    return font && font.bytes.length > 0 ? supplied.push({ ...font, charset }) : 0;
  };
  const fontData: Numbers = (_, handle = 0, table, buffer = 0, sizeBytes = 0) => {
    const font = supplied[handle - 1];
    // A table of its own is only asked for to find collections, which none of these is.
    if (!font || table !== 0) return 0;
    if (buffer !== 0 && sizeBytes >= font.bytes.length) pdfium.pdfium.HEAPU8.set(font.bytes, buffer);
    return font.bytes.length;
  };
  const faceName: Numbers = (_, handle = 0, buffer = 0, sizeBytes = 0) => {
    const name = Buffer.from(`${supplied[handle - 1]?.name ?? ''}\0`);
    if (buffer !== 0 && sizeBytes >= name.length) pdfium.pdfium.HEAPU8.set(name, buffer);
    return name.length;
  };
  // Each a function of its own: one that is there already would keep the signature it was first given.
  return [
    ['vi', () => undefined], // Release
    ['vii', () => undefined], // EnumFonts
    ['iiiiiiii', mapFont],
    ['iii', () => 0], // GetFont
    ['iiiiii', fontData],
    ['iiiii', faceName],
    ['iii', (_, handle = 0) => supplied[handle - 1]?.charset ?? 0],
    ['vii', () => undefined], // DeleteFont
  ];
}
