// Distributes laid-out lines and rows over pages: columns, footnotes, headers and footers with page numbers, and floating
// content. Every line is placed on some page, whatever a document asks for.

import { createTypesetting } from '../pdf/fonts/typesetting.ts';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { layoutBlocks } from './blocks.ts';
import {
  type DisplayItem,
  type Floating,
  heightOf,
  type LayoutContext,
  type LineBox,
  lineBox,
  stacked,
  translated,
} from './display-items.ts';
import { fitting, type PageNumbers } from './inline-items.ts';
import type { Block, Drawing, HeaderFooter, NoteKey, PageStyle, Section, WordDocument } from './model.ts';
import { tooManyPages } from './not-usable.ts';
import { writtenNumber } from './numbering.ts';

export type LaidOutPage = {
  width: number;
  height: number;
  marks: DisplayItem[];
  /** They stand behind and before everything, from the top left corner of the page. */
  behind: DisplayItem[];
  watermarks: string[];
};

type Built = LaidOutPage & { section: Section; number: number; isFirstOfSection: boolean; ofSection: number };
type Area = { top: number; bottom: number; left: number; columnWidth: number; columns: number; gap: number };

const PLACEHOLDER: PageNumbers = { page: '00', pages: '00', 'section-pages': '00' };
const LEAST_HEIGHT = 36;

export function layoutPages(document: WordDocument): LaidOutPage[] {
  const context: LayoutContext = {
    typesetting: createTypesetting(),
    defaultTab: document.defaultTab,
    pageHeight: 0,
    numbers: PLACEHOLDER,
    background: undefined,
    markOf: (note) => document.notes.get(note)?.mark ?? '',
    layoutBlocks,
  };
  const pages = new PageBuilder(document, context);
  for (const [index, section] of document.sections.entries()) {
    pages.begin(section, index);
    pages.add(section.blocks);
  }
  pages.addEndnotes();
  return pages.finish();
}

/** Distributes boxes over pages, one section after the other. */
class PageBuilder {
  readonly #notes: WordDocument['notes'];
  readonly #context: LayoutContext;
  readonly #built: Built[] = [];
  #section!: Section;
  #sectionIndex = -1;
  #area!: Area;
  #y = 0;
  #column = 0;
  /** A section may begin in the middle of a page, below what is on it. */
  #columnTop = 0;
  #footnotes: LineBox[] = [];
  #isFresh = true;
  readonly #late: NoteKey[] = [];
  readonly #shown = new Set<NoteKey>();
  readonly #laidNotes = new Map<string, LineBox[]>();

  constructor({ notes }: WordDocument, context: LayoutContext) {
    this.#notes = notes;
    this.#context = context;
  }

