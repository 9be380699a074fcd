// Writes the pages of a certificate: what was sealed, who signed it when, and how a reader can check that. It states what it
// receives and nothing else.

import qrcode from 'qrcode-generator';
import { sha256Of } from '../../../common/sha256.ts';
import type { Box } from '../../geometry.ts';
import { CERTIFICATE_LIMITS } from '../../limits.ts';
import { drawStroke, type FormXObjectBuilder, fillBox, fillBoxes, frameBox } from '../form-x-object.ts';
import type { CertificateContent, CertifiedDocument, OwnAuthority, Party, PartyStep } from './content.ts';
import {
  ACCENT,
  addText,
  bottomOf,
  type ColumnStyle,
  contentWidth,
  type Flow,
  INK,
  keepTogether,
  LINE,
  leaveSpace,
  left,
  nextPage,
  SOFT,
  sheetOf,
  writeRow,
} from './flow.ts';
import { MARK_HEIGHT, VALUE_HEIGHT, writeMarks, writeValues } from './inputs.ts';
import { SEAL, SEAL_GAP } from './seal.ts';
import {
  inUtc,
  inZone,
  OTHER_CLOCK,
  OWN_AUTHORITY_TITLES,
  ownAuthorityInWords,
  preparationInWords,
} from './words.ts';

const SANS = { family: 'sans' } as const;
const BOLD = { family: 'sans', isBold: true } as const;
const MONO = { family: 'mono' } as const;

const TITLE: ColumnStyle = { size: 21, color: INK, typeface: BOLD, lineHeight: 1.2 };
const NAME: ColumnStyle = { size: 12.5, color: INK, typeface: SANS };
const HEADING: ColumnStyle = { size: 11, color: ACCENT, typeface: BOLD };
const STRONG: ColumnStyle = { size: 9.5, color: INK, typeface: BOLD };
const BODY: ColumnStyle = { size: 8.5, color: INK, typeface: SANS };
const NOTE: ColumnStyle = { size: 8, color: SOFT, typeface: SANS };
/** Rows of labels stand equally far apart, whatever the size of what is beside them. */
const LABEL: ColumnStyle = { size: 8, color: SOFT, typeface: SANS, lineHeight: 1.53 };
const HASH: ColumnStyle = { size: 7.5, color: INK, typeface: MONO };

/** The certificate is about the first bytes of the file, before anything was added. */
type StampedFile = { bytes: number; sha256: string; evidence: string; evidenceName: string };

export async function writePages(
  flow: Flow,
  content: CertificateContent,
  sealed: StampedFile,
): Promise<void> {
  nextPage(flow);
  await writeHead(flow, content);
  if (content.ownAuthority) await writeOwnAuthority(flow, content.ownAuthority);
  await writeFacts(flow, content);
  await writeHeading(flow, content.parties.length === 1 ? 'Person' : 'People');
  for (const party of content.parties) await writeParty(flow, party);
  await writeHeading(flow, content.documents.length === 1 ? 'Document' : 'Documents');
  for (const document of content.documents) await writeDocument(flow, document, content);
  await writeCheck(flow, content, sealed);
}

/** Writes the title and the transaction beside the seal. */
async function writeHead(flow: Flow, { transaction }: CertificateContent): Promise<void> {
  const width = contentWidth(flow) - SEAL.width - SEAL_GAP;
  const bar = { x: left, y: flow.y, width: 28, height: 3 };
  fillBox(sheetOf(flow), bar, ACCENT);
  leaveSpace(flow, 12);
  await addText(flow, 'Signature certificate', TITLE, { width });
  leaveSpace(flow, 2);
  await addText(flow, transaction.name, NAME, { width });
  leaveSpace(flow, 4);
  const introduction =
    'This page is part of the sealed document. It records who signed, when, and exactly what was sealed.';
  await addText(flow, introduction, NOTE, { width });
  flow.y = Math.max(flow.y, sealBottom);
  leaveSpace(flow, 14);
}

const sealBottom = 54 + SEAL.height;

/** Writes a framed notice, so that the certificate of a test is not mistaken for a real one, and a reader knows who vouches for a real one. */
async function writeOwnAuthority(flow: Flow, issued: OwnAuthority): Promise<void> {
  const [top, padding] = [flow.y, 9];
  const [x, width] = [left + padding, contentWidth(flow) - 2 * padding];
  flow.y += padding - 2;
  await addText(flow, OWN_AUTHORITY_TITLES[issued.of], STRONG, { x, width });
  await addText(flow, ownAuthorityInWords(issued), BODY, { x, width });
  flow.y += padding;
  const frame = { x: left, y: top, width: contentWidth(flow), height: flow.y - top };
  frameBox(sheetOf(flow), frame, { color: INK, width: 0.75 });
  leaveSpace(flow, 14);
}

