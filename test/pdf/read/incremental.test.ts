// Updates that are appended to a PDF are checked with the reader of another project.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendUpdate, nextNumber, openForUpdate } from '../../../src/pdf/read/incremental.ts';
import { PdfString } from '../../../src/pdf/read/values.ts';
import { needsCommand } from '../../support/tools.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'esign-incremental-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function drawn(useObjectStreams: boolean): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 100]);
  return document.save({ useObjectStreams });
}

const qpdf = needsCommand('qpdf');

test.skipIf(qpdf.skip).each([
  ['a table', false],
  ['a stream', true],
])(`three updates behind %s, new and replaced objects, are sound${qpdf.why}`, async (_, isStream) => {
  let pdf = await drawn(isStream);
  const original = Buffer.from(pdf);
  for (const step of [1, 2, 3]) {
    const file = openForUpdate(pdf);
    const next = nextNumber(file);
    const objects = new Map([
      [next + 4, `<< /Step ${step} >>`],
      [next, `(new ${step})`],
      [next + 1, '[1 2 3]'],
    ]);
    const { pdf: updated, starts } = appendUpdate(file, { objects });
    expect(Buffer.from(updated).subarray(starts.get(next)).toString('latin1')).toMatch(/^\(new \d\)\nendobj/);
    pdf = updated;
  }
  expect(Buffer.from(pdf).subarray(0, original.length).equals(original)).toBe(true);
  const file = join(folder, `${isStream}.pdf`);
  writeFileSync(file, pdf);
  expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
    'No syntax or stream encoding errors',
  );
  const last = execFileSync(
    'qpdf',
    [`--show-object=${nextNumber(openForUpdate(pdf)) - (isStream ? 2 : 1)}`, file],
    {
      encoding: 'utf8',
    },
  );
  expect(last).toContain('/Step 3');
});

test('the same update of the same file gives the same bytes, and another file identifier each time', async () => {
  const pdf = await drawn(false);
  const update = (before: Uint8Array, content: string) =>
    appendUpdate(openForUpdate(before), { objects: new Map([[50, content]]) }).pdf;
  const first = update(pdf, '1');
  expect(Buffer.from(update(pdf, '1')).equals(first)).toBe(true);
  const ids = [first, update(pdf, '2'), update(first, '1')].map(idOf);
  expect(new Set(ids.map(([, second]) => second)).size).toBe(3);
  expect(ids[2]?.[0]).toBe(ids[0]?.[0]);
});

function idOf(pdf: Uint8Array): string[] {
  const id = openForUpdate(pdf).latest.trailer.get('ID');
  return (Array.isArray(id) ? id : []).map((item) =>
    item instanceof PdfString ? item.bytes.toString('hex') : '',
  );
}
