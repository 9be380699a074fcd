// Reads a table: its grid, rows and cells, with borders, widths and shading as its style and its own properties ask for.
import { isOn, twips, whole } from './attributes.ts';
import type { Alignment, Borders, DocxTable, Side, TableCell, TableRow } from './model.ts';
import type { ReadContext } from './read-context.ts';
import { alignmentOf, backgroundOf, bordersOf } from './styles.ts';
import { childElementsOf, childOf, childrenNamed, chosenOf, type Element, val } from './xml.ts';

// Honest tables end at the 63 columns that Word allows.
const MOST_COLUMNS = 128;
const CELL_SIDES = { left: 5.4, right: 5.4, top: 0, bottom: 0 };

/** `whole` holds for all of the table. The others hold for its first row and so on, and the last one wins. */
type TableStyleParts = { whole: Element[]; conditional: ReadonlyMap<string, Element[]> };
type TableLook = Record<'firstRow' | 'lastRow' | 'firstColumn' | 'lastColumn' | 'horizontalBands', boolean>;

type Around = {
  context: ReadContext;
  styleParts: TableStyleParts;
  tableLook: TableLook;
  borders: Borders;
  margins: Record<Side, number>;
  rowCount: number;
};

export function readTable(element: Element, context: ReadContext): DocxTable {
  const properties = childOf(element, 'w:tblPr');
  const style = context.styles.find(val(childOf(properties, 'w:tblStyle'))) ?? context.styles.defaultTable;
  const styleParts = stylePartsOf(style?.chain ?? []);
  const ofStyle = styleParts.whole.map((item) => childOf(item, 'w:tblPr'));
  const all = [...ofStyle, properties];
  const rows = rowsIn(element);
  const around: Around = {
    context,
    styleParts,
    tableLook: tableLookOf(childOf(properties, 'w:tblLook')),
    borders: Object.assign({}, ...all.map((item) => bordersOf(childOf(item, 'w:tblBorders')))),
    margins: Object.assign({}, CELL_SIDES, ...all.map((item) => sidesOf(childOf(item, 'w:tblCellMar')))),
    rowCount: rows.length,
  };
  const last = (name: string) =>
    all.map((item) => childOf(item, name)).findLast((item) => item !== undefined);
  const direction = last('w:bidiVisual');
  const isRightToLeft = direction !== undefined && isOn(val(direction));
  const read = rows.map((row, index) => readRow(row, index, around));
  return {
    kind: 'table',
    columns: columnsOf(element, read),
    rows: read,
    indent: twips(val(last('w:tblInd'), 'w:w')) ?? 0,
    align: tableAlignment(val(last('w:jc')), isRightToLeft),
    width: widthOf(last('w:tblW')),
    isRightToLeft,
  };
}

function tableAlignment(value: string | undefined, isRightToLeft: boolean): Alignment {
  const align = alignmentOf(value ?? 'left', isRightToLeft);
  return align === 'both' ? 'left' : align;
}

/** Rows stand in the table, or in what marks some of them: content controls, tracked changes. */
function rowsIn(element: Element): Element[] {
  return partsNamed(element, 'w:tr', 'w:tbl');
}

/** Finds elements of this name, also where something else stands around them. */
function partsNamed(element: Element, name: string, end: string): Element[] {
  return childElementsOf(element).flatMap((child) => {
    if (child.name === name) return [child];
    if (child.name === end || child.name === 'w:p') return [];
    const inside = child.name === 'mc:AlternateContent' ? chosenOf(child) : child;
    return inside ? partsNamed(inside, name, end) : [];
  });
}

function stylePartsOf(chain: readonly Element[]): TableStyleParts {
  const conditional = new Map<string, Element[]>();
  for (const style of chain)
    for (const part of childrenNamed(style, 'w:tblStylePr')) {
      const type = val(part, 'w:type') ?? '';
      conditional.set(type, [...(conditional.get(type) ?? []), part]);
    }
  return { whole: [...chain], conditional };
}

/** A table says which conditional formats it uses: written out, or as bits (ECMA-376, part 1, 17.4.55). */
function tableLookOf(element: Element | undefined): TableLook {
  const bits = Number.parseInt(val(element) ?? '04A0', 16);
  const says = (name: string, bit: number) => {
    const flag = val(element, name);
    return flag === undefined ? (bits & bit) !== 0 : isOn(flag);
  };
  return {
    firstRow: says('w:firstRow', 0x20),
    lastRow: says('w:lastRow', 0x40),
    firstColumn: says('w:firstColumn', 0x80),
    lastColumn: says('w:lastColumn', 0x100),
    horizontalBands: !says('w:noHBand', 0x200),
  };
}

function readRow(element: Element, index: number, around: Around): TableRow {
  const properties = childOf(element, 'w:trPr');
  const has = (name: string) => {
    const item = childOf(properties, name);
    return item !== undefined && isOn(val(item));
  };
  const height = childOf(properties, 'w:trHeight');
  const rule = val(height, 'w:hRule');
  const elements = partsNamed(element, 'w:tc', 'w:tbl');
  let column = Math.min(MOST_COLUMNS, Math.max(0, whole(val(childOf(properties, 'w:gridBefore'))) ?? 0));
  const cells: TableCell[] = [];
  for (const [position, item] of elements.entries()) {
    const cell = readCell(
      item,
      { row: index, column, isFirst: position === 0, isLast: position === elements.length - 1 },
      around,
    );
    const before = cells.at(-1);
    // The older notation for a cell that continues to the right.
    if (before && val(childOf(childOf(item, 'w:tcPr'), 'w:hMerge')) === 'continue') {
      before.span += cell.span;
      before.blocks.push(...(isEmpty(cell) ? [] : cell.blocks));
    } else cells.push(cell);
    column += cell.span;
  }
  return {
    cells,
    height: Math.max(0, twips(val(height)) ?? 0),
    heightRule: rule === 'exact' || rule === 'auto' ? rule : 'atLeast',
    isHeader: has('w:tblHeader'),
    isKeptTogether: has('w:cantSplit'),
  };
}

