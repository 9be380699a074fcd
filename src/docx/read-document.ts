// Reads the parts of a DOCX into the model: sections with their headers and footers, and the notes.

import type { PdfRemark } from '../pdf/remarks.ts';
import { isOn, lookUp, twips, whole } from './attributes.ts';
import type {
  Block,
  HeaderFooter,
  Note,
  NoteKey,
  NoteKind,
  PageStyle,
  Section,
  TrackedChanges,
  WordDocument,
} from './model.ts';
import { unreadableDocx } from './not-usable.ts';
import { readNumbering, writtenNumber } from './numbering.ts';
import type { PackageParts } from './package.ts';
import { readBlocks } from './read-blocks.ts';
import type { ReadContext } from './read-context.ts';
import { listPropertiesOf, readStyles } from './styles.ts';
import { childElementsOf, childOf, childrenNamed, chosenOf, type Element, isElement, val } from './xml.ts';

/** @throws NotUsable */
export function readWordDocument(parts: PackageParts): WordDocument {
  const root = parts.xml(parts.main);
  const body = childOf(root, 'w:body');
  if (!root || !body) throw unreadableDocx();
  const styles = readStyles(parts);
  const numbering = readNumbering(parts, (style) => {
    const chain = styles.find(style)?.chain ?? [];
    return chain
      .map((item) => listPropertiesOf(childOf(item, 'w:pPr'))?.list)
      .findLast((list) => list !== undefined);
  });
  const settings = settingsOf(parts);
  const counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  const references = new Map<NoteKey, Reference>();
  const context: ReadContext = {
    parts,
    part: parts.main,
    styles,
    numbering,
    inHeaderFooter: false,
    tally: {
      tables: 0,
      formulas: { count: 0, unknown: undefined, field: undefined, computedField: undefined },
      changes: { inserted: 0, deleted: 0 },
      outdated: { isAll: settings.updatesFields, codes: new Set() },
      families: new Set(),
    },
    tableDepth: 0,
    fields: [],
    endlessFields: endlessFieldsIn(body),
    readBlocks,
    refer: (kind, id) => {
      const key = `${kind} ${id}`;
      if (!references.has(key)) {
        counts[kind] += 1;
        references.set(key, { kind, id, key, number: counts[kind] });
      }
      return key;
    },
    marks: (key) => markOf(key, references, settings),
  };
  const sections = readSections(body, context, settings.hasEvenPages);
  const notes = readNotes(references, context, settings);
  const { formulas, changes, outdated, families } = context.tally;
  return {
    sections,
    notes,
    defaultTab: settings.defaultTab,
    formulas,
    changes,
    families,
    embeddedFamilies: embeddedFamiliesOf(parts),
    outdatedFields: outdated.codes,
  };
}

/** `number` is the position of a note among those of its kind, in the order in which the text names them. */
type Reference = { kind: NoteKind; id: string; key: NoteKey; number: number };
const EMBEDDED = ['w:embedRegular', 'w:embedBold', 'w:embedItalic', 'w:embedBoldItalic'];

function embeddedFamiliesOf(parts: PackageParts): Set<string> {
  const part = parts.related(parts.main, 'fontTable');
  const fonts = childrenNamed(part === undefined ? undefined : parts.xml(part), 'w:font');
  const embedded = fonts.filter((font) => EMBEDDED.some((name) => childOf(font, name)));
  return new Set(embedded.map((font) => val(font, 'w:name') ?? ''));
}

type References = ReadonlyMap<NoteKey, Reference>;
type Settings = {
  defaultTab: number;
  hasEvenPages: boolean;
  updatesFields: boolean;
  formats: Record<NoteKind, string>;
};

const DEFAULT_TAB = 36;
const LEAST_TAB = 4;

function settingsOf(parts: PackageParts): Settings {
  const part = parts.related(parts.main, 'settings');
  const root = part === undefined ? undefined : parts.xml(part);
  const tab = twips(val(childOf(root, 'w:defaultTabStop')));
  const isTrue = (name: string) => {
    const setting = childOf(root, name);
    return setting !== undefined && isOn(val(setting));
  };
  const format = (kind: NoteKind) => val(childOf(childOf(root, `w:${kind}Pr`), 'w:numFmt'));
  return {
    defaultTab: tab !== undefined && tab >= LEAST_TAB ? tab : DEFAULT_TAB,
    hasEvenPages: isTrue('w:evenAndOddHeaders'),
    updatesFields: isTrue('w:updateFields'),
    formats: { footnote: format('footnote') ?? 'decimal', endnote: format('endnote') ?? 'lowerRoman' },
  };
}

