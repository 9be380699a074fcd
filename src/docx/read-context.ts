// The context that the readers of a DOCX pass to each other while they descend into its elements.
import type { Block, FormulaTally, Inline, NoteKey, NoteKind, TrackedChanges } from './model.ts';
import type { Numbering } from './numbering.ts';
import type { PackageParts } from './package.ts';
import type { Styles } from './styles.ts';
import type { Element } from './xml.ts';

/** A field whose end has not come yet. It may begin in one paragraph and end in another. */
export type ComplexField = {
  code: string;
  isResult: boolean;
  /** The paragraph where the result begins, and how many inlines it had. */
  result?: { content: ParagraphContent; from: number };
  /** Something else is shown in the place of its result. */
  isReplaced: boolean;
  /** The document says that its result is not up to date. */
  isOutdated: boolean;
  /** It is one element, and ends with it. */
  isSimple?: boolean;
  form: Element | undefined;
};

/** Codes of fields that show another text once Word has updated them. `isAll`: the document asks for an update of every field. */
export type OutdatedFields = { isAll: boolean; codes: Set<string> };

/** What is counted and collected while the document is read. One object serves all of its parts. */
export type Tally = {
  tables: number;
  formulas: FormulaTally;
  changes: TrackedChanges;
  outdated: OutdatedFields;
  /** The fonts that text with letters or digits asks for. */
  families: Set<string>;
};

export type ReadContext = {
  parts: PackageParts;
  /** The part that is read: its relationships say what `r:id` means. */
  part: string;
  styles: Styles;
  numbering: Numbering;
  /** In a header or a footer the number of the page is known. */
  inHeaderFooter: boolean;
  tally: Tally;
  /** How many tables stand around this. */
  tableDepth: number;
  fields: ComplexField[];
  /** Where fields begin in this part that have no end. */
  endlessFields: ReadonlySet<Element>;
  /** The properties of text and paragraphs that the style of the table around asks for, from the outermost down. */
  inTable?: readonly Element[];
  /** Inside of a note: its own number. */
  ownMark?: string;
  /** A note that the text names. */
  refer(kind: NoteKind, id: string): NoteKey;
  /** The number of a note. */
  marks(key: NoteKey): string;
  /** Reads what stands in a cell or a text box. */
  readBlocks(parent: Element, context: ReadContext): Block[];
};

/** What stands in a paragraph; `before` and `after` are what leaves it: pictures that float, and text boxes. */
export type ParagraphContent = {
  inlines: Inline[];
  before: Block[];
  after: Block[];
  /** Which tracked change the last text is. */
  change?: 'inserted' | 'deleted' | undefined;
};
