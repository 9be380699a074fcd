// Measures fields at words beside pdftotext, sending with and without them, and the first page of the editor beside that of a recipient.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { median } from './median.js';
import { withFolder } from './service.js';

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

/** Runs two commands in turn; the first pair warms up. @returns how much longer the first takes */
function compare(ours, theirs, env) {
  const times = { ours: [], theirs: [] };
  for (let round = 0; round <= RUNS; round += 1) {
    const [one, other] = [timeOf(ours, env), timeOf(theirs, env)];
    if (round === 0) continue;
    times.ours.push(one);
    times.theirs.push(other);
  }
  const [one, other] = [median(times.ours), median(times.theirs)];
  return `${(one / other).toFixed(2)}   (${one.toFixed(0)} ÷ ${other.toFixed(0)} ms)`;
}

function timeOf([program, ...words], env) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
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
    const env = { ...process.env, ESIGN_HOME: join(folder, 'home') };
    const theirs = ['pdftotext', '-bbox', file, join(folder, 'words.html')];
    return compare(sendOf(file, words, '--dry-run'), theirs, env);
  });

export const sendWithAnchors = () =>
  withFolder((folder) => {
    const env = { ...process.env, ESIGN_HOME: join(folder, 'home') };
    const file = join(folder, 'contract.pdf');
    writeFileSync(file, readFileSync(contract));
    return compare(sendOf(file, ['For the Customer', 'For the Provider']), sendOf(file, []), env);
  });
