// Removes texts in double braces from a document: their glyphs from the content of pages and drawings, and their copies elsewhere. The
// document is written anew, so that the old bytes are gone, and refused where anything else would change. The same document and texts
// give the same bytes. `inspectPdf` has accepted the document.
import * as lib from '@cantoo/pdf-lib';
import { ParseSpeeds, PDFDict, PDFDocument } from '@cantoo/pdf-lib';
import { readContent } from '../../content/content-syntax.ts';
import type { FollowedContent, Glyph } from '../../content/follow-text.ts';
import type { TooComplex } from '../../limits.ts';
import { userUnitsOf, withForm, withPage } from '../../read/open-page.ts';
import { type Pdfium, withDocument } from '../../read/pdfium.ts';
import { type PdfFile, readPdf } from '../../read/read-pdf.ts';
import { leavesOf } from '../../read/repair.ts';
import { soundCopy } from '../../read/sound-copy.ts';
import { type BracedText, findBracedTexts, withTextPage } from '../../text/braced-texts.ts';
import { writePdf } from '../write-pdf.ts';
import { applyRemoval, type ChangedPage, contentsOn, followPage, listPages } from './apply-removal.ts';
import { checkRemoval, type RemainingPage, readRemaining } from './check-removal.ts';
import { type CharacterRange, chooseGlyphs, type PageCharacter, readCharacters } from './choose-glyphs.ts';
import { removeCopies } from './copies.ts';
import { type BracedPlace, type NotRemovable, notRemovable, type TextsRemoved } from './removal.ts';

export async function removeBraced(bytes: Uint8Array, texts: readonly BracedPlace[]): Promise<TextsRemoved> {
  const copy = await soundCopy(bytes);
  if (!copy.ok) return copy.reason === 'too_complex' ? copy : notRemovable('unreadable');
  const before = await readBefore(bytes, copy.pdf, texts);
  if ('ok' in before) return before;
  const document = await PDFDocument.load(copy.pdf, {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
  }).catch(() => undefined);
  const leaves = document?.catalog instanceof PDFDict ? leavesOf({ lib, document }) : undefined;
  const file = readPdf(copy.pdf);
  const pages = file.ok && !file.locked ? listPages(file.latest) : undefined;
  if (!document || !file.ok || !leaves || leaves.length !== before.length || pages?.length !== before.length)
    return notRemovable('unreadable');
  if (hasSignature(file)) return notRemovable('signed');
  const chosen = chooseOnPages(before, (page) => followPage(file.latest, pages[page]!));
  if ('ok' in chosen) return chosen;
  const { removed, changed } = chosen;
  const contents = hasDrawnTexts(changed, removed)
    ? pages.map((page, index) => changed.get(index) ?? followPage(file.latest, page))
    : [...changed.values()];
  const unknown = contents.indexOf(undefined);
  if (unknown !== -1) return notRemovable('content', { page: unknown });
  const pagesToWrite = [...changed].map(([page, content]): ChangedPage => ({ leaf: leaves[page]!, content }));
  const removal = {
    view: file.latest,
    context: document.context,
    removed,
    contents: contents as FollowedContent[],
  };
  if (file.isExhausted() || !applyRemoval(removal, pagesToWrite)) return notRemovable('unreadable');
  const remainingCopy = removeCopies(
    document.context,
    texts.map(({ text }) => text),
  );
  if (remainingCopy) return notRemovable('copy', remainingCopy);
  await document.flush();
  const pdf = writePdf(document.context, bytes);
  const failed = await checkRemoval(pdf, before, (page) => before[page]?.unit ?? 1);
  return failed ?? { ok: true, pdf };
}

/** Tells whether something covers the bytes of the file, also where the form does not list it. */
function hasSignature({ latest, highestNumber }: PdfFile): boolean {
  for (let number = 1; number <= highestNumber; number += 1)
    if (latest.dict(latest.object(number)?.value)?.has('ByteRange')) return true;
  return false;
}

// ── what the pages show ─────────────────────────────────────────────────────────────────────────────────────────

type Range = CharacterRange & { text: string };

type PageBefore = RemainingPage & { ranges: Range[]; characters: PageCharacter[]; unit: number };

