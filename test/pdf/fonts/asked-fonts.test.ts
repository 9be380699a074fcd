// Which font PDFium is given for what it asks: by its name, weight, slant, character set and pitch.
import { expect, test } from 'vitest';
import type { Pdfium } from '../../../src/pdf/read/pdfium.ts';
import { substitutesFor } from '../../../src/pdf/render/substitutes.ts';

const [ANSI, SYMBOL, SHIFT_JIS, RUSSIAN] = [0, 2, 128, 204];
const [FIXED, ROMAN] = [1, 16];

/** PDFium's side of the functions it asks by: names lie at the number of their place in a list. */
function asking(characters: number[]) {
  const functions: ((...values: number[]) => number)[] = [];
  const names: string[] = [];
  const memory = new Uint8Array(100);
  const pdfium = {
    pdfium: {
      HEAPU8: memory,
      addFunction: (run: (...values: number[]) => number) => functions.push(run),
      setValue: () => undefined,
      UTF8ToString: (pointer: number) => names[pointer],
      wasmExports: { malloc: () => 1 },
    },
    FPDF_SetSystemFontInfo: () => undefined,
  } as unknown as Pdfium;
  const substitutes = substitutesFor(characters);
  const detach = substitutes.attach(pdfium);
  const [, , mapFont, , , faceName] = functions as [
    never,
    never,
    (...values: number[]) => number,
    never,
    never,
    (...values: number[]) => number,
  ];
  const choose = (name: string, weight = 400, isItalic = 0, charset = ANSI, pitch = 0) => {
    const handle = mapFont(0, weight, isItalic, charset, pitch, names.push(name) - 1, 0);
    if (handle === 0) return undefined;
    const length = faceName(0, handle, 1, 99);
    return Buffer.from(memory.subarray(1, length)).toString().replace('esign ', '');
  };
  return { choose, detach, substitutes };
}

test.each<[string, Parameters<ReturnType<typeof asking>['choose']>]>([
  ['sans-regular', ['Helvetica']],
  ['sans-bold', ['Helvetica-Bold', 700]],
  ['sans-italic', ['Verdana', 400, 1]],
  ['sans-bold-italic', ['Calibri', 600, 1]],
  ['sans-regular', ['Calibri', 500, 0, RUSSIAN]],
  ['serif-regular', ['Times-Roman', 400, 0, ANSI, ROMAN]],
  ['serif-bold', ['Georgia', 700]],
  ['serif-bold-italic', ['Unknown', 700, 1, ANSI, ROMAN]],
  ['sans-regular', ['MS Sans Serif', 400, 0, ANSI, ROMAN]],
  ['mono-regular', ['Courier', 400, 0, ANSI, FIXED]],
  ['mono-bold', ['Consolas', 700, 1]],
  ['sans-regular', ['MS-Gothic', 400, 0, SHIFT_JIS]],
])('%s for %s', (name, requests) => {
  expect(asking([0x416]).choose(...requests)).toBe(name);
});

test('signs are left to PDFium, which has fonts of its own for them', () => {
  expect(asking([0x416]).choose('Symbol', 400, 0, SYMBOL)).toBeUndefined();
});

test('afterwards nothing is given any more', () => {
  const { choose, detach } = asking([0x416]);
  detach();
  expect(choose('Helvetica')).toBeUndefined();
});
