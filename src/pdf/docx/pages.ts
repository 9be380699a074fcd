// Distributes laid-out lines and rows over pages: columns, footnotes, headers and footers with page numbers, and floating
// content. Every line is placed on some page, whatever a document asks for.

import { createTypesetting } from '../fonts/typesetting.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { layoutBlocks } from './blocks.ts';
import {
  type DisplayItem,
  type Floating,
  heightOf,
  type LineBox,
  lineBox,
  stacked,
  translated,
} from './display-items.ts';
import { fitting, type PageNumbers } from './inline-items.ts';
import type { LayoutContext } from './layout.ts';
import type { Block, Drawing, NoteKey, PageStyle, Running, Section, WordDocument } from './model.ts';
import { tooManyPages } from './not-usable.ts';
import { writtenNumber } from './numbers.ts';

export type LaidOutPage = {
  width: number;
  height: number;
  marks: DisplayItem[];
  /** Behind and before everything, from the top left corner of the page. */
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
  const pages = createPages(document, context);
  for (const [index, section] of document.sections.entries()) {
    pages.begin(section, index);
    pages.add(section.blocks);
  }
  pages.addEndnotes();
  return pages.finish();
}

function createPages({ notes }: WordDocument, context: LayoutContext) {
  const built: Built[] = [];
  let section!: Section;
  let sectionIndex = -1;
  let area!: Area;
  let y = 0;
  let column = 0;
  /** Top of what is on this page of the section: a section may begin in the middle of a page. */
  let columnTop = 0;
  let footnotes: LineBox[] = [];
  let isFresh = true;
  const late: NoteKey[] = [];
  const shown = new Set<NoteKey>();

  function openPage(isFirstOfSection: boolean): void {
    if (built.length === DOCUMENT_LIMITS.docxPages) throw tooManyPages(built.length + 1);
    const before = built.at(-1);
    const number = isFirstOfSection
      ? (section.firstNumber ?? (before?.number ?? 0) + 1)
      : (before?.number ?? 0) + 1;
    const { width, height } = section.page;
    const page: Built = {
      width,
      height,
      marks: [],
      behind: [],
      watermarks: [],
      section,
      number,
      isFirstOfSection,
      ofSection: sectionIndex,
    };
    built.push(page);
    area = areaOf(page, context);
    columnTop = area.top;
    y = area.top;
    column = 0;
    isFresh = true;
  }

  /** Finishes the page and places its notes at the foot. */
  function closePage(): void {
    const page = built.at(-1);
    if (page && footnotes.length > 0) {
      const all = [separator(area.columnWidth), ...footnotes];
      page.marks.push(...stacked(all, area.left, area.bottom - heightOf(all)));
    }
    footnotes = [];
  }

  function nextPage(): void {
    closePage();
    openPage(false);
  }

  function nextColumn(): void {
    if (column + 1 >= area.columns) {
      nextPage();
      return;
    }
    column += 1;
    y = columnTop;
    isFresh = true;
  }

  const room = (): number => area.bottom - y - noteHeight(footnotes);
  const noteHeight = (lineBoxes: readonly LineBox[]): number =>
    lineBoxes.length === 0 ? 0 : heightOf([separator(area.columnWidth), ...lineBoxes]);

  /** Lays out the notes that a line refers to; those that are too long for the foot of the page follow at the end. */
  function notesOf({ notes: keys }: LineBox): LineBox[] {
    return keys.flatMap((key) => {
      const note = notes.get(key);
      if (!note || shown.has(key)) return [];
      const laid = note.kind === 'footnote' ? layoutNote(key) : [];
      if (laid.length > 0 && heightOf(laid) < (area.bottom - area.top) / 2) return laid;
      if (!late.includes(key)) late.push(key);
      return [];
    });
  }

  const laidNotes = new Map<string, LineBox[]>();
  function layoutNote(key: NoteKey): LineBox[] {
    const place = `${area.columnWidth} ${key}`;
    const laid =
      laidNotes.get(place) ?? layoutBlocks(notes.get(key)?.blocks ?? [], area.columnWidth, contextHere());
    laidNotes.set(place, laid);
    return laid;
  }
  const contextHere = (): LayoutContext => ({ ...context, pageHeight: area.bottom - area.top });

  function place(one: LineBox): void {
    const page = built.at(-1)!;
    const x = area.left + column * (area.columnWidth + area.gap);
    footnotes.push(...notesOf(one));
    for (const key of one.notes) shown.add(key);
    const before = isFresh && y === area.top && built.length > 1 ? 0 : one.before;
    for (const mark of one.marks) page.marks.push(translated(mark, x, y + before));
    for (const floating of one.floating)
      addFloating(page, floating, { x, y: y + before, width: area.columnWidth });
    y += before + one.height + one.after;
    isFresh = false;
  }

  const fits = (lineBoxes: readonly LineBox[]): boolean => {
    const last = lineBoxes.at(-1);
    const height = heightOf(lineBoxes) - (last?.after ?? 0);
    const added = lineBoxes.flatMap(notesOf);
    const extra = added.length === 0 ? 0 : noteHeight([...footnotes, ...added]) - noteHeight(footnotes);
    return height + extra <= room() + 0.01;
  };

  function placeWhole(one: LineBox): void {
    if (fits([one])) {
      place(one);
      return;
    }
    const halves = one.isKeptTogether && !isFresh ? undefined : one.split?.(room() - one.before);
    if (halves) {
      place(halves[0]);
      nextColumn();
      placeWithHeads(halves[1], one.heads);
    } else if (isFresh) place(one);
    else {
      nextColumn();
      placeWithHeads(one, one.heads);
    }
  }

  function placeWithHeads(one: LineBox, heads: readonly LineBox[]): void {
    for (const head of heads) if (fits([head])) place(head);
    if (heads.length > 0) isFresh = true;
    placeWhole({ ...one, heads: one.heads.length > 0 ? one.heads : heads });
  }

  function addLineBoxes(lineBoxes: readonly LineBox[]): void {
    for (let at = 0; at < lineBoxes.length; ) {
      const first = lineBoxes[at]!;
      if (first.starts === 'page' && !(isFresh && y === area.top && column === 0)) nextPage();
      if (first.starts === 'column' && !isFresh) nextColumn();
      let end = at + 1;
      while (end < lineBoxes.length && lineBoxes[end - 1]!.isKeptWithNext && !lineBoxes[end]!.starts)
        end += 1;
      const group = lineBoxes.slice(at, end);
      if (!fits(group) && !isFresh && heightOf(group) <= area.bottom - columnTop) {
        const isRow = group[0]!.split !== undefined && group.length === 1 && !group[0]!.isKeptTogether;
        if (!isRow) {
          nextColumn();
          for (const head of first.heads) place(head);
        }
      }
      for (const one of group) placeWhole(one);
      at = end;
    }
  }

  return {
    begin(next: Section, index: number) {
      const isSamePaper = built.length > 0 && isSamePage(section.page, next.page);
      section = next;
      sectionIndex = index;
      if (next.begins === 'here' && isSamePaper) {
        // Below whatever is on the page already, in columns of its own.
        const page = built.at(-1)!;
        const lowest = page.marks.length > 0 ? Math.max(y, lowestOf(page, area)) : y;
        const isFull = area.bottom - lowest - noteHeight(footnotes) < LEAST_HEIGHT;
        if (isFull) nextPage();
        else {
          area = { ...areaOf({ ...page, section: next }, context), top: area.top, bottom: area.bottom };
          y = area.columns > 1 || column > 0 ? lowest : y;
          columnTop = y;
          column = 0;
        }
        return;
      }
      closePage();
      openPage(true);
      const wanted = next.begins === 'even' ? 0 : next.begins === 'odd' ? 1 : undefined;
      if (
        wanted !== undefined &&
        next.firstNumber === undefined &&
        built.at(-1)!.number % 2 !== wanted &&
        index > 0
      )
        nextPage();
    },
    add(blocks: readonly Block[]) {
      addLineBoxes(layoutBlocks(blocks, area.columnWidth, contextHere()));
    },
    addEndnotes() {
      // Those that only a note or a header names are shown here as well.
      for (const key of notes.keys()) if (!shown.has(key) && !late.includes(key)) late.push(key);
      if (late.length === 0) return;
      addLineBoxes([lineBox(12), separator(area.columnWidth), ...late.flatMap(layoutNote)]);
    },
    finish(): LaidOutPage[] {
      closePage();
      for (const page of built) addRunning(page, built, context);
      return built;
    },
  };
}

