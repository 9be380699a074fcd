// Measures the conversion of a Word document by our own layout and by LibreOffice, which is started for each document.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSource } from '../../scripts/load-source.js';
import { median } from './median.js';

const RUNS = 9;
const PARAGRAPHS = 300;
const SENTENCE = 'The parties agree that the fee of 1,250.00 euros is due within 30 days of the invoice. ';

export async function convertDocx() {
  if (spawnSync('soffice', ['--version']).error)
    return 'not measured: soffice (LibreOffice) is not installed';
  const { docxOf, docxToPdf, paragraph } = await loadSource('test/bench/conversion-parts.ts');
  const docx = docxOf(paragraph(SENTENCE.repeat(4)).repeat(PARAGRAPHS));
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    const file = join(folder, 'document.docx');
    writeFileSync(file, docx);
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const words = `-env:UserInstallation=${profile} --headless --convert-to pdf --outdir ${folder} ${file}`;
    const ours = [];
    const theirs = [];
    let pages = 0;
    for (let run = -1; run < RUNS; run += 1) {
      const begun = performance.now();
      const converted = await docxToPdf(docx);
      const middle = performance.now();
      const { status } = spawnSync('soffice', words.split(' '), {
        stdio: 'ignore',
      });
      if (!converted.ok || status !== 0) throw new Error('The document was not converted.');
      pages = converted.pages.length;
      if (run < 0) continue;
      ours.push(middle - begun);
      theirs.push(performance.now() - middle);
    }
    const ratio = median(ours) / median(theirs);
    return `${ratio.toFixed(2)}   (${median(ours).toFixed(0)} ms ÷ ${median(theirs).toFixed(0)} ms, ${pages} pages)`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
