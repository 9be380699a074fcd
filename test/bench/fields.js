// Measures fields at words beside pdftotext, sending with and without them, and the first page of the editor beside that of a recipient.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { withFolder } from './service.js';
import { ratioToOther, withoutCertificates } from './start-up.js';

const RUNS = 7;
const PAGES = 300;
const LINES = 45;
const ANCHORS = 10;
const esign = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const contract = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

export const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;

/** Makes a text of 300 pages with a word of its own on each. */
async function longText() {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const sentence = 'The supplier maintains the software and answers questions of the customer within a day.';
  for (let number = 1; number <= PAGES; number += 1) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < LINES; line += 1)
      page.drawText(line === 20 ? `Initials of page-${number}-here:` : `${line} ${sentence}`, {
        ...{ x: 60, y: 800 - line * 16, size: 10, font },
      });
  }
  return document.save();
}

const fieldsAt = (words) => words.flatMap((one) => ['--field', `signature@"${one}",at=right`]);

const sendOf = (file, fields, ...more) => [
  ...[process.execPath, esign, 'tx', 'send', file, '--to', 'Ada <ada@example.com>'],
  ...fieldsAt(fields),
  ...more,
];

export const anchorsInLongText = () =>
  withFolder(async (folder) => {
    const file = join(folder, 'long.pdf');
    writeFileSync(file, await longText());
    const words = Array.from({ length: ANCHORS }, (_, index) => `page-${(index + 1) * 30}-here`);
    const env = withoutCertificates({ ESIGN_HOME: join(folder, 'home') });
    const theirs = ['pdftotext', '-bbox', file, join(folder, 'words.html')];
    return ratioToOther({ words: theirs, env }, { words: sendOf(file, words, '--dry-run'), env }, RUNS);
  });

export const sendWithAnchors = () =>
  withFolder((folder) => {
    const env = withoutCertificates({ ESIGN_HOME: join(folder, 'home') });
    const file = join(folder, 'contract.pdf');
    writeFileSync(file, readFileSync(contract));
    const [without, placed] = [[], ['For the Customer', 'For the Provider']].map((words) => ({
      words: sendOf(file, words),
      env,
    }));
    return ratioToOther(without, placed);
  });
