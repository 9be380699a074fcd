// A Word document that lost content on its way to a PDF: refused in scripts, unless the loss is accepted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { docxOf, paragraph, run } from '../support/documents/docx.ts';

const CHART =
  '<w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x"><c:chart r:id="none"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
const WITHOUT_OFFICE = { ESIGN_SOFFICE: 'off' };

let program: BuiltProgram;
let file: string;
beforeEach(async () => {
  program = await openBuiltProgram();
  file = join(program.folder, 'offer.docx');
  writeFileSync(file, docxOf(paragraph(run('Our offer')) + paragraph(CHART)));
});
afterEach(() => program.close());

const send = (...more: string[]) =>
  program.run(['tx', 'send', file, '--to', 'Ada <ada@example.com>', ...more], WITHOUT_OFFICE);

test('is refused by a script before anything is made of it', async () => {
  const refused = await send();
  expect(refused, refused.err).toMatchObject({ code: 2 });
  expect(refused.err).toMatch(/warning: offer\.docx: A chart on page 1 is not shown/);
  expect(refused.err).toMatch(
    /error: The conversion of "offer\.docx" lost content: A chart on page 1 is not shown/,
  );
  expect(refused.err).toMatch(/hint: .*--accept-losses/);
  const list = await program.run(['tx', 'list', '--json'], WITHOUT_OFFICE);
  expect(JSON.parse(list.out).items).toEqual([]);
});

test('is sent with --accept-losses, and the loss stays with the document', async () => {
  const sent = await send('--accept-losses', '--json');
  expect(sent, sent.err).toMatchObject({ code: 0 });
  const { outcome, documents } = JSON.parse(sent.out);
  expect(outcome).toBe('started');
  expect(documents[0].remarks.map(({ code }: { code: string }) => code)).toEqual([
    'approximate_layout',
    'content_not_shown',
  ]);
});
