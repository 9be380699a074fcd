// The scripts that the fonts of esign lack: their names, how their letters are recognised, and which package of Debian and
// Ubuntu has a font with them. The service and the command line give the same hint.

/**
 * `letters`: a pattern of its letters, compiled when a text is searched, because that takes longer than all else of this file.
 * `sample`: a font that has these characters has the script.
 */
export type ScriptWithoutFont = { name: string; letters: string; sample: string; debianPackage: string };

const CJK = 'fonts-noto-cjk';
const OTHERS = 'fonts-noto-core';

/** The scripts that `esign doctor` warns of, because many names are written in them. One package has fonts for all three. */
export const CJK_SCRIPTS: readonly ScriptWithoutFont[] = [
  { name: 'Chinese', letters: '\\p{sc=Han}|\\p{sc=Bopomofo}', sample: '中国语體', debianPackage: CJK },
  { name: 'Japanese', letters: '\\p{sc=Hiragana}|\\p{sc=Katakana}', sample: '山あア', debianPackage: CJK },
  { name: 'Korean', letters: '\\p{sc=Hangul}', sample: '김값힣', debianPackage: CJK },
];

export const OTHER_SCRIPTS: readonly ScriptWithoutFont[] = [
  { name: 'Armenian', letters: '\\p{sc=Armenian}', sample: 'Ա', debianPackage: OTHERS },
  { name: 'Bengali', letters: '\\p{sc=Bengali}', sample: 'ক', debianPackage: OTHERS },
  { name: 'Ethiopic', letters: '\\p{sc=Ethiopic}', sample: 'አ', debianPackage: OTHERS },
  { name: 'Georgian', letters: '\\p{sc=Georgian}', sample: 'ა', debianPackage: OTHERS },
  { name: 'Gujarati', letters: '\\p{sc=Gujarati}', sample: 'અ', debianPackage: OTHERS },
  { name: 'Gurmukhi', letters: '\\p{sc=Gurmukhi}', sample: 'ਅ', debianPackage: OTHERS },
  { name: 'Kannada', letters: '\\p{sc=Kannada}', sample: 'ಅ', debianPackage: OTHERS },
  { name: 'Khmer', letters: '\\p{sc=Khmer}', sample: 'ក', debianPackage: OTHERS },
  { name: 'Lao', letters: '\\p{sc=Lao}', sample: 'ກ', debianPackage: OTHERS },
  { name: 'Malayalam', letters: '\\p{sc=Malayalam}', sample: 'അ', debianPackage: OTHERS },
  { name: 'Myanmar', letters: '\\p{sc=Myanmar}', sample: 'က', debianPackage: OTHERS },
  { name: 'Sinhala', letters: '\\p{sc=Sinhala}', sample: 'අ', debianPackage: OTHERS },
  { name: 'Tamil', letters: '\\p{sc=Tamil}', sample: 'அ', debianPackage: OTHERS },
  { name: 'Telugu', letters: '\\p{sc=Telugu}', sample: 'అ', debianPackage: OTHERS },
  { name: 'Thai', letters: '\\p{sc=Thai}', sample: 'ก', debianPackage: OTHERS },
];

/** Those of which a text has letters. Japanese and Korean are written with Chinese characters too: these alone count as Chinese. */
export function scriptsIn(text: string): ScriptWithoutFont[] {
  const matches = [...CJK_SCRIPTS, ...OTHER_SCRIPTS].filter(({ letters }) =>
    new RegExp(letters, 'u').test(text),
  );
  const [first, second] = matches;
  return first?.name === 'Chinese' && second && CJK_SCRIPTS.includes(second) ? matches.slice(1) : matches;
}

export const packagesFor = (scripts: readonly ScriptWithoutFont[]): string[] => [
  ...new Set(scripts.map(({ debianPackage }) => debianPackage)),
];

/** "Chinese", "Chinese and Korean", "Chinese, Japanese and Korean". */
export const namesOf = (scripts: readonly ScriptWithoutFont[]): string =>
  listed(scripts.map(({ name }) => name));

export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