const isEmpty = ({ blocks }: TableCell): boolean =>
  blocks.every((block) => block.kind === 'paragraph' && block.inlines.length === 0 && !block.label);

type Spot = { row: number; column: number; isFirst: boolean; isLast: boolean };

function stylePartsAt(
  { row, isFirst, isLast }: Spot,
  { styleParts, tableLook, rowCount }: Around,
): Element[] {
  const of = (type: string) => styleParts.conditional.get(type) ?? [];
  const isHead = tableLook.firstRow && row === 0;
  const isFoot = tableLook.lastRow && row === rowCount - 1;
  const band = row - (tableLook.firstRow ? 1 : 0);
  return [
    ...styleParts.whole,
    ...of('wholeTable'),
    ...(tableLook.horizontalBands && !isHead && !isFoot
      ? of(band % 2 === 0 ? 'band1Horz' : 'band2Horz')
      : []),
    ...(tableLook.firstColumn && isFirst ? of('firstCol') : []),
    ...(tableLook.lastColumn && isLast ? of('lastCol') : []),
    ...(isHead ? of('firstRow') : []),
    ...(isFoot ? of('lastRow') : []),
  ];
}

function readCell(element: Element, spot: Spot, around: Around): TableCell {
  const properties = childOf(element, 'w:tcPr');
  const styleParts = stylePartsAt(spot, around);
  const all = [...styleParts.map((item) => childOf(item, 'w:tcPr')), properties];
  const last = (name: string) =>
    all.map((item) => childOf(item, name)).findLast((item) => item !== undefined);
  const merge = childOf(properties, 'w:vMerge');
  const span = Math.min(MOST_COLUMNS, Math.max(1, whole(val(childOf(properties, 'w:gridSpan'))) ?? 1));
  const { context } = around;
  const align = val(last('w:vAlign'));
  return {
    column: spot.column,
    span,
    merge: merge === undefined ? 'none' : val(merge) === 'restart' ? 'start' : 'continue',
    blocks: context.readBlocks(element, { ...context, inTable: [...(context.inTable ?? []), ...styleParts] }),
    borders: cellBorders(spot, span, all, around),
    background: backgroundOf(last('w:shd')),
    margins: Object.assign({}, around.margins, ...all.map((item) => sidesOf(childOf(item, 'w:tcMar')))),
    align: align === 'center' || align === 'bottom' ? align : 'top',
    width: Math.max(0, widthOf(childOf(properties, 'w:tcW'))),
  };
}

/** Lines of the table are outer ones at its edge and inner ones everywhere else. */
function cellBorders(
  { row, isFirst, isLast }: Spot,
  _span: number,
  properties: readonly (Element | undefined)[],
  { borders, rowCount }: Around,
): Borders {
  const ofTable: Borders = {
    ...pick('top', row === 0 ? borders.top : borders.insideH),
    ...pick('bottom', row === rowCount - 1 ? borders.bottom : borders.insideH),
    ...pick('left', isFirst ? borders.left : borders.insideV),
    ...pick('right', isLast ? borders.right : borders.insideV),
  };
  return Object.assign(ofTable, ...properties.map((item) => bordersOf(childOf(item, 'w:tcBorders'))));
}

const pick = (side: Side, border: Borders[Side]): Borders => (border === undefined ? {} : { [side]: border });

const SIDES: Record<string, Side> = {
  'w:top': 'top',
  'w:left': 'left',
  'w:start': 'left',
  'w:bottom': 'bottom',
  'w:right': 'right',
  'w:end': 'right',
};

function sidesOf(element: Element | undefined): Partial<Record<Side, number>> {
  const sides: Partial<Record<Side, number>> = {};
  for (const item of element ? childElementsOf(element) : []) {
    const side = SIDES[item.name];
    const length = twips(val(item, 'w:w'));
    if (side && length !== undefined) sides[side] = Math.max(0, length);
  }
  return sides;
}

/** The width is in points; negative for a share of the text's width; 0 for none. */
function widthOf(element: Element | undefined): number {
  const type = val(element, 'w:type');
  const text = val(element, 'w:w');
  if (text?.endsWith('%')) return -Math.min(1, Math.max(0, Number.parseFloat(text) / 100 || 0));
  // In fiftieths of a percent.
  if (type === 'pct') return -Math.min(1, Math.max(0, (whole(text) ?? 0) / 5000));
  return type === 'auto' || type === 'nil' ? 0 : Math.max(0, twips(text) ?? 0);
}

/** Returns the grid as the table says it, as far as its cells need it. */
function columnsOf(element: Element, rows: readonly TableRow[]): number[] {
  const grid = childrenNamed(childOf(element, 'w:tblGrid'), 'w:gridCol');
  const columns = grid.slice(0, MOST_COLUMNS).map((item) => Math.max(0, twips(val(item, 'w:w')) ?? 0));
  const cells = rows.flatMap((row) => row.cells);
  const needed = cells.reduce((most, { column, span }) => Math.max(most, column + span), 1);
  while (columns.length < Math.min(needed, 2 * MOST_COLUMNS)) columns.push(0);
  for (const { column, span, width } of cells)
    if (span === 1 && columns[column] === 0 && width > 0) columns[column] = width;
  return columns;
}