const isSamePage = (one: PageStyle, other: PageStyle): boolean =>
  Math.abs(one.width - other.width) < 1 && Math.abs(one.height - other.height) < 1;

/** Where the lowest text of the columns ends. */
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

function runningOf(running: Running, { number, isFirstOfSection }: Built): Block[] {
  if (isFirstOfSection && running.first) return running.first;
  return number % 2 === 0 && running.even ? running.even : running.default;
}

const textWidth = ({ width, left, right }: PageStyle): number => Math.max(LEAST_HEIGHT, width - left - right);

/** A header that is higher than its margin moves the text down; it never takes more than a third of the page. */
function areaOf(page: Built, context: LayoutContext): Area {
  const { page: paper, columns, columnGap, headers, footers } = page.section;
  const width = textWidth(paper);
  const most = paper.height / 3;
  const heightIn = (running: Running) =>
    Math.min(most, heightOf(layoutBlocks(runningOf(running, page), width, { ...context, pageHeight: most })));
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

function addRunning(page: Built, all: readonly Built[], context: LayoutContext): void {
  const { page: paper, headers, footers, numberFormat } = page.section;
  const ofSection = all.filter((one) => one.ofSection === page.ofSection).length;
  const numbers: PageNumbers = {
    page: writtenNumber(page.number, numberFormat),
    pages: `${all.length}`,
    'section-pages': `${ofSection}`,
  };
  const width = textWidth(paper);
  const here = { ...context, numbers, pageHeight: paper.height / 3 };
  const header = layoutBlocks(runningOf(headers, page), width, here);
  const footer = layoutBlocks(runningOf(footers, page), width, here);
  const place = (lineBoxes: readonly LineBox[], top: number) => {
    page.marks.push(...stacked(lineBoxes, paper.left, top));
    for (const { floating } of lineBoxes)
      for (const one of floating) addFloating(page, one, { x: paper.left, y: top, width });
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