function markOf(key: NoteKey, references: References, { formats }: Settings): string {
  const { kind, number } = references.get(key)!;
  return writtenNumber(number, formats[kind]);
}

function readNotes(references: References, context: ReadContext, settings: Settings): Map<NoteKey, Note> {
  const notes = new Map<NoteKey, Note>();
  const elements = new Map<NoteKind, { part: string; byId: Map<string | undefined, Element> }>();
  for (const kind of ['footnote', 'endnote'] as const) {
    const part = context.parts.related(context.parts.main, `${kind}s`);
    const root = part === undefined ? undefined : context.parts.xml(part);
    const all = childrenNamed(root, `w:${kind}`).map((item) => [val(item, 'w:id'), item] as const);
    if (part !== undefined) elements.set(kind, { part, byId: new Map(all) });
  }
  // A note may name another one: the list grows while it is walked.
  for (const { kind, id, key } of references.values()) {
    const notePart = elements.get(kind);
    const element = notePart?.byId.get(id);
    if (!notePart || !element) continue;
    const mark = markOf(key, references, settings);
    const noteContext = {
      part: notePart.part,
      fields: [],
      endlessFields: endlessFieldsIn(element),
      ownMark: mark,
    };
    const blocks = readBlocks(element, { ...context, ...noteContext });
    notes.set(key, { kind, mark, blocks });
  }
  return notes;
}

type HeadersFooters = { headers: HeaderFooter; footers: HeaderFooter };
const NOTHING: HeaderFooter = { default: [], first: undefined, even: undefined };

function readSections(body: Element, context: ReadContext, hasEvenPages: boolean): Section[] {
  const sections: Section[] = [];
  let current: HeadersFooters = { headers: NOTHING, footers: NOTHING };
  let elements: Element[] = [];
  const finish = (properties: Element | undefined) => {
    const blocks = readBlocks({ name: 'w:body', attributes: {}, children: elements }, context);
    current = headersFootersOf(properties, context, current, hasEvenPages);
    sections.push(sectionOf(properties, blocks, current));
    elements = [];
  };
  for (const element of childElementsOf(body)) {
    if (element.name === 'w:sectPr') {
      finish(element);
      return sections;
    }
    elements.push(element);
    const ending = childOf(childOf(element, 'w:pPr'), 'w:sectPr');
    if (ending) finish(ending);
  }
  if (elements.length > 0 || sections.length === 0) finish(undefined);
  return sections;
}

const BREAKS: Record<string, Section['begins']> = { continuous: 'here', evenPage: 'even', oddPage: 'odd' };
const MOST_COLUMNS = 12;

function sectionOf(
  properties: Element | undefined,
  blocks: Block[],
  headersFooters: HeadersFooters,
): Section {
  const columns = childOf(properties, 'w:cols');
  const numbers = childOf(properties, 'w:pgNumType');
  return {
    blocks,
    page: pageOf(properties),
    ...headersFooters,
    begins: lookUp(BREAKS, val(childOf(properties, 'w:type'))) ?? 'page',
    columns: Math.min(MOST_COLUMNS, Math.max(1, whole(val(columns, 'w:num')) ?? 1)),
    columnGap: Math.max(0, twips(val(columns, 'w:space')) ?? 36),
    firstNumber: whole(val(numbers, 'w:start')),
    numberFormat: val(numbers, 'w:fmt') ?? 'decimal',
  };
}

// The paper of Word itself, for documents that do not say; and what still can hold a line of text.
const LETTER = { width: 612, height: 792 };
const INCH = 72;
const LEAST_PAGE = 72;
const MOST_PAGE = 14_400 / 4;
const LEAST_TEXT = 36;