const LABEL_WIDTH = 84;

/** Writes a label and its value, on one line or more. */
async function writeFact(
  flow: Flow,
  label: string,
  words: string,
  style: ColumnStyle = BODY,
  x = left,
): Promise<void> {
  const at = x + LABEL_WIDTH;
  await writeRow(flow, [
    { ...LABEL, writeText: label, x, width: LABEL_WIDTH - GAP },
    { ...style, writeText: words, x: at, width: left + contentWidth(flow) - at },
  ]);
}

/** Writes two short values beside each other. */
async function writePair(
  flow: Flow,
  pairs: readonly (readonly [label: string, words: string])[],
): Promise<void> {
  const width = contentWidth(flow) / 2;
  const columns = pairs.flatMap(([label, words], index) => {
    const x = left + index * width;
    return [
      { ...LABEL, writeText: label, x, width: LABEL_WIDTH - GAP },
      { ...BODY, writeText: words, x: x + LABEL_WIDTH, width: width - LABEL_WIDTH - GAP },
    ];
  });
  await writeRow(flow, columns);
}

async function writeFacts(
  flow: Flow,
  { transaction, documents, documentId }: CertificateContent,
): Promise<void> {
  drawRule(flow);
  leaveSpace(flow, 8);
  const certified = documents.find(({ id }) => id === documentId);
  if (certified) await writeFact(flow, 'This document', certified.name, { ...BODY, typeface: BOLD });
  await writeFact(flow, 'Transaction', transaction.id, HASH);
  await writeFact(flow, 'Sent by', transaction.company);
  const { sentAt } = transaction;
  await writePair(flow, [
    ['Created', inUtc(transaction.createdAt)],
    ...(sentAt ? ([['Sent', inUtc(sentAt)]] as const) : []),
  ]);
  await writePair(flow, [
    ['Completed', inUtc(transaction.completedAt)],
    ['Sealed', inUtc(transaction.sealedAt)],
  ]);
  if (transaction.isOtherClock) await writeFact(flow, '', OTHER_CLOCK, NOTE);
  await writeFact(flow, 'Service', transaction.service);
}

function drawRule(flow: Flow): void {
  const [y, right] = [flow.y, left + contentWidth(flow)];
  drawStroke(
    sheetOf(flow),
    [
      { x: left, y },
      { x: right, y },
    ],
    { color: LINE, width: 0.75 },
  );
}

async function writeHeading(flow: Flow, words: string): Promise<void> {
  keepTogether(flow, 110);
  if (flow.y > TOP_OF_PAGE) leaveSpace(flow, 16);
  await addText(flow, words, HEADING);
  leaveSpace(flow, 3);
  drawRule(flow);
  leaveSpace(flow, 8);
}

const TOP_OF_PAGE = 54;

// ── people ──────────────────────────────────────────────────────────────────────────────────────────────────────

const BAR = 3;
const INDENT = 12;

async function writeParty(flow: Flow, party: Party): Promise<void> {
  keepTogether(flow, Math.min(heightOf(party), MOST_TOGETHER));
  const [start, page] = [flow.y, flow.sheets.length];
  const x = left + INDENT;
  const width = left + contentWidth(flow) - x;
  await writeRow(flow, [{ ...STRONG, writeText: party.name, x, width }]);
  await writeRow(flow, [{ ...NOTE, writeText: `${party.email}  ·  ${roleOf(party)}`, x, width }]);
  leaveSpace(flow, 2);
  if (party.signedAt) await writeFact(flow, 'Signed', momentOf(party, party.signedAt), BODY, x);
  if (party.identifiedBy) await writeFact(flow, 'Identified by', party.identifiedBy, BODY, x);
  await writeMarks(flow, party.marks, { label: LABEL, note: NOTE, x, labelWidth: LABEL_WIDTH });
  const styles = { label: LABEL, note: NOTE, value: BODY, hash: { ...HASH, size: 7 }, x };
  await writeValues(flow, party.values, { ...styles, labelWidth: LABEL_WIDTH });
  if (party.consent) {
    const version = `Consent to sign electronically, version ${party.consent.version}`;
    await writeFact(flow, 'Agreed to', version, BODY, x);
    await writeFact(flow, '', `SHA-256 ${party.consent.hash}`, HASH, x);
  }
  if (party.steps.length > 0) {
    leaveSpace(flow, 3);
    keepTogether(flow, 4 * STEP.size * 1.35);
    await addText(flow, 'Record', STEP, { x });
  }
  for (const step of party.steps) await writeStep(flow, step, x);
  drawBar(flow, { start, page, color: party.color.slice(1) });
  leaveSpace(flow, 12);
}

