// Maps the fonts that documents name to bundled ones: the kind of font, the scale at which ours looks and runs alike, and the
// height of its lines. So pages break near where they did.
import type { FontFamily } from './faces.ts';

export type Substitute = {
  family: FontFamily;
  /** By which the size is multiplied. */
  scale: number;
  /** Of a line, in sizes as the document asks for. */
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
  const known = knownAs(name.toLowerCase());
  if (known) return known;
  if (MONO.test(name)) return of('mono', 0.96, 1.17);
  return SERIF.test(name) && !/sans/i.test(name) ? of('serif', 0.9, 1.17) : of('sans', 0.94, 1.18);
}

/** `Arial Unicode MS` and `Arial Black` are looked up as `Arial`. */
function knownAs(name: string): Substitute | undefined {
  const words = name.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const known = KNOWN.get(words.slice(0, count).join(' '));
    if (known) return known;
  }
  return undefined;
}
