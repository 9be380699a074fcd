// Finds the scripts that have no font on this machine, for `esign doctor`: text in them is not displayed, and names become numbers.
import {
  CJK_SCRIPTS,
  listed,
  namesOf,
  OTHER_SCRIPTS,
  packagesFor,
  type ScriptWithoutFont,
} from '../../api/contract/documents.ts';
import { missingAlternatives } from '../../pdf/fonts/alternatives.ts';
import { faceFor, namedFolder } from '../../pdf/fonts/faces.ts';
import { type Finding, passed, warning } from './check.ts';

/** Warns of missing fonts for Chinese, Japanese and Korean. A machine usually lacks some of the others, which is only mentioned. */
export function checkFonts(): Finding {
  const folder = namedFolder();
  if (folder && !folder.hasFonts)
    return warning(
      `ESIGN_FONTS is "${folder.path}", which is not a directory with fonts (.ttf, .ttc, .otf or .otc).`,
      'Correct it, or unset it.',
    );
  const lacking = CJK_SCRIPTS.filter(isLacking);
  const others = OTHER_SCRIPTS.filter(isLacking);
  const all = [...lacking, ...others];
  const without = `There is no font for ${namesOf(all)}.`;
  if (lacking.length === 0)
    return passed(`Text in ${namesOf(CJK_SCRIPTS)} can be displayed.${all.length > 0 ? ` ${without}` : ''}`);
  return warning(
    `${without} Where a document does not embed its fonts, such text is not displayed, and recipients must confirm that before they ` +
      `sign. Certificates show names in it as numbers, such as [${codePointOf(lacking)}].`,
    `Install fonts (Debian: ${packagesFor(all).join(', ')}), or set ESIGN_FONTS to a directory with such fonts.`,
  );
}

const isLacking = ({ sample }: ScriptWithoutFont): boolean =>
  [...sample].some((character) => !faceFor({ family: 'sans' }, character.codePointAt(0)!));

/** Names the first letter of the last script by its code point: a Korean one where Korean is among them. */
const codePointOf = (lacking: readonly ScriptWithoutFont[]): string =>
  `U+${lacking.at(-1)!.sample.codePointAt(0)!.toString(16).toUpperCase()}`;

/** Warns of fonts of Word for which this machine has none of the same width. @param says how documents are converted */
export function checkFontsOfWord(says: string): Finding {
  const missing = missingAlternatives();
  if (missing.length === 0) return passed(says);
  const fonts = missing.map(({ names, alternatives }) => `${names[0]} (${alternatives[0]})`);
  const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))];
  return warning(
    `${says} No font on this machine is as wide as ${listed(fonts)}, so text in it gets other lines and pages than in Word.`,
    `Install fonts of the same width (Debian: ${packages.join(', ')}).`,
  );
}
