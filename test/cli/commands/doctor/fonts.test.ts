// What `esign doctor` says of the fonts of a machine: which scripts lack one, what that means, and the way out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { CJK_SCRIPTS, OTHER_SCRIPTS } from '../../../../src/api/contract/documents.ts';
import { checkFonts } from '../../../../src/cli/checks/fonts.ts';
import { useSystemFontFolders } from '../../../../src/pdf/fonts/system-fonts.ts';
import { fontWith } from '../../../support/documents/font.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

beforeAll(() => useSystemFontFolders([]));
afterAll(() => {
  useSystemFontFolders(undefined);
  vi.unstubAllEnvs();
});
beforeEach(() => vi.unstubAllEnvs());

/** A folder with a font for each of these characters, below another one. */
async function folderWith(characters: string): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'noto'));
  for (const character of characters)
    writeFileSync(join(folder, 'noto', `${character}.ttf`), fontWith(character.codePointAt(0)!));
  return folder;
}

const samples = (scripts: typeof CJK_SCRIPTS): string => scripts.map(({ sample }) => sample).join('');
const [, , KOREAN] = CJK_SCRIPTS;

test('a machine without fonts: names the scripts, what comes of it, and the way out', () => {
  const { state, says, hint } = checkFonts();
  expect(state).toBe('warn');
  expect(says).toContain('There is no font for Chinese, Japanese, Korean, Armenian, ');
  expect(says).toContain('recipients must confirm that before they sign');
  expect(says).toContain('Certificates show names in it as numbers, such as [U+AE40].');
  expect(hint).toContain('Debian: fonts-noto-cjk, fonts-noto-core');
  expect(hint).toContain('ESIGN_FONTS');
});

test('the folder in ESIGN_FONTS counts, and only what lacks a font is named', async () => {
  const others = CJK_SCRIPTS.filter((script) => script !== KOREAN);
  vi.stubEnv('ESIGN_FONTS', await folderWith(samples([...others, ...OTHER_SCRIPTS])));
  const { state, says, hint } = checkFonts();
  expect(state).toBe('warn');
  expect(says).toContain('There is no font for Korean.');
  expect(hint).toContain('(Debian: fonts-noto-cjk)');
});

test('a font that has some Chinese characters only is none for Chinese', async () => {
  const all = samples(CJK_SCRIPTS);
  vi.stubEnv('ESIGN_FONTS', await folderWith(all.replace('国', '')));
  expect(checkFonts()).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('no font for Chinese, '),
  });
});

test('that another script has no font is mentioned, and no warning', async () => {
  vi.stubEnv('ESIGN_FONTS', await folderWith(samples(CJK_SCRIPTS)));
  const { state, says } = checkFonts();
  expect(state).toBe('ok');
  expect(says).toMatch(
    /^Text in Chinese, Japanese and Korean can be displayed\. There is no font for Armenian, /,
  );
});

test('ESIGN_FONTS that leads nowhere is warned of', async () => {
  const empty = await temporaryFolder();
  writeFileSync(join(empty, 'broken.ttf'), 'no font');
  for (const folder of [empty, join(empty, 'missing')]) {
    vi.stubEnv('ESIGN_FONTS', folder);
    expect(checkFonts()).toMatchObject({ state: 'warn', says: expect.stringContaining(folder) });
  }
});