  #openPage(isFirstOfSection: boolean): void {
    if (this.#built.length === DOCUMENT_LIMITS.docxPages) throw tooManyPages(this.#built.length + 1);
    const before = this.#built.at(-1);
    const number = isFirstOfSection
      ? (this.#section.firstNumber ?? (before?.number ?? 0) + 1)
      : (before?.number ?? 0) + 1;
    const { width, height } = this.#section.page;
    const page: Built = {
      width,
      height,
      marks: [],
      behind: [],
      watermarks: [],
      section: this.#section,
      number,
      isFirstOfSection,
      ofSection: this.#sectionIndex,
    };
    this.#built.push(page);
    this.#area = areaOf(page, this.#context);
    this.#columnTop = this.#area.top;
    this.#y = this.#area.top;
    this.#column = 0;
    this.#isFresh = true;
  }

  /** Finishes the page and places its notes at the foot. */
  #closePage(): void {
    const page = this.#built.at(-1);
    if (page && this.#footnotes.length > 0) {
      const all = [separator(this.#area.columnWidth), ...this.#footnotes];
      page.marks.push(...stacked(all, this.#area.left, this.#area.bottom - heightOf(all)));
    }
    this.#footnotes = [];
  }

  #nextPage(): void {
    this.#closePage();
    this.#openPage(false);
  }

  #nextColumn(): void {
    if (this.#column + 1 >= this.#area.columns) {
      this.#nextPage();
      return;
    }
    this.#column += 1;
    this.#y = this.#columnTop;
    this.#isFresh = true;
  }

  #room(): number {
    return this.#area.bottom - this.#y - this.#noteHeight(this.#footnotes);
  }

  #noteHeight(lineBoxes: readonly LineBox[]): number {
    return lineBoxes.length === 0 ? 0 : heightOf([separator(this.#area.columnWidth), ...lineBoxes]);
  }

  /** Lays out the notes that a line refers to; those that are too long for the foot of the page follow at the end. */
  #notesOf({ notes: keys }: LineBox): LineBox[] {
    return keys.flatMap((key) => {
      const note = this.#notes.get(key);
      if (!note || this.#shown.has(key)) return [];
      const laid = note.kind === 'footnote' ? this.#layoutNote(key) : [];
      if (laid.length > 0 && heightOf(laid) < (this.#area.bottom - this.#area.top) / 2) return laid;
      if (!this.#late.includes(key)) this.#late.push(key);
      return [];
    });
  }

  #layoutNote(key: NoteKey): LineBox[] {
    const place = `${this.#area.columnWidth} ${key}`;
    const laid =
      this.#laidNotes.get(place) ??
      layoutBlocks(this.#notes.get(key)?.blocks ?? [], this.#area.columnWidth, this.#contextHere());
    this.#laidNotes.set(place, laid);
    return laid;
  }

  #contextHere(): LayoutContext {
    return { ...this.#context, pageHeight: this.#area.bottom - this.#area.top };
  }

  #place(lineBox: LineBox): void {
    const page = this.#built.at(-1)!;
    const x = this.#area.left + this.#column * (this.#area.columnWidth + this.#area.gap);
    this.#footnotes.push(...this.#notesOf(lineBox));
    for (const key of lineBox.notes) this.#shown.add(key);
    const before = this.#isFresh && this.#y === this.#area.top && this.#built.length > 1 ? 0 : lineBox.before;
    for (const mark of lineBox.marks) page.marks.push(translated(mark, x, this.#y + before));
    for (const floating of lineBox.floating)
      addFloating(page, floating, { x, y: this.#y + before, width: this.#area.columnWidth });
    this.#y += before + lineBox.height + lineBox.after;
    this.#isFresh = false;
  }

  #fits(lineBoxes: readonly LineBox[]): boolean {
    const last = lineBoxes.at(-1);
    const height = heightOf(lineBoxes) - (last?.after ?? 0);
    const added = lineBoxes.flatMap((lineBox) => this.#notesOf(lineBox));
    const extra =
      added.length === 0
        ? 0
        : this.#noteHeight([...this.#footnotes, ...added]) - this.#noteHeight(this.#footnotes);
    return height + extra <= this.#room() + 0.01;
  }

  #placeWhole(lineBox: LineBox): void {
    if (this.#fits([lineBox])) {
      this.#place(lineBox);
      return;
    }
    const halves =
      lineBox.isKeptTogether && !this.#isFresh ? undefined : lineBox.split?.(this.#room() - lineBox.before);
    if (halves) {
      this.#place(halves[0]);
      this.#nextColumn();
      this.#placeWithHeads(halves[1], lineBox.heads);
    } else if (this.#isFresh) this.#place(lineBox);
    else {
      this.#nextColumn();
      this.#placeWithHeads(lineBox, lineBox.heads);
    }
  }

  #placeWithHeads(lineBox: LineBox, heads: readonly LineBox[]): void {
    for (const head of heads) if (this.#fits([head])) this.#place(head);
    if (heads.length > 0) this.#isFresh = true;
    this.#placeWhole({ ...lineBox, heads: lineBox.heads.length > 0 ? lineBox.heads : heads });
  }

  #addLineBoxes(lineBoxes: readonly LineBox[]): void {
    for (let at = 0; at < lineBoxes.length; ) {
      const first = lineBoxes[at]!;
      if (first.starts === 'page' && !(this.#isFresh && this.#y === this.#area.top && this.#column === 0))
        this.#nextPage();
      if (first.starts === 'column' && !this.#isFresh) this.#nextColumn();
      let end = at + 1;
      while (end < lineBoxes.length && lineBoxes[end - 1]!.isKeptWithNext && !lineBoxes[end]!.starts)
        end += 1;
      const group = lineBoxes.slice(at, end);
      if (!this.#fits(group) && !this.#isFresh && heightOf(group) <= this.#area.bottom - this.#columnTop) {
        const isRow = group[0]!.split !== undefined && group.length === 1 && !group[0]!.isKeptTogether;
        if (!isRow) {
          this.#nextColumn();
          for (const head of first.heads) this.#place(head);
        }
      }
      for (const lineBox of group) this.#placeWhole(lineBox);
      at = end;
    }
  }

  begin(next: Section, index: number): void {
    const isSamePaper = this.#built.length > 0 && isSamePage(this.#section.page, next.page);
    this.#section = next;
    this.#sectionIndex = index;
    if (next.begins === 'here' && isSamePaper) {
      this.#beginHere();
      return;
    }
    this.#closePage();
    this.#openPage(true);
    const parity = next.begins === 'even' ? 0 : next.begins === 'odd' ? 1 : undefined;
    const isNumbered = next.firstNumber !== undefined || index === 0;
    if (parity !== undefined && !isNumbered && this.#built.at(-1)!.number % 2 !== parity) this.#nextPage();
  }

  /** Begins the section below what is on the page already, in columns of its own. */
  #beginHere(): void {
    const page = this.#built.at(-1)!;
    const lowest = page.marks.length > 0 ? Math.max(this.#y, lowestOf(page, this.#area)) : this.#y;
    if (this.#area.bottom - lowest - this.#noteHeight(this.#footnotes) < LEAST_HEIGHT) {
      this.#nextPage();
      return;
    }
    const { top, bottom } = this.#area;
    const area = { ...areaOf({ ...page, section: this.#section }, this.#context), top, bottom };
    this.#area = area;
    this.#y = area.columns > 1 || this.#column > 0 ? lowest : this.#y;
    this.#columnTop = this.#y;
    this.#column = 0;
  }

  add(blocks: readonly Block[]) {
    this.#addLineBoxes(layoutBlocks(blocks, this.#area.columnWidth, this.#contextHere()));
  }

  addEndnotes() {
    // Those that only a note or a header names are shown here as well.
    for (const key of this.#notes.keys())
      if (!this.#shown.has(key) && !this.#late.includes(key)) this.#late.push(key);
    if (this.#late.length === 0) return;
    this.#addLineBoxes([
      lineBox(12),
      separator(this.#area.columnWidth),
      ...this.#late.flatMap((lineBox) => this.#layoutNote(lineBox)),
    ]);
  }

  finish(): LaidOutPage[] {
    this.#closePage();
    for (const page of this.#built) addHeaderAndFooter(page, this.#built, this.#context);
    return this.#built;
  }
}

const isSamePage = (a: PageStyle, b: PageStyle): boolean =>
  Math.abs(a.width - b.width) < 1 && Math.abs(a.height - b.height) < 1;

function lowestOf(page: LaidOutPage, area: Area): number {
  let lowest = 0;
  for (const mark of page.marks) {
    const bottom = mark.kind === 'text' ? mark.y + mark.size * 0.3 : mark.y + mark.height;
    if (bottom <= area.bottom) lowest = Math.max(lowest, bottom);
  }
  return lowest;
}

const separator = (width: number): LineBox =>
  lineBox(8, [{ kind: 'bar', x: 0, y: 4, width: Math.min(144, width), height: 0.5, color: '000000' }], {
    isKeptWithNext: true,
  });

// --- Headers and footers. ---

function blocksOfPage(running: HeaderFooter, { number, isFirstOfSection }: Built): Block[] {
  if (isFirstOfSection && running.first) return running.first;
  return number % 2 === 0 && running.even ? running.even : running.default;
}

const textWidth = ({ width, left, right }: PageStyle): number => Math.max(LEAST_HEIGHT, width - left - right);

/** A header that is higher than its margin moves the text down; it never takes more than a third of the page. */
function areaOf(page: Built, context: LayoutContext): Area {
  const { page: paper, columns, columnGap, headers, footers } = page.section;
  const width = textWidth(paper);
  const most = paper.height / 3;
  const heightIn = (running: HeaderFooter) =>
    Math.min(
      most,
      heightOf(layoutBlocks(blocksOfPage(running, page), width, { ...context, pageHeight: most })),
    );
  const top = Math.max(paper.top, paper.header + heightIn(headers));
  const bottom = paper.height - Math.max(paper.bottom, paper.footer + heightIn(footers));
  const gap = Math.min(columnGap, width / columns / 2);
  return {
    top: bottom - top < LEAST_HEIGHT ? paper.top : top,
    bottom: bottom - top < LEAST_HEIGHT ? paper.height - paper.bottom : bottom,
    left: paper.left,
    columnWidth: (width - gap * (columns - 1)) / columns,
    columns,
    gap,
  };
}

function addHeaderAndFooter(page: Built, all: readonly Built[], context: LayoutContext): void {
  const { page: paper, headers, footers, numberFormat } = page.section;
  const ofSection = all.filter((built) => built.ofSection === page.ofSection).length;
  const numbers: PageNumbers = {
    page: writtenNumber(page.number, numberFormat),
    pages: `${all.length}`,
    'section-pages': `${ofSection}`,
  };
  const width = textWidth(paper);
  const here = { ...context, numbers, pageHeight: paper.height / 3 };
  const header = layoutBlocks(blocksOfPage(headers, page), width, here);
  const footer = layoutBlocks(blocksOfPage(footers, page), width, here);
  const place = (lineBoxes: readonly LineBox[], top: number) => {
    page.marks.push(...stacked(lineBoxes, paper.left, top));
    for (const { floating } of lineBoxes)
      for (const lineBox of floating) addFloating(page, lineBox, { x: paper.left, y: top, width });
  };
  place(header, paper.header);
  place(footer, Math.max(0, paper.height - paper.footer - heightOf(footer)));
}

// --- What has its own place on the page. ---

type Spot = { x: number; y: number; width: number };

function addFloating(page: Built, floating: Floating, spot: Spot): void {
  if (floating.kind === 'watermark') {
    page.watermarks.push(floating.text);
    return;
  }
  const drawing = fitting(floating.drawing, page);
  const x = across(drawing, page, spot);
  const y = down(drawing, page, spot);
  // Behind the text also where the document has it in front: what is signed must be legible.
  page.behind.push({ kind: 'picture', x, y, width: drawing.width, height: drawing.height, drawing });
}

function across({ width, anchor }: Drawing, { section: { page } }: Built, spot: Spot): number {
  const { from = 'text', offset = 0, align } = anchor?.x ?? {};
  const left = from === 'page' ? 0 : from === 'margin' ? page.left : spot.x;
  const room = from === 'page' ? page.width : from === 'margin' ? textWidth(page) : spot.width;
  const at =
    align === 'center' ? left + (room - width) / 2 : align === 'right' ? left + room - width : left + offset;
  return Math.min(page.width - width, Math.max(0, at));
}

function down({ height, anchor }: Drawing, { section: { page } }: Built, spot: Spot): number {
  const { from = 'text', offset = 0, align } = anchor?.y ?? {};
  const top = from === 'page' ? 0 : from === 'margin' ? page.top : spot.y;
  const room = from === 'page' ? page.height : page.height - page.top - page.bottom;
  const at =
    align === 'center' ? top + (room - height) / 2 : align === 'bottom' ? top + room - height : top + offset;
  return Math.min(page.height - height, Math.max(0, at));
}
