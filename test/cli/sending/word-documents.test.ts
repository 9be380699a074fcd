// Which Word documents are converted before they are sent because they may have tags.
import { expect, test } from 'vitest';
import type { LocalFile } from '../../../src/cli/input/documents.ts';
import { withWordDocuments } from '../../../src/cli/sending/pdfs.ts';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { zipOf } from '../../support/documents/docx.ts';

const wordFile = (main: string): LocalFile => ({
  path: 'a.docx',
  name: 'a.docx',
  type: 'docx',
  sha256: '',
  bytes: Uint8Array.from(zipOf({ 'word/document.xml': main })),
  pages: undefined,
  remarks: [],
});

async function countConverted(main: string): Promise<number> {
  let count = 0;
  const engine = {
    toPdf: async () => {
      count += 1;
      return { ok: false, reason: 'unreadable' };
    },
  } as unknown as DocumentEngine;
  await withWordDocuments([undefined], [wordFile(main)], engine, false);
  return count;
}

const MIB = 1024 * 1024;

test.each([
  ['a tag', '<w:t>{{signature}}</w:t>', 1],
  ['a tag in two runs', '<w:t>{</w:t><w:t>{signature}}</w:t>', 1],
  ['no tag', '<w:t>Agreement</w:t>', 0],
  ['more text than is looked at', `<w:t>${'a'.repeat(MIB)}</w:t>`, 1],
  ['nothing but signs that open markup', '<'.repeat(MIB), 0],
])('a document with %s', async (_, main, count) => {
  expect(await countConverted(main)).toBe(count);
});
