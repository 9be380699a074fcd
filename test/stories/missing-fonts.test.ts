// Text that no font has: the sender is warned before the start, with a hint, and a font in ESIGN_FONTS helps.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { fontWith } from '../support/documents/font.ts';
import { byGlyphNumber, linesPdf } from '../support/documents/unembedded-fonts.ts';

/** A character that no font of any machine has. */
const NOBODYS = 0xfdd0;

let program: BuiltProgram;
let file: string;
let fonts: string;
beforeEach(async () => {
  program = await openBuiltProgram();
  file = join(program.folder, 'offer.pdf');
  fonts = join(program.folder, 'fonts');
  writeFileSync(file, linesPdf([byGlyphNumber(`a${String.fromCodePoint(NOBODYS)}`, { name: 'Odd' })]));
  mkdirSync(fonts);
  writeFileSync(join(fonts, 'made.ttf'), fontWith(NOBODYS));
});
afterEach(() => program.close());

const send = (variables: Record<string, string> = {}) =>
  program.run(['tx', 'send', file, '--to', 'Ada <ada@example.com>'], variables);

test('tx send warns of it and names the way out', async () => {
  const sent = await send();
  expect(sent, sent.err).toMatchObject({ code: 0 });
  expect(sent.err).toMatch(
    /warning: offer\.pdf: Some text on page 1 cannot be displayed, because the file lacks its font \(Odd\) and no installed font has its characters\. Recipients must confirm this before they sign\. .*ESIGN_FONTS[\s\S]*✓ start/,
  );
  const known = await send({ ESIGN_FONTS: fonts });
  expect(known, known.err).toMatchObject({ code: 0 });
  expect(known.err).not.toContain('warning');
});

test('doctor looks at the folder', async () => {
  const fontsIn = async (folder: string) => {
    const { out } = await program.run(['doctor', '--sandbox', '--json'], { ESIGN_FONTS: folder });
    return JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'fonts');
  };
  expect((await fontsIn(fonts)).message).toMatch(/^(Text in Chinese|There is no font for)/);
  expect(await fontsIn(join(fonts, 'none'))).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('which is not a directory with fonts'),
  });
});