/** Estimates the height of an entry, so that most people are kept on one page. */
const heightOf = ({ steps, consent, marks, values }: Party): number =>
  45 +
  (consent ? 25 : 0) +
  Math.min(marks.length, CERTIFICATE_LIMITS.marks) * MARK_HEIGHT +
  values.length * VALUE_HEIGHT +
  steps.length * (2 * STEP.size * 1.35 + 2);
/** A person whose entry is higher than this may be split between two pages. */
const MOST_TOGETHER = 400;

/** A sender who only sends stands before the first. */
function roleOf({ role, index }: Party): string {
  const name = `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return index > 0 ? `${name}, number ${index} in the order` : name;
}

/** Writes a time, also in the time zone of the person's last step. */
function momentOf({ steps }: Party, at: string): string {
  const zone = steps.findLast(({ timeZone }) => timeZone !== null)?.timeZone ?? null;
  const local = inZone(at, zone);
  return local ? `${inUtc(at)}  ·  ${local}` : inUtc(at);
}

async function writeStep(flow: Flow, step: PartyStep, x: number): Promise<void> {
  const actionX = x + TIME_WIDTH;
  const from = actionX + WHAT_WIDTH;
  const local = inZone(step.at, step.timeZone);
  const last = inUtc(step.until ?? step.at);
  const times = [
    local ? `${inUtc(step.at)}  ·  ${local}` : inUtc(step.at),
    ...(last === inUtc(step.at) ? [] : [`last ${last}`]),
  ];
  keepTogether(flow, Math.max(2, times.length) * STEP.size * 1.35);
  await writeRow(flow, [
    { ...STEP, writeText: times, x, width: TIME_WIDTH - GAP },
    { ...STEP, color: INK, writeText: step.action, x: actionX, width: WHAT_WIDTH - GAP },
    { ...STEP, writeText: step.origin, x: from, width: left + contentWidth(flow) - from },
  ]);
  leaveSpace(flow, 2);
}

const STEP: ColumnStyle = { ...NOTE, size: 7.5 };
const GAP = 6;
const TIME_WIDTH = 190;
const WHAT_WIDTH = 144;

/** Draws a bar along the entry of a person, in the color of their fields on the pages. */
function drawBar(flow: Flow, { start, page, color }: { start: number; page: number; color: string }): void {
  for (let index = page - 1; index < flow.sheets.length; index += 1) {
    const from = index === page - 1 ? start : TOP_OF_PAGE;
    const to = index === flow.sheets.length - 1 ? flow.y : bottomOf(flow);
    fillBox(flow.sheets[index]!, { x: left, y: from, width: BAR, height: Math.max(0, to - from) }, color);
  }
}

// ── documents ───────────────────────────────────────────────────────────────────────────────────────────────────

/** A label with what is beside it is this high. */
const ROW = 12.5;

async function writeDocument(
  flow: Flow,
  document: CertifiedDocument,
  content: CertificateContent,
): Promise<void> {
  const { preparation } = document;
  const tags = Math.min(preparation?.removed_tags.length ?? 0, CERTIFICATE_LIMITS.removedTags);
  const rows = 4 + document.remarks.length + document.removed.length + (preparation ? 3 + tags : 0);
  keepTogether(flow, Math.min(rows * ROW, MOST_TOGETHER));
  const pages = document.pages === 1 ? '1 page' : `${document.pages} pages`;
  const suffix = document.id === content.documentId ? '  ·  this document' : '';
  await addText(flow, document.name, STRONG);
  await addText(flow, `${pages}${suffix}`, NOTE);
  if (preparation) await writePreparation(flow, preparation);
  await writeFact(flow, preparation ? 'Uploaded file' : 'Original', document.originalSha256, HASH);
  await writeFact(flow, 'Sealed content', document.contentSha256, HASH);
  for (const [index, remark] of document.remarks.entries())
    await writeFact(flow, index === 0 ? 'Remarks' : '', remark);
  for (const [index, removed] of document.removed.entries())
    await writeFact(flow, index === 0 ? 'Changed' : '', removed);
  leaveSpace(flow, 10);
}

/** Writes what the sender's program stated about the original. */
async function writePreparation(
  flow: Flow,
  preparation: NonNullable<CertifiedDocument['preparation']>,
): Promise<void> {
  const { original, removed_tags: tags } = preparation;
  await writeFact(flow, 'Original', original.sha256, HASH);
  await writeFact(flow, '', preparationInWords(preparation));
  const shown = tags.slice(0, CERTIFICATE_LIMITS.removedTags);
  for (const [index, { page, text }] of shown.entries())
    await writeFact(flow, index === 0 ? 'Removed tags' : '', `Page ${page + 1}: ${text}`);
  const others = tags.length - shown.length;
  if (others > 0) await writeFact(flow, '', `The attached record lists ${others} more.`);
}

// ── how to check ────────────────────────────────────────────────────────────────────────────────────────────────

const QR = 92;
/** The lines on how to check are about as high, with their heading. */
const CHECK = { usual: 156, dense: 119 };

async function writeCheck(flow: Flow, { link }: CertificateContent, sealed: StampedFile): Promise<void> {
  keepTogether(flow, flow.isDense ? CHECK.dense : CHECK.usual);
  await writeHeading(flow, 'How to check this document');
  const [top, page] = [flow.y, flow.sheets.length];
  const hasCode = link.length <= CERTIFICATE_LIMITS.linkCharacters;
  if (hasCode) drawQr(sheetOf(flow), link, { x: left, y: top + 2, width: QR, height: QR }, INK);
  const x = hasCode ? left + QR + 18 : left;
  const readers = 'PDF readers that support signatures show who sealed this file and whether it was changed.';
  await addText(flow, readers, BODY, { x });
  await writeCommand(flow, 'To check it offline:', 'esign verify FILE', x);
  leaveSpace(flow, 4);
  await addText(
    flow,
    `The sealed content is the first ${sealed.bytes} bytes of this file. Everything after them is this certificate and the seal. The SHA-256 of the sealed content is:`,
    BODY,
    { x },
  );
  await addText(flow, sealed.sha256, HASH, { x });
  await writeCommand(flow, 'To compute it:', `head -c ${sealed.bytes} FILE | sha256sum`, x);
  leaveSpace(flow, 4);
  const hash = sha256Of(sealed.evidence);
  await addText(
    flow,
    `The complete record is attached as ${sealed.evidenceName}. The SHA-256 of the record is:`,
    BODY,
    {
      x,
    },
  );
  await addText(flow, hash, HASH, { x });
  leaveSpace(flow, 4);
  await addText(flow, link, { ...HASH, color: ACCENT }, { x });
  if (flow.sheets.length === page) flow.y = Math.max(flow.y, top + QR + 4);
}

/** Writes what a command is for, and the command beside it. */
async function writeCommand(flow: Flow, purpose: string, command: string, x: number): Promise<void> {
  const { width } = flow.typesetting.measure(purpose, SANS);
  const at = x + width * BODY.size + 2 * GAP;
  await writeRow(flow, [
    // Wider by a point: what fits exactly stays on its line.
    { ...BODY, writeText: purpose, x, width: width * BODY.size + 1 },
    { ...HASH, size: BODY.size, writeText: command, x: at, width: left + contentWidth(flow) - at },
  ]);
}

/** Writes the footer of every page, once the number of pages is known. */
export async function writeFeet(flow: Flow, { transaction }: CertificateContent): Promise<void> {
  const pages = flow.sheets.length;
  // No new page begins in the room below.
  const size = { ...flow.size, height: flow.size.height + FOOT_HEIGHT };
  for (const [index, sheet] of flow.sheets.entries()) {
    const count = `Certificate ${index + 1} of ${pages}`;
    const width = flow.typesetting.measure(count, SANS).width * FOOT.size;
    const foot: Flow = { ...flow, size, sheets: [sheet], y: bottomOf(flow) + 14 };
    drawRule(foot);
    foot.y += 6;
    const [end, most] = [left + contentWidth(flow) - width, contentWidth(flow) - width - 12];
    await writeRow(foot, [
      { ...FOOT, writeText: `Transaction ${transaction.id}`, x: left, width: most },
      { ...FOOT, writeText: count, x: end, width: width + 4 },
    ]);
  }
}

const FOOT: ColumnStyle = { ...NOTE, size: 7.5 };
const FOOT_HEIGHT = 100;

/** The smallest version that has room is used, and 15 % may be damaged. */
const SMALLEST_THAT_FITS = 0;
const CORRECTION = 'M';

function drawQr(sheet: FormXObjectBuilder, text: string, { x, y, width }: Box, color: string): void {
  const code = qrcode(SMALLEST_THAT_FITS, CORRECTION);
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount();
  const module = width / count;
  const boxes: Box[] = [];
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      let end = column + 1;
      while (end < count && code.isDark(row, end)) end += 1;
      const box = {
        x: x + column * module,
        y: y + row * module,
        width: (end - column) * module,
        height: module,
      };
      boxes.push(box);
      column = end;
    }
  fillBoxes(sheet, boxes, color);
}
