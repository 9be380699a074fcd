// Makes fonts/ from the npm packages @expo-google-fonts/*: each face is reduced to the scripts it is needed for, without
// hinting. It needs hb-subset (Debian: libharfbuzz-bin) and a folder in which these packages are installed:
//   node scripts/make-fonts.js FOLDER
// Run it only to change the faces: its output is part of the repository.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../fonts', import.meta.url));
const from = process.argv[2];
if (!from)
  throw new Error('Usage: node scripts/make-fonts.js FOLDER (with node_modules of @expo-google-fonts/*)');

const EUROPEAN = [
  '0020-007E',
  '00A0-036F',
  '0370-03FF',
  '0400-052F',
  '1E00-1EFF',
  '1F00-1FFF',
  '2000-206F',
  '2070-209F',
  '20A0-20CF',
  '2100-218F',
  '2212',
  '2215',
  '25CC',
  'FB00-FB06',
  'FFFD',
];
const SPACES = ['0020', '00A0', '200B-200F', '202F', '25CC', '2066-2069'];
const ARABIC = [...SPACES, '0600-06FF', '0750-077F', '08A0-08FF', 'FB50-FDFF', 'FE70-FEFC'];
const HEBREW = [...SPACES, '0590-05FF', 'FB1D-FB4F', '20AA'];
const DEVANAGARI = [...SPACES, '0900-097F', 'A8E0-A8FF', '1CD0-1CFF', '20B9'];
// Check marks, boxes to tick, arrows and signs that contracts and forms use.
const SYMBOLS = [
  '2190-21FF',
  '2200-22FF',
  '2300-23FF',
  '2460-24FF',
  '2500-257F',
  '25A0-25FF',
  '2600-26FF',
  '2700-27BF',
];

const STYLES = {
  regular: '400Regular',
  bold: '700Bold',
  italic: '400Regular_Italic',
  'bold-italic': '700Bold_Italic',
};

const FACES = [
  ['sans', 'noto-sans', 'NotoSans', ['regular', 'bold', 'italic', 'bold-italic'], EUROPEAN],
  ['serif', 'noto-serif', 'NotoSerif', ['regular', 'bold', 'italic', 'bold-italic'], EUROPEAN],
  [
    'mono',
    'noto-sans-mono',
    'NotoSansMono',
    ['regular', 'bold'],
    [...EUROPEAN, '2190-21FF', '2500-257F', '25A0-25FF'],
  ],
  ['arabic', 'noto-naskh-arabic', 'NotoNaskhArabic', ['regular', 'bold'], ARABIC],
  ['hebrew', 'noto-sans-hebrew', 'NotoSansHebrew', ['regular', 'bold'], HEBREW],
  ['devanagari', 'noto-sans-devanagari', 'NotoSansDevanagari', ['regular', 'bold'], DEVANAGARI],
  ['symbols', 'noto-sans-symbols-2', 'NotoSansSymbols2', ['regular'], SYMBOLS],
  ['math', 'noto-sans-math', 'NotoSansMath', ['regular'], SYMBOLS],
  ['caveat', 'caveat', 'Caveat', ['regular'], EUROPEAN],
  ['great-vibes', 'great-vibes', 'GreatVibes', ['regular'], EUROPEAN],
];

await rm(target, { recursive: true, force: true });
await mkdir(target);
let sizeBytes = 0;
for (const [name, packageName, family, styles, unicodes] of FACES) {
  const folder = join(from, 'node_modules', '@expo-google-fonts', packageName);
  for (const style of styles) {
    const source = join(folder, STYLES[style], `${family}_${STYLES[style]}.ttf`);
    const output = join(target, `${name}-${style}.ttf`);
    execFileSync('hb-subset', [
      source,
      `--unicodes=${unicodes.join(',')}`,
      '--no-hinting',
      '--name-languages=*',
      '--name-IDs=*',
      '--notdef-outline',
      `--output-file=${output}`,
    ]);
    const { size } = await stat(output);
    sizeBytes += size;
    process.stdout.write(`${output} ${size}\n`);
  }
  await copyFile(join(folder, 'LICENSE_FONT'), join(target, `${name}.LICENSE.txt`));
}
process.stdout.write(`${sizeBytes} bytes\n`);