async function readBefore(
  bytes: Uint8Array,
  copy: Uint8Array,
  texts: readonly BracedPlace[],
): Promise<PageBefore[] | NotRemovable | TooComplex> {
  const locked = await withDocument(bytes, whyLocked, { wasAccepted: true });
  if (!locked.ok) return locked.reason === 'too_complex' ? locked : notRemovable('unreadable');
  if (locked.value) return notRemovable(locked.value);
  const opened = await withDocument(
    copy,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, copy);
      const pages: PageBefore[] = [];
      return withForm(pdfium, document, (form) => {
        for (let page = 0; page < pdfium.FPDF_GetPageCount(document); page += 1) {
          const wanted = texts.filter((text) => text.page === page);
          const unit = units(page);
          const result = withPage(pdfium, document, { pageIndex: page, unit }, (open) =>
            readPage(pdfium, { ...open, form }, wanted, unit),
          );
          if ('ok' in result) return result;
          pages.push(result);
        }
        return pages;
      });
    },
    { wasAccepted: true },
  );
  if (opened.ok) return opened.value;
  return opened.reason === 'too_complex' ? opened : { ok: false, reason: 'too_complex', limit: 'crash' };
}

function whyLocked(pdfium: Pdfium, document: number): 'encrypted' | 'signed' | undefined {
  if (pdfium.EPDF_IsEncrypted(document)) return 'encrypted';
  return pdfium.FPDF_GetSignatureCount(document) > 0 ? 'signed' : undefined;
}

function readPage(
  pdfium: Pdfium,
  open: Parameters<typeof readRemaining>[1],
  wanted: readonly BracedPlace[],
  unit: number,
): PageBefore | NotRemovable {
  const braced =
    wanted.length === 0
      ? []
      : (withTextPage(pdfium, open, (text) => findBracedTexts(pdfium, text, open))?.texts ?? []);
  const chosen: BracedText[] = [];
  for (const { index, text, page } of wanted) {
    const match = braced[index];
    if (match?.text !== text) return notRemovable('glyphs', { page, text });
    chosen.push(match);
  }
  const isRemoved = (index: number) => chosen.some(({ from, to }) => index >= from && index < to);
  const characters =
    chosen.length === 0 ? [] : (withTextPage(pdfium, open, (text) => readCharacters(pdfium, text)) ?? []);
  const boxes = chosen.flatMap((text) => text.boxes);
  return { ...readRemaining(pdfium, open, { boxes, isRemoved }), ranges: chosen, characters, unit };
}

// ── which glyphs show the texts ─────────────────────────────────────────────────────────────────────────────────

type ChosenOnPages = { removed: Set<Glyph>; changed: Map<number, FollowedContent> };

function chooseOnPages(
  pages: readonly PageBefore[],
  follow: (page: number) => FollowedContent | undefined,
): ChosenOnPages | NotRemovable {
  const removed = new Set<Glyph>();
  const changed = new Map<number, FollowedContent>();
  for (const [page, { ranges, characters }] of pages.entries()) {
    if (ranges.length === 0) continue;
    const content = follow(page);
    if (!content || !isReadAlike(content)) return notRemovable('content', { page, text: ranges[0]?.text });
    const glyphs = [...contentsOn(content)].flatMap(({ shows }) => shows.flatMap((show) => show.glyphs));
    const chosen = chooseGlyphs(glyphs, characters, ranges);
    if (!chosen.ok) return notRemovable(chosen.why, { page, text: (chosen.range as Range).text });
    for (const glyph of chosen.removed) removed.add(glyph);
    changed.set(page, content);
  }
  return { removed, changed };
}

/** Viewers must read the same in the content. */
const isReadAlike = (content: FollowedContent): boolean =>
  [...contentsOn(content)].every((item) => readContent(item.content).isSound);

const hasDrawnTexts = (changed: ReadonlyMap<number, FollowedContent>, removed: ReadonlySet<Glyph>): boolean =>
  [...changed.values()].some((page) =>
    [...contentsOn(page)].some(
      ({ object, shows }) =>
        object !== undefined && shows.some(({ glyphs }) => glyphs.some((glyph) => removed.has(glyph))),
    ),
  );
