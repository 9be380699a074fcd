// The context that the readers of a DOCX pass to each other while they descend into its elements.
import type { Block, FormulasFound, Inline, NoteKey, NoteKind, TrackedChanges } from './model.ts';
import type { Numbering } from './numbering.ts';
import type { PackageParts } from './parts.ts';
import type { Styles } from './styles.ts';
import type { Element } from './xml.ts';

/** A field whose end has not come yet. It may begin in one paragraph and end in another. */
export type ComplexField = {
  code: string;
  isResult: boolean;
  /** How many inlines its paragraph had where the result begins. */
  resultFrom?: number | undefined;
  /** Something else is shown in the place of its result. */
  isReplaced: boolean;
  form: Element | undefined;
};

export type ReadContext = {
  parts: PackageParts;
  /** The part that is read: its relationships say what `r:id` means. */
  part: string;
  styles: Styles;
  numbering: Numbering;
  /** Whether this is a header or a footer, where the number of the page is known. */
  isRunning: boolean;
  counts: { tables: number };
  formulas: FormulasFound;
  changes: TrackedChanges;
  /** How many tables stand around this. */
  tableDepth: number;
  fields: ComplexField[];
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
export type InlinesFound = {
  inlines: Inline[];
  before: Block[];
  after: Block[];
  /** Which tracked change the last text is. */
  change?: 'inserted' | 'deleted' | undefined;
};
