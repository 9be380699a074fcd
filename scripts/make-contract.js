// Writes test/fixtures/contract.pdf: three pages of an invented contract, the document of our tests and of
// the README. The bytes depend only on this file: `npm run fixture` gives the same file each time.
// An argument may name another output path.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument, PDFHexString, rgb, StandardFonts } from '@cantoo/pdf-lib';

const FIXTURE = fileURLToPath(new URL('../test/fixtures/contract.pdf', import.meta.url));
const A4 = { width: 595.28, height: 841.89 };
const LEFT = 71;
const RIGHT = A4.width - 71;
const WIDTH = RIGHT - LEFT;
const INDENT = 26;
const LEADING = 15;
const SIZE = 10.5;
const INK = rgb(0.12, 0.13, 0.16);
const SOFT = rgb(0.42, 0.44, 0.49);
const RULE = rgb(0.74, 0.76, 0.8);
const ACCENT = rgb(0.13, 0.27, 0.45);
const SHADE = rgb(0.945, 0.953, 0.965);
const FIXED_DATE = new Date('2026-01-15T09:00:00Z');

const document = await PDFDocument.create({ updateMetadata: false });
document.setTitle('Software Maintenance Agreement');
document.setAuthor('Northlight Instruments Ltd.');
document.setCreationDate(FIXED_DATE);
document.setModificationDate(FIXED_DATE);
const fileId = PDFHexString.of('e51600000000000000000000c0417ac7');
document.context.trailerInfo.ID = document.context.obj([fileId, fileId]);
const serif = await document.embedFont(StandardFonts.TimesRoman);
const serifBold = await document.embedFont(StandardFonts.TimesRomanBold);
const sans = await document.embedFont(StandardFonts.Helvetica);
const sansBold = await document.embedFont(StandardFonts.HelveticaBold);

let page;
let y;

startPage();
title();
parties();
clauses(1, [
  [
    'Subject of the agreement',
    'The Provider maintains the software product “Tidewatch” (the Software) which the Customer uses to plan the berths of the harbour of Easterholm, in the version delivered on 1 December 2025 and every later version.',
    'Adding functions that the specification of the Software does not name is not part of this Agreement and is ordered separately.',
  ],
  [
    'Services of the Provider',
    'The Provider corrects defects, delivers security updates within ten working days after a vulnerability has become known, and adapts the Software to new versions of the operating systems that its manual names.',
    'The Provider answers questions of the Customer by telephone and electronic mail on working days from 08:00 to 17:00 local time at the seat of the Customer.',
    'Defects are classified together when they are reported. Work begins at the latest after the time the table in clause 4 states for the class of the defect.',
  ],
  [
    'Duties of the Customer',
    'The Customer names two contact persons, describes a defect so that it can be repeated, and grants the Provider access to a test installation during the agreed hours.',
    'The Customer keeps a backup of its data that is not older than one day. Restoring data from this backup is the task of the Customer.',
  ],
]);

startPage();
clauses(4, [
  [
    'Fees and response times',
    'The Customer pays the following fees, each for one calendar year and without value added tax:',
  ],
]);
feeTable();
clauses(
  4,
  [],
  [
    'Fees are due within thirty days after the date of the invoice. The Provider may change them once a year, with three months’ notice, and by no more than the change of the consumer price index in the year before.',
  ],
  1,
);
clauses(5, [
  [
    'Liability',
    'Each party is liable without limit for intent and gross negligence and for injury to persons. For ordinary negligence liability is limited to the fees paid in the twelve months before the event.',
    'Neither party is liable for events outside its reasonable control for as long as they last and have been notified.',
    'The Provider insures its liability from this Agreement for at least one million euros per event and proves this on request.',
  ],
  [
    'Confidentiality and data protection',
    'Each party keeps the trade secrets of the other confidential for five years after the end of this Agreement. Personal data seen during maintenance is processed only on the instructions of the Customer.',
    'At the end of this Agreement each party returns or deletes what it received, and confirms it in text form.',
  ],
  [
    'Assistance of third parties',
    'The Provider may let others perform parts of the services if it has named them to the Customer two weeks before and they are bound to the same confidentiality. It answers for them as for its own staff.',
  ],
]);

