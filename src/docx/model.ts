// Defines the model of a DOCX that was read: paragraphs, tables and sections with every style resolved. Lengths are in points, colors
// are RRGGBB.

import type { UnknownNumber } from './not-usable.ts';

/**
 * `unknown` has the words around a formula that is not in the text. Only Word computes a `field`; LibreOffice computes a `computedField` as
 * well.
 */
export type FormulaTally = {
  count: number;
  unknown: string | undefined;
  field: NumberField | undefined;
  computedField: NumberField | undefined;
};

/** Counts the texts that were inserted or deleted while changes were tracked, and neither accepted nor rejected since. */
export type TrackedChanges = { inserted: number; deleted: number };

type NumberField = { limit: UnknownNumber; near: string };

export type TextStyle = {
  /** The document names it so: `Calibri`. */
  family: string;
  size: number;
  isBold: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
  isStruck: boolean;
  isCaps: boolean;
  isSmallCaps: boolean;
  isHidden: boolean;
  isRightToLeft: boolean;
  color: string | undefined;
  background: string | undefined;
  place: 'baseline' | 'superscript' | 'subscript';
  /** The text stands above the line by this length, or below it where it is negative. */
  raised: number;
  /** The spacing is added between characters, also within a word. */
  spacing: number;
};

export type LinkAddress = string;

export type Inline =
  /** `isOpenEnded` marks the end of a formula whose meaning a letter or a digit directly after it would change. */
  | { kind: 'text'; text: string; style: TextStyle; link?: LinkAddress | undefined; isOpenEnded?: boolean }
  | { kind: 'tab'; style: TextStyle }
  | { kind: 'line-break'; style: TextStyle }
  | { kind: 'page-break' }
  | { kind: 'column-break' }
  /** `format` is what the field itself asks for. */
  | {
      kind: 'page-number';
      of: 'page' | 'pages' | 'section-pages';
      format: string | undefined;
      style: TextStyle;
    }
  /** `isMarked` says that a mark of its own stands behind it as text. */
  | { kind: 'note'; note: NoteKey; isMarked: boolean; style: TextStyle }
  | { kind: 'drawing'; drawing: Drawing };

export type NoteKind = 'footnote' | 'endnote';
/** It names a note in `Notes`, such as `footnote 3`. */
export type NoteKey = string;
export type Note = { kind: NoteKind; mark: string; blocks: Block[] };

export type Alignment = 'left' | 'right' | 'center' | 'both';
export type TabStop = { at: number; kind: 'left' | 'right' | 'center' | 'decimal' | 'clear'; leader: string };
export type Border = { width: number; color: string; isDouble: boolean; isDashed: boolean };
export type Side = 'top' | 'left' | 'bottom' | 'right';
/** `undefined` says nothing of a side, `null` says that there is none. */
export type Borders = Partial<Record<Side | 'insideH' | 'insideV', Border | null>>;

export type ParagraphStyle = {
  /** `left` and `right` are those of the page, also where text runs the other way. */
  alignment: Alignment;
  indentLeft: number;
  indentRight: number;
  /** It applies to the first line, beyond `indentLeft`: negative where it hangs. */
  indentFirst: number;
  before: number;
  after: number;
  line: { rule: 'auto' | 'exact' | 'atLeast'; value: number };
  tabs: TabStop[];
  isKeptWithNext: boolean;
  isKeptTogether: boolean;
  startsPage: boolean;
  hasNoSpaceBetween: boolean;
  isRightToLeft: boolean;
  background: string | undefined;
  borders: Borders;
  styleId: string | undefined;
};

export type ListLabel = {
  text: string;
  style: TextStyle;
  follow: 'tab' | 'space' | 'nothing';
  alignment: Alignment;
};

export type Paragraph = {
  kind: 'paragraph';
  inlines: Inline[];
  style: ParagraphStyle;
  /** An empty paragraph is as high as its mark. */
  mark: TextStyle;
  label: ListLabel | undefined;
};

/** Frames are shares of the width and height of the drawing, because it can be scaled. */
export type Frame = { x: number; y: number; width: number; height: number };
/** These fractions of the picture are cropped on each side. */
export type Crop = { left: number; top: number; right: number; bottom: number };
export type DocxPicture = { part: string; frame: Frame; crop: Crop };
/**
 * It is a straight line from corner to corner of its frame, or the outline of the frame. `isRising` says that the line begins in the bottom
 * left corner.
 */
export type PlainShape = {
  form: 'line' | 'box';
  frame: Frame;
  width: number;
  color: string;
  isRising: boolean;
};
export type Wrap = 'none' | 'beside' | 'above';
export type FloatAnchor = {
  wrap: Wrap;
  isBehind: boolean;
  x: Position;
  y: Position;
};
export type Position = {
  from: 'page' | 'margin' | 'text';
  offset?: number | undefined;
  align?: 'left' | 'center' | 'right' | 'top' | 'bottom' | undefined;
};

export type Drawing = {
  width: number;
  height: number;
  pictures: DocxPicture[];
  shapes?: readonly PlainShape[] | undefined;
  /** They stand in for something that cannot be drawn: the words of a chart, the description of a picture. */
  words: string[];
  anchor: FloatAnchor | undefined;
  /** These things are not drawn. They are the same objects, wherever the drawing is repeated. */
  lost: LostContent[];
};
export type LostContent = { kind: LostKind };
export type LostKind = 'chart' | 'diagram' | 'shape' | 'line' | 'image' | 'object';

/** Its text flows with the rest, so that nothing covers it and it covers nothing. */
export type TextBox = { kind: 'box'; blocks: Block[]; width: number; align: Alignment; hasFrame: boolean };
export type Figure = { kind: 'figure'; drawing: Drawing };
/** It consists of large pale words behind a page. */
export type Watermark = { kind: 'watermark'; text: string };

export type TableCell = {
  column: number;
  span: number;
  merge: 'none' | 'start' | 'continue';
  blocks: Block[];
  borders: Borders;
  background: string | undefined;
  margins: Record<Side, number>;
  align: 'top' | 'center' | 'bottom';
  /** The cell asks for it; 0 asks for nothing. */
  width: number;
};
export type TableRow = {
  cells: TableCell[];
  height: number;
  heightRule: 'auto' | 'exact' | 'atLeast';
  isHeader: boolean;
  isKeptTogether: boolean;
};
export type DocxTable = {
  kind: 'table';
  columns: number[];
  rows: TableRow[];
  indent: number;
  align: Alignment;
  /** It counts in all; 0 is as wide as the columns. A negative number is a share of the text's width. */
  width: number;
  isRightToLeft: boolean;
};

export type Block = Paragraph | DocxTable | TextBox | Figure | Watermark;

export type PageStyle = {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
  header: number;
  footer: number;
};
export type HeaderFooter = { default: Block[]; first: Block[] | undefined; even: Block[] | undefined };
export type Section = {
  blocks: Block[];
  page: PageStyle;
  headers: HeaderFooter;
  footers: HeaderFooter;
  begins: 'page' | 'even' | 'odd' | 'here';
  columns: number;
  columnGap: number;
  firstNumber: number | undefined;
  numberFormat: string;
};

export type WordDocument = {
  sections: Section[];
  notes: ReadonlyMap<NoteKey, Note>;
  defaultTab: number;
  formulas: FormulaTally;
  changes: TrackedChanges;
  /** Text with letters or digits asks for these fonts, or the file brings them along. */
  families: ReadonlySet<string>;
  embeddedFamilies: ReadonlySet<string>;
  /** These fields show another text once Word has updated them. */
  outdatedFields: ReadonlySet<string>;
};
