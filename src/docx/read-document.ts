// Reads the parts of a DOCX into the model: sections with their headers and footers, and the notes.
import { endlessFieldsIn } from './endless-fields.ts';
import { lookUp } from './lookup.ts';
import { isOn, twips, whole } from './measures.ts';
import type { Block, Note, NoteKey, NoteKind, PageStyle, Running, Section, WordDocument } from './model.ts';
import { unreadableDocx } from './not-usable.ts';
import { readNumbering } from './numbering.ts';
import { writtenNumber } from './numbers.ts';
import type { PackageParts } from './parts.ts';
import { readBlocks } from './read-blocks.ts';
import type { ReadContext } from './read-context.ts';
import { listPropertiesOf, readStyles } from './styles.ts';
import { childElementsOf, childOf, childrenNamed, type Element, val } from './xml.ts';

/** @throws NotUsable */
export function readWordDocument(parts: PackageParts): WordDocument {
  const root = parts.xml(parts.main);
  const body = childOf(root, 'w:body');
  if (!root || !body) throw unreadableDocx();
  const styles = readStyles(parts);
  const numbering = readNumbering(parts, (style) => {
    const chain = styles.find(style)?.chain ?? [];
    return chain
      .map((one) => listPropertiesOf(childOf(one, 'w:pPr'))?.list)
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
    isRunning: false,
    counts: { tables: 0 },
    formulas: { count: 0, unknown: undefined, field: undefined, computedField: undefined },
    changes: { inserted: 0, deleted: 0 },
    tableDepth: 0,
    fields: [],
    endlessFields: endlessFieldsIn(body),
    families: new Set(),
    outdated: { isAll: settings.updatesFields, codes: new Set() },
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
  const { formulas, changes, outdated, families } = context;
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

/** `number`: of a note among those of its kind, in the order in which the text names them. */
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
    const all = childrenNamed(root, `w:${kind}`).map((one) => [val(one, 'w:id'), one] as const);
    if (part !== undefined) elements.set(kind, { part, byId: new Map(all) });
  }
  // A note may name another one: the list grows while it is walked.
  for (const { kind, id, key } of references.values()) {
    const found = elements.get(kind);
    const element = found?.byId.get(id);
    if (!found || !element) continue;
    const mark = markOf(key, references, settings);
    const own = { part: found.part, fields: [], endlessFields: endlessFieldsIn(element), ownMark: mark };
    const blocks = readBlocks(element, { ...context, ...own });
    notes.set(key, { kind, mark, blocks });
  }
  return notes;
}

type Runnings = { headers: Running; footers: Running };
const NOTHING: Running = { default: [], first: undefined, even: undefined };

function readSections(body: Element, context: ReadContext, hasEvenPages: boolean): Section[] {
  const sections: Section[] = [];
  let current: Runnings = { headers: NOTHING, footers: NOTHING };
  let elements: Element[] = [];
  const finish = (properties: Element | undefined) => {
    const blocks = readBlocks({ name: 'w:body', attributes: {}, children: elements }, context);
    current = runningsOf(properties, context, current, hasEvenPages);
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

function sectionOf(properties: Element | undefined, blocks: Block[], runnings: Runnings): Section {
  const columns = childOf(properties, 'w:cols');
  const numbers = childOf(properties, 'w:pgNumType');
  return {
    blocks,
    page: pageOf(properties),
    ...runnings,
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

/** Two margins that leave room for text between them. */
function fitting(first: number, second: number, length: number): [number, number] {
  const most = length - LEAST_TEXT;
  if (first + second <= most) return [first, second];
  const scale = most / (first + second);
  return [first * scale, second * scale];
}

/** A section that names no header of a kind continues with that of the previous section. */
function runningsOf(
  properties: Element | undefined,
  context: ReadContext,
  before: Runnings,
  hasEvenPages: boolean,
): Runnings {
  const title = childOf(properties, 'w:titlePg');
  const hasFirst = title !== undefined && isOn(val(title));
  const of = (name: string, earlier: Running): Running => {
    const read = (type: string) => {
      const references = childrenNamed(properties, `w:${name}Reference`);
      const id = val(
        references.find((one) => (val(one, 'w:type') ?? 'default') === type),
        'r:id',
      );
      return id === undefined ? undefined : readRunning(id, context);
    };
    return {
      default: read('default') ?? earlier.default,
      first: hasFirst ? (read('first') ?? earlier.first ?? []) : undefined,
      even: hasEvenPages ? (read('even') ?? earlier.even ?? []) : undefined,
    };
  };
  return { headers: of('header', before.headers), footers: of('footer', before.footers) };
}

function readRunning(id: string, context: ReadContext): Block[] {
  const part = context.parts.relationships(context.parts.main).get(id)?.target;
  const root = part === undefined ? undefined : context.parts.xml(part);
  if (part === undefined || !root) return [];
  const own = { part, isRunning: true, fields: [], endlessFields: endlessFieldsIn(root) };
  return readBlocks(root, { ...context, ...own });
}
