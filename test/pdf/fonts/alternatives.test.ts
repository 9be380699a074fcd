// Fonts of Word that this machine lacks: whether one of the same width is there, and what the remark on an upload and `esign doctor` name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { recordedRemark, remarkOf } from '../../../src/api/contract/documents.ts';
import { checkOffice } from '../../../src/cli/commands/doctor/machine.ts';
import { docxToPdf } from '../../../src/docx/docx-to-pdf.ts';
import { safeDocx } from '../../../src/docx/safe-docx.ts';
import {
  missingAlternatives,
  replacedBy,
  replacedFamilies,
  replacedRemarks,
} from '../../../src/pdf/fonts/alternatives.ts';
import { useSystemFontFolders } from '../../../src/pdf/fonts/system-fonts.ts';
import { docxOf, paragraph, run } from '../../support/documents/docx.ts';
import { fontNamed } from '../../support/documents/font.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => useSystemFontFolders(undefined));

async function machineWith(...families: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const family of families) writeFileSync(join(folder, `${family}.ttf`), fontNamed(family));
  useSystemFontFolders([folder]);
  return folder;
}

const inFont = (family: string, text = 'text') =>
  run(text, `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/>`);
const pdfWith = (...fonts: string[]) =>
  Buffer.from(fonts.map((name) => `<</Type/Font/BaseFont/BAAAAA+${name}/ToUnicode 1 0 R>>`).join('\n'));

test.each([
  ['Calibri', 'Carlito'],
  ['cambria', 'Caladea'],
  ['Arial', 'Liberation Sans'],
  ['Times New Roman', 'Liberation Serif'],
  ['Courier New', 'Liberation Mono'],
  ['Georgia', 'Gelasio'],
  ['Corbel', 'Corbel'],
])('%s is replaced unless %s is there', async (family, alternative) => {
  await machineWith('DejaVu Sans');
  expect(replacedFamilies([family])).toEqual({ families: [family], replaced: [family] });
  await machineWith(alternative);
  expect(replacedFamilies([family]).replaced).toEqual([]);
});

test('the remark names the fonts and what replaces them, in one line, and nothing where all are there', async () => {
  await machineWith('DejaVu Sans', 'Liberation Sans');
  const fonts = replacedFamilies(['Arial', 'Calibri', 'Cambria']);
  const pdf = pdfWith('LiberationSans', 'DejaVuSans-Bold', 'DejaVuSans', 'OpenSymbol');
  const [remark, ...others] = replacedRemarks(fonts, pdf);
  expect(remark).toEqual({ code: 'fonts_replaced', what: 'Calibri, Cambria by DejaVu Sans' });
  expect(others).toEqual([]);
  const { message } = remarkOf(remark!);
  expect(message).toMatch(/replaced \(Calibri, Cambria by DejaVu Sans\), because they are not installed/);
  expect(message).toMatch(/Install these fonts .*esign doctor/);
  expect(recordedRemark(remark!)).not.toMatch(/Install/);
  expect(replacedRemarks(replacedFamilies(['Arial']), pdf)).toEqual([]);
});

test('names of a document are cut where they are many or long', () => {
  expect(replacedBy(['a', 'b', 'c', 'd', 'e', 'f', 'g'], [])).toBe('a, b, c, d, e, 2 more');
  expect(replacedBy(['x'.repeat(100)], ['y\n z'])).toBe(`${'x'.repeat(40)}… by y z`);
});

test('a document asks for the fonts of its letters and digits, but for those that it brings along', async () => {
  await machineWith('DejaVu Sans');
  const body = paragraph(
    inFont('Calibri') +
      inFont('Batang', '\uac12') +
      inFont('Wingdings') +
      inFont('Brought') +
      inFont('Corbel', ' '),
  );
  const fontTable =
    '<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:font w:name="Brought"><w:embedRegular/></w:font></w:fonts>';
  const docx = docxOf({
    body,
    files: { 'fontTable.xml': fontTable },
    relationships: [['f1', 'fontTable', 'fontTable.xml']],
  });
  expect(await safeDocx(docx)).toMatchObject({ ok: true, fonts: { replaced: ['Calibri'] } });
  const converted = await docxToPdf(docx);
  expect(converted.ok && converted.remarks[0]?.what).toBe('Calibri, Brought by Noto Sans');
});

test('the remark of our own layout says which fonts it has replaced', async () => {
  const converted = await docxToPdf(docxOf(paragraph(inFont('Calibri') + inFont('Cambria'))));
  if (!converted.ok) throw new Error(converted.reason);
  expect(converted.remarks[0]?.what).toBe('Calibri by Noto Sans; Cambria by Noto Serif');
  expect(remarkOf(converted.remarks[0]!).message).toMatch(
    /without LibreOffice and its fonts were replaced \(Calibri by Noto Sans; Cambria by Noto Serif\)\. Check/,
  );
  const noto = await docxToPdf(docxOf(paragraph(inFont('Noto Sans'))));
  if (!noto.ok) throw new Error(noto.reason);
  expect(noto.remarks).toEqual([{ code: 'approximate_layout', what: undefined }]);
});

test('`esign doctor` names what is missing beside LibreOffice, with the packages of Debian', async () => {
  const folder = await machineWith('Liberation Serif', 'Liberation Mono', 'Arimo');
  expect(missingAlternatives().map(({ names }) => names[0])).toEqual(['Calibri', 'Cambria']);
  const program = join(folder, 'soffice');
  writeFileSync(program, '', { mode: 0o755 });
  expect(await checkOffice({ ESIGN_SOFFICE: program })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('as wide as Calibri (Carlito) and Cambria (Caladea)'),
    hint: expect.stringContaining('(Debian: fonts-crosextra-carlito, fonts-crosextra-caladea)'),
  });
  await machineWith('Liberation Serif', 'Liberation Mono', 'Liberation Sans', 'Carlito', 'Caladea');
  expect(await checkOffice({ ESIGN_SOFFICE: program })).toMatchObject({ state: 'ok' });
});