function pageOf(properties: Element | undefined): PageStyle {
  const size = childOf(properties, 'w:pgSz');
  const margins = childOf(properties, 'w:pgMar');
  const side = (name: string) => twips(val(margins, `w:${name}`));
  const length = (name: string, otherwise: number) =>
    Math.min(MOST_PAGE, Math.max(LEAST_PAGE, twips(val(size, `w:${name}`)) ?? otherwise));
  const width = length('w', LETTER.width);
  const height = length('h', LETTER.height);
  const [left, right] = fitting(Math.max(0, side('left') ?? INCH), Math.max(0, side('right') ?? INCH), width);
  // Negative: the header may reach into the text.
  const [top, bottom] = fitting(Math.abs(side('top') ?? INCH), Math.abs(side('bottom') ?? INCH), height);
  const half = INCH / 2;
  const header = Math.min(height / 2, Math.max(0, side('header') ?? half));
  const footer = Math.min(height / 2, Math.max(0, side('footer') ?? half));
  return { width, height, left: left + Math.max(0, side('gutter') ?? 0), right, top, bottom, header, footer };
}

/** Returns two margins that leave room for text between them. */
function fitting(first: number, second: number, length: number): [number, number] {
  const most = length - LEAST_TEXT;
  if (first + second <= most) return [first, second];
  const scale = most / (first + second);
  return [first * scale, second * scale];
}

/** A section that names no header of a kind continues with that of the previous section. */
function headersFootersOf(
  properties: Element | undefined,
  context: ReadContext,
  before: HeadersFooters,
  hasEvenPages: boolean,
): HeadersFooters {
  const title = childOf(properties, 'w:titlePg');
  const hasFirst = title !== undefined && isOn(val(title));
  const of = (name: string, earlier: HeaderFooter): HeaderFooter => {
    const read = (type: string) => {
      const references = childrenNamed(properties, `w:${name}Reference`);
      const id = val(
        references.find((item) => (val(item, 'w:type') ?? 'default') === type),
        'r:id',
      );
      return id === undefined ? undefined : readHeaderFooter(id, context);
    };
    return {
      default: read('default') ?? earlier.default,
      first: hasFirst ? (read('first') ?? earlier.first ?? []) : undefined,
      even: hasEvenPages ? (read('even') ?? earlier.even ?? []) : undefined,
    };
  };
  return { headers: of('header', before.headers), footers: of('footer', before.footers) };
}

function readHeaderFooter(id: string, context: ReadContext): Block[] {
  const part = context.parts.relationships(context.parts.main).get(id)?.target;
  const root = part === undefined ? undefined : context.parts.xml(part);
  if (part === undefined || !root) return [];
  const partContext = { part, inHeaderFooter: true, fields: [], endlessFields: endlessFieldsIn(root) };
  return readBlocks(root, { ...context, ...partContext });
}

/**
 * Finds the fields of a part that begin and do not end: everything behind such a beginning would be a part of its code, which is not shown.
 * @returns the marks where they begin
 */
function endlessFieldsIn(part: Element): Set<Element> {
  const endless = new Set<Element>();
  /** @param from fields that began outside of this element, if it is a field itself, do not end in it */
  const walk = (element: Element, open: Element[], from: number): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (child.name === 'w:fldChar') {
        const type = val(child, 'w:fldCharType');
        if (type === 'begin') open.push(child);
        else if (type === 'end' && open.length > from) open.pop();
      } else if (child.name === 'w:fldSimple') {
        const before = open.length;
        walk(child, open, before);
        for (const mark of open.splice(before)) endless.add(mark);
      } else if (child.name === 'mc:AlternateContent') {
        const chosen = chosenOf(child);
        if (chosen) walk(chosen, open, from);
      } else walk(child, open, from);
    }
  };
  const open: Element[] = [];
  walk(part, open, 0);
  for (const mark of open) endless.add(mark);
  return endless;
}

/**
 * Makes the remark on a document whose tracked changes were neither accepted nor rejected. Both conversions show them as changes, so that
 * nothing is signed that only the settings of a program hide.
 */
export function changesRemarks({ inserted, deleted }: TrackedChanges): PdfRemark[] {
  const counts = [counted(inserted, 'insertion'), counted(deleted, 'deletion')].flat();
  return counts.length === 0 ? [] : [{ code: 'tracked_changes', what: counts.join(', ') }];
}

const counted = (count: number, kind: string): string[] =>
  count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`];
