// The result of a command as data. The terminal decides how it looks for a person, in a pipe or as JSON.
import type { HelpSection } from './help-page.ts';

/**
 * A pipe gets a time unchanged, a person at a terminal in their zone.
 * @property until shown with how long that is from now
 * @property ago shown as `2 hours ago` alone; the page of the thing has the time itself
 */
export type Moment = { instant: string; until?: true; ago?: true };

/** Makes the cell of a time that may not be there. */
export const moment = (instant: string | null | undefined): Moment | undefined =>
  instant ? { instant } : undefined;

export type Cell = string | number | boolean | null | undefined | Moment;

/** The color of a cell; the words in the cell say the same. */
export type Tone = 'good' | 'bad' | 'now' | 'quiet';

/** `key` is what a pipe gets, `label` what a person reads; entries without a label are for pipes only. A person
 * reads `shown` where it is there. */
export type Entry = { key: string; label?: string; value: Cell; shown?: Cell; tone?: Tone | undefined };

/**
 * What a column does where the terminal is too narrow for the table.
 * @property fit `cuts`: free text, which may lose its end. `wraps`: sentences, broken between words; the last column only.
 * Absent: the values identify something, and are always shown whole.
 * @property leaveOut the column is omitted before anything is folded, 1 first: the page of the thing shows it
 */
export type Column = { name: string; fit?: 'cuts' | 'wraps'; leaveOut?: number };

/** @property columns a name alone is a column whose values are shown whole @property tones of the first cell of each row */
export type Table = {
  title?: string;
  columns: readonly (string | Column)[];
  rows: readonly (readonly Cell[])[];
  tones?: readonly (Tone | undefined)[];
};

/** One thing is lines of `key TAB value` in a pipe, and a page for a person. The rows of tables become lines that begin with `key`. */
export type RecordOutcome = {
  kind: 'record';
  json: unknown;
  /** A first line for a person. */
  headline?: string;
  entries: readonly Entry[];
  tables?: readonly (Table & { key: string })[];
  /** What a person reads instead of `tables`. */
  pageTables?: readonly Table[];
};

/** Many things: a table for a person, tab-separated rows without a head in a pipe. */
export type ListOutcome = {
  kind: 'list';
  json: unknown;
  /** With `--json`: one object a line instead of `json`. */
  lines?: readonly unknown[];
  table: Table;
  /** What a person reads instead of `table`. */
  pageTable?: Table;
  /** The sentence for an empty list. */
  empty: string;
};

/** A page of help is wrapped to where it is printed. */
export type PageOutcome = { kind: 'page'; json: unknown; sections: readonly HelpSection[] };

/** The text is printed unchanged. */
export type TextOutcome = { kind: 'text'; json: unknown; text: string };

/** A pipe gets bytes unchanged; a terminal shows safe text, or a note that they are not text. */
export type BytesOutcome = {
  kind: 'bytes';
  bytes: Uint8Array;
  mediaType: string;
  /** Printed before them. */
  head?: string;
  json: unknown;
  /** With `--json`: one value a line instead of `json`. */
  lines?: readonly unknown[];
};

export type Outcome = (RecordOutcome | ListOutcome | PageOutcome | TextOutcome | BytesOutcome) & {
  /** What to do next, printed on stderr afterwards. */
  notes?: readonly string[];
  exit?: number;
  /** Values in it that are secrets. */
  secrets?: readonly string[];
  /** What a job of GitHub Actions gets beyond the JSON. */
  actions?: ForActions;
};

/** What a job of GitHub Actions gets of an outcome: whether there is a summary, and the signing address as an output. */
export type ForActions = {
  summary?: boolean;
  /** The signing URL as an output. */
  url?: boolean;
  /** The files that were sent, for the summary. */
  sent?: readonly { name: string; sha256: string }[];
  /** The dashboard of the service, for the summary. */
  dashboard?: string | undefined;
};
