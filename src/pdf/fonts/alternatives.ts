// Lists fonts that are as wide as those of Word, letter by letter: a text in one of them has the same lines. LibreOffice takes them by itself
// where they are installed, and any other font where they are not.
import { shortList, shortName } from '../../common/text.ts';
import type { PdfRemark } from '../remarks.ts';
import { plainName, systemFamilies } from './system-fonts.ts';

/** Documents ask for `names`; any of the `alternatives` is as good. */
export type MetricAlternative = { names: string[]; alternatives: string[]; debianPackage: string };

const LIBERATION = 'fonts-liberation';

const METRIC_ALTERNATIVES: readonly MetricAlternative[] = [
  {
    names: ['Arial', 'Helvetica'],
    alternatives: ['Liberation Sans', 'Arimo', 'Nimbus Sans'],
    debianPackage: LIBERATION,
  },
  {
    names: ['Times New Roman', 'Times'],
    alternatives: ['Liberation Serif', 'Tinos', 'Nimbus Roman'],
    debianPackage: LIBERATION,
  },
  {
    names: ['Courier New', 'Courier'],
    alternatives: ['Liberation Mono', 'Cousine', 'Nimbus Mono PS', 'Nimbus Mono'],
    debianPackage: LIBERATION,
  },
  { names: ['Calibri'], alternatives: ['Carlito'], debianPackage: 'fonts-crosextra-carlito' },
  { names: ['Cambria'], alternatives: ['Caladea'], debianPackage: 'fonts-crosextra-caladea' },
];
/** No package of Debian has it, so `esign doctor` does not ask for it. */
const GEORGIA: Omit<MetricAlternative, 'debianPackage'> = { names: ['Georgia'], alternatives: ['Gelasio'] };

/** Lists the fonts of Word that this machine has neither themselves nor an alternative of. */
export function missingAlternatives(): MetricAlternative[] {
  const installed = systemFamilies();
  return METRIC_ALTERNATIVES.filter(({ names, alternatives }) =>
    [names[0]!, ...alternatives].every((name) => !installed.has(plainName(name))),
  );
}

/** Names fonts of a document with what they were replaced by. `families` are all that it uses. */
export type Replaced = { families: readonly string[]; replaced: readonly string[] };

/** Lists those of the families that LibreOffice replaces by one of another width. */
export function replacedFamilies(families: readonly string[]): Replaced {
  const installed = systemFamilies();
  const replaced = families.filter((family) =>
    [family, ...alternativesOf(family)].every((name) => !installed.has(plainName(name))),
  );
  return { families, replaced };
}

const alternativesOf = (family: string): string[] =>
  [...METRIC_ALTERNATIVES, GEORGIA].find(({ names }) =>
    names.some((name) => plainName(name) === plainName(family)),
  )?.alternatives ?? [];

// LibreOffice writes the objects of fonts as they are; a subset has six letters in front of its name, and its style behind.
const FONT_NAME = /\/BaseFont\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\]()-]+)/g;
const SYMBOLS = /symbol|dingbats/i;

/** Makes the remark on families that LibreOffice has replaced: the fonts of its PDF that no other family of the document stands for. */
export function replacedRemarks({ families, replaced }: Replaced, pdf: Uint8Array): PdfRemark[] {
  if (replaced.length === 0) return [];
  const available = families
    .filter((family) => !replaced.includes(family))
    .flatMap((family) => [family, ...alternativesOf(family)].map(plainName));
  const installed = systemFamilies();
  const drawn = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length).toString('latin1').matchAll(FONT_NAME);
  const others = [...new Set(Array.from(drawn, ([, name]) => name!))]
    .filter((name) => !SYMBOLS.test(name) && !available.includes(plainName(name)))
    .map((name) => installed.get(plainName(name)) ?? name);
  return [{ code: 'fonts_replaced', what: replacedBy(replaced, others) }];
}

/** Writes `Calibri, Cambria by DejaVu Sans`: names come from the document, and are cut where they are long or many. */
export function replacedBy(families: readonly string[], others: readonly string[]): string {
  const named = shortList(families.map(shortName));
  return others.length === 0 ? named : `${named} by ${shortList(others.map(shortName))}`;
}