startPage();
clauses(8, [
  [
    'Term and termination',
    'This Agreement begins on the day of the last signature and runs for two years. It is then extended by one year at a time unless a party gives notice in text form three months before the end.',
    'The right to terminate for good cause remains. Good cause is, in particular, the failure to correct a class 1 defect within twenty working days.',
  ],
  [
    'Final provisions',
    'Changes of this Agreement need text form; electronic signatures of both parties satisfy it. Should a provision be void, the others remain in force, and the parties agree on a valid one that comes closest to its purpose.',
    'This Agreement is governed by the law of the seat of the Customer, whose courts have jurisdiction.',
  ],
]);
signatures();
footers();

const target = process.argv[2] ?? FIXTURE;
await mkdir(dirname(target), { recursive: true });
await writeFile(target, await document.save({ useObjectStreams: false }));

function startPage() {
  page = document.addPage([A4.width, A4.height]);
  y = A4.height - 84;
  text('Software Maintenance Agreement', LEFT, A4.height - 48, { font: sans, size: 8, color: SOFT });
  textRight('SMA-2026-0417', RIGHT, A4.height - 48, { font: sans, size: 8, color: SOFT });
  line(LEFT, RIGHT, A4.height - 55, RULE, 0.6);
}

function title() {
  y -= 22;
  text('Software Maintenance Agreement', LEFT, y, { font: sansBold, size: 21, color: ACCENT });
  y -= 19;
  text('Contract number SMA-2026-0417', LEFT, y, { font: sans, size: 10, color: SOFT });
  y -= 32;
}

function parties() {
  text('between', LEFT, y, { size: SIZE + 0.5 });
  y -= 12;
  party(
    'Northlight Instruments Ltd.',
    [
      '14 Lantern Row, 2100 Easterholm',
      'Company register 88 401 226',
      'represented by Ada Merriweather, Managing Director',
    ],
    'the Provider',
  );
  text('and', LEFT, y, { size: SIZE + 0.5 });
  y -= 12;
  party(
    'Harbour Authority of Easterholm',
    [
      '3 Customs Quay, 2104 Easterholm',
      'Public body no. 0093',
      'represented by Brennan Okafor, Head of Operations',
    ],
    'the Customer',
  );
  y -= 6;
}

function party(name, lines, role) {
  const height = 74;
  page.drawRectangle({ x: LEFT, y: y - height, width: WIDTH, height, color: SHADE });
  page.drawRectangle({ x: LEFT, y: y - height, width: 3, height, color: ACCENT });
  text(name, LEFT + 16, y - 20, { font: sansBold, size: 11 });
  for (const [index, value] of lines.entries()) {
    text(value, LEFT + 16, y - 36 - index * 13, { size: SIZE });
  }
  textRight(role, RIGHT - 14, y - 20, { font: sans, size: 9, color: SOFT });
  y -= height + 22;
}

/** Clauses of [heading, paragraph, …], numbered from `first`; or further paragraphs of the clause `first`. */
function clauses(first, list, further = [], after = 0) {
  for (const [index, [heading, ...paragraphs]] of list.entries()) {
    const number = first + index;
    y -= 8;
    text(`${number}`, LEFT, y, { font: sansBold, size: 11.5, color: ACCENT });
    text(heading, LEFT + INDENT, y, { font: sansBold, size: 11.5, color: ACCENT });
    y -= 19;
    for (const [at, words] of paragraphs.entries()) paragraph(`${number}.${at + 1}`, words);
  }
  for (const [at, words] of further.entries()) paragraph(`${first}.${after + at + 1}`, words);
}

function paragraph(number, words) {
  text(number, LEFT, y, { size: SIZE, color: SOFT });
  for (const row of wrapped(words, WIDTH - INDENT)) {
    text(row, LEFT + INDENT, y, { size: SIZE });
    y -= LEADING;
  }
  y -= 6;
}

