// ESIGN_FONTS counts in whichever process asks for a font, also where nothing else has named the folder.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test, vi } from 'vitest';
import { missingCharacters } from '../../../src/pdf/fonts/runs.ts';
import { fontWith } from '../../support/documents/font.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a character of a font in ESIGN_FONTS is not missing', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'made.ttf'), fontWith(0xfdd0));
  const missing = () => missingCharacters('a\ufdd0', { family: 'serif' });
  expect(missing()).toEqual(['\ufdd0']);
  for (const named of [folder, relative(process.cwd(), folder)]) {
    vi.stubEnv('ESIGN_FONTS', named);
    expect(missing()).toEqual([]);
  }
  vi.stubEnv('ESIGN_FONTS', '');
  expect(missing()).toEqual(['\ufdd0']);
});
