// The names of sealed documents: those of the files that were sent, as PDFs, and no two of a transaction the same.
import { distinctNames } from '../../api/contract/distinct-names.ts';
import { LIMITS } from '../../api/contract/limits.ts';

const ENDING = '.sealed.pdf';

/** @param originals the names of the files that were sent, in the order of their documents */
export const sealedNames = (originals: readonly string[]): string[] =>
  distinctNames(originals.map(withoutEnding), (name, number) => shortened(name, `-${number}`)).map(
    (name) => `${name}${ENDING}`,
  );

const withoutEnding = (original: string): string =>
  shortened(original.replace(/\.(pdf|docx|png|jpe?g|webp|gif|tiff?|bmp)$/i, ''), '');

/** Cut before the end, so that name and ending are not too long. */
const shortened = (name: string, end: string): string =>
  [...name].slice(0, LIMITS.fileNameLength - ENDING.length - end.length).join('') + end;
