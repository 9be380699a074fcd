// Defines the context that the readers of a DOCX pass to each other while they descend into its elements.
import type { Block, FormulaTally, Inline, NoteKey, NoteKind, TrackedChanges } from './model.ts';
import type { Numbering } from './numbering.ts';
import type { PackageParts } from './package.ts';
import type { Styles } from './styles.ts';
import type { Element } from './xml.ts';

/** A field whose end has not come yet. It may begin in one paragraph and end in another. */
export type ComplexField = {
  code: string;
  isResult: boolean;
  /** The result begins in this paragraph, behind this many inlines. */
  result?: { content: ParagraphContent; from: number };
  /** Something else is shown in the place of its result. */
  isReplaced: boolean;
  /** The document says that its result is not up to date. */
  isOutdated: boolean;
  /** A simple field is one element and ends with it. */
  isSimple?: boolean;
  form: Element | undefined;
};

/**
 * Fields with these codes show another text once Word has updated them. `isAll` says that the document asks for an update of every field.
 */
export type OutdatedFields = { isAll: boolean; codes: Set<string> };

/** It counts and collects while the document is read. One object serves all of its parts. */
export type Tally = {
  tables: number;
  formulas: FormulaTally;
  changes: TrackedChanges;
  outdated: OutdatedFields;
  /** Text with letters or digits asks for these fonts. */
  families: Set<string>;
};

export type ReadContext = {
  parts: PackageParts;
  /** The relationships of the part say what `r:id` means. */
  part: string;
  styles: Styles;
  numbering: Numbering;
  /** The number of the page is known in a header or a footer. */
  inHeaderFooter: boolean;
  tally: Tally;
  /** This many tables stand around the element. */
  tableDepth: number;
  fields: ComplexField[];
  /** Fields begin at these elements of the part, and have no end. */
  endlessFields: ReadonlySet<Element>;
  /** The style of the table around asks for these properties of text and paragraphs, from the outermost down. */
  inTable?: readonly Element[];
  /** A note has its own number here. */
  ownMark?: string;
  /** Records that the text names a note. */
  refer(kind: NoteKind, id: string): NoteKey;
  /** Returns the number of a note. */
  marks(key: NoteKey): string;
  /** Reads what stands in a cell or a text box. */
  readBlocks(parent: Element, context: ReadContext): Block[];
};

/** `before` and `after` hold what leaves the paragraph: pictures that float, and text boxes. */
export type ParagraphContent = {
  inlines: Inline[];
  before: Block[];
  after: Block[];
  /** The last text belongs to this tracked change. */
  change?: 'inserted' | 'deleted' | undefined;
};