function feeTable() {
  const columns = [LEFT + INDENT + 8, LEFT + 178, LEFT + 272, RIGHT - 10];
  const rows = [
    ['Basic maintenance', 'Class 3', '5 working days', '4,800.00'],
    ['Extended maintenance', 'Class 2 and 3', '1 working day', '7,250.00'],
    ['Stand-by service, 24 hours', 'Class 1 to 3', '2 hours', '11,900.00'],
    ['Security updates', 'all', '10 working days', '1,650.00'],
  ];
  const rowHeight = 20;
  y -= 2;
  page.drawRectangle({
    x: LEFT + INDENT,
    y: y - rowHeight + 13,
    width: WIDTH - INDENT,
    height: rowHeight,
    color: ACCENT,
  });
  row(['Service', 'Defects', 'Work begins after', 'Fee in EUR'], columns, {
    font: sansBold,
    size: 9,
    color: rgb(1, 1, 1),
  });
  for (const values of rows) {
    row(values, columns, { font: sans, size: 9 });
    line(LEFT + INDENT, RIGHT, y + 13, RULE, 0.6);
  }
  row(['Total per year', '', '', '25,600.00'], columns, { font: sansBold, size: 9 });
  line(LEFT + INDENT, RIGHT, y + 13, INK, 1);
  y -= 10;

  function row(values, at, style) {
    for (const [index, value] of values.entries()) {
      if (index === values.length - 1) textRight(value, at[index], y, style);
      else text(value, at[index], y, style);
    }
    y -= rowHeight;
  }
}

function signatures() {
  y -= 24;
  paragraphPlain('The parties sign this Agreement electronically. Each of them receives a complete copy.');
  y -= 58;
  const gap = 40;
  const width = (WIDTH - gap) / 2;
  signatureBlock(
    LEFT,
    width,
    'For the Provider',
    'Ada Merriweather',
    'Managing Director',
    'Northlight Instruments Ltd.',
  );
  signatureBlock(
    LEFT + width + gap,
    width,
    'For the Customer',
    'Brennan Okafor',
    'Head of Operations',
    'Harbour Authority of Easterholm',
  );
}

function signatureBlock(x, width, heading, name, office, company) {
  text(heading, x, y + 42, { font: sansBold, size: 10, color: ACCENT });
  line(x, x + width, y - 34, INK, 0.8);
  text('Signature', x, y - 46, { font: sans, size: 8, color: SOFT });
  line(x, x + width, y - 92, INK, 0.8);
  text('Place and date', x, y - 104, { font: sans, size: 8, color: SOFT });
  text(name, x, y - 130, { font: serifBold, size: SIZE + 0.5 });
  text(office, x, y - 144, { size: SIZE });
  text(company, x, y - 158, { size: SIZE });
}

function paragraphPlain(words) {
  for (const row of wrapped(words, WIDTH)) {
    text(row, LEFT, y, { size: SIZE });
    y -= LEADING;
  }
}

function footers() {
  const pages = document.getPages();
  for (const [index, each] of pages.entries()) {
    page = each;
    line(LEFT, RIGHT, 58, RULE, 0.6);
    text('Northlight Instruments Ltd. · Harbour Authority of Easterholm', LEFT, 45, {
      font: sans,
      size: 8,
      color: SOFT,
    });
    textRight(`Page ${index + 1} of ${pages.length}`, RIGHT, 45, { font: sans, size: 8, color: SOFT });
  }
}

function text(value, x, at, { font = serif, size = SIZE, color = INK } = {}) {
  page.drawText(value, { x, y: at, font, size, color });
}

function textRight(value, x, at, style) {
  text(value, x - (style.font ?? serif).widthOfTextAtSize(value, style.size), at, style);
}

function line(from, to, at, color, thickness) {
  page.drawLine({ start: { x: from, y: at }, end: { x: to, y: at }, color, thickness });
}

function wrapped(words, width) {
  const rows = [];
  let row = '';
  for (const word of words.split(' ')) {
    const longer = row ? `${row} ${word}` : word;
    if (row && serif.widthOfTextAtSize(longer, SIZE) > width) {
      rows.push(row);
      row = word;
    } else {
      row = longer;
    }
  }
  return [...rows, row];
}
