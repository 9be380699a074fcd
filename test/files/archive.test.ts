// The types of archives: the same document in every order of entries is a Word document, and files of other programs are named.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { documentTypeOf, HEAD_BYTES, isArchive, TELLING_ENTRIES } from '../../src/api/contract/file-types.ts';
import { readArchive } from '../../src/files/archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const WORD = `${OFFICE}wordprocessingml.document.main+xml`;

const contentTypes = (type: string): string =>
  `<Types><Default Extension="xlsx" ContentType="${OFFICE}spreadsheetml.sheet"/><Override PartName="/main.xml" ContentType="${type}"/></Types>`;

/** An archive with these entries in this order; the first ones are longer than what is looked at of a file. */
const archiveOf = (entries: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)])), {
    level: 0,
  });

const LONG = 'x'.repeat(2 * HEAD_BYTES);

/** As both who read a document do it: the service reads a file, a command has the bytes. */
async function typeOf(bytes: Uint8Array, path?: string) {
  const source = path === undefined ? { bytes } : { path };
  const archive = isArchive(bytes) ? await readArchive(source, TELLING_ENTRIES) : undefined;
  return documentTypeOf(bytes.subarray(0, HEAD_BYTES), archive);
}

test.each([
  [{ '[Content_Types].xml': contentTypes(WORD), 'word/document.xml': '<a/>' }],
  [
    {
      '_rels/.rels': LONG,
      'docProps/app.xml': LONG,
      'word/document.xml': '<a/>',
      '[Content_Types].xml': contentTypes(WORD),
    },
  ],
  [{ 'customXml/item1.xml': LONG, '[Content_Types].xml': contentTypes(WORD), 'main.xml': '<a/>' }],
  // As a program wrote it that declares nothing of use.
  [{ 'docProps/app.xml': LONG, 'word/document.xml': '<a/>' }],
])('a Word document is told whatever its entries begin with: %j', async (entries) => {
  expect(await typeOf(archiveOf(entries))).toEqual({ type: 'docx' });
});

test.each([
  ['a Word document with macros (.docm)', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
  ['a Word template (.dotx)', `${OFFICE}wordprocessingml.template.main+xml`],
  ['a Word template with macros (.dotm)', 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml'],
  ['an Excel workbook', `${OFFICE}spreadsheetml.sheet.main+xml`],
  ['an Excel workbook', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'],
  ['an Excel workbook', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'],
  ['a PowerPoint presentation', `${OFFICE}presentationml.presentation.main+xml`],
  ['a Visio drawing', 'application/vnd.ms-visio.drawing.main+xml'],
])('%s is named, also where its parts lie in word/', async (name, type) => {
  const bytes = archiveOf({ 'word/document.xml': LONG, '[Content_Types].xml': contentTypes(type) });
  expect(await typeOf(bytes)).toMatchObject({ type: undefined, refused: { name } });
});

test.each([
  ['an OpenDocument text (ODT)', { mimetype: 'application/vnd.oasis.opendocument.text' }],
  ['an OpenDocument spreadsheet (ODS)', { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }],
  ['an EPUB book', { mimetype: 'application/epub+zip' }],
  ['a document of Pages, Numbers or Keynote', { 'Index/Document.iwa': LONG }],
  ['a ZIP archive', { 'a.pdf': LONG, 'b.pdf': LONG }],
  ['a ZIP archive', { 'swords/document.xml': LONG }],
])('%s is named', async (name, entries) => {
  const { refused } = (await typeOf(archiveOf(entries as never))) as {
    refused?: { name: string; hint: string };
  };
  expect(refused?.name).toBe(name);
  expect(refused?.hint).toMatch(/PDF|Unpack/);
});

test.each(['utf16le', 'utf-16be'])('a declaration in %s is read, first or last', async (coding) => {
  const text = `\ufeff<?xml version="1.0" encoding="UTF-16"?>${contentTypes(WORD)}`;
  const little = Buffer.from(text, 'utf16le');
  const types = coding === 'utf16le' ? little : little.swap16();
  const part = Buffer.from(LONG);
  for (const entries of [
    { '[Content_Types].xml': types, 'main.xml': part },
    { 'main.xml': part, '[Content_Types].xml': types },
  ])
    expect(await typeOf(zipSync(entries, { level: 0 }))).toEqual({ type: 'docx' });
  // What declares nothing of use is told by its parts, wherever they stand.
  for (const entries of [
    { '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': part },
    { 'word/document.xml': part, '[Content_Types].xml': Buffer.from('<Types/>') },
  ])
    expect(await typeOf(zipSync(entries, { level: 0 }))).toEqual({ type: 'docx' });
});

test('the beginning tells where the directory is missing', async () => {
  const whole = archiveOf({ '[Content_Types].xml': contentTypes(WORD), 'word/document.xml': LONG });
  expect(await typeOf(whole.subarray(0, whole.length - 100))).toEqual({ type: 'docx' });
  expect(await typeOf(Buffer.from('PK\x03\x04'))).toEqual({ type: undefined, refused: undefined });
});

test('a declaration of an archive that unpacks to far more than any has is not read', async () => {
  const types = contentTypes(WORD) + ' '.repeat(2 * 1024 * 1024);
  const bytes = zipSync({ 'a.txt': Buffer.from(LONG), '[Content_Types].xml': Buffer.from(types) });
  expect(await typeOf(bytes)).toMatchObject({ refused: { name: 'a ZIP archive' } });
});

test('an upload is read where it lies', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'upload');
  const bytes = archiveOf({ '_rels/.rels': LONG, '[Content_Types].xml': contentTypes(WORD) });
  await writeFile(path, bytes);
  expect(await typeOf(bytes, path)).toEqual({ type: 'docx' });
  await rm(folder, { recursive: true });
});
