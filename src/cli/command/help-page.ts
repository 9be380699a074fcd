// A page of help or a topic as data, before it is wrapped to a width: terminal/page-layout.ts makes lines of it for a
// terminal or a pipe, describe/roff.ts a man page.

export type HelpBlock =
  /** A paragraph that is wrapped. */
  | { kind: 'text'; text: string }
  /** Terms with what they mean, in two columns. A title stands above a group of them. */
  | { kind: 'terms'; rows: [term: string, text: string][]; title?: string }
  /** Lines that are kept as they are. */
  | { kind: 'lines'; lines: string[] }
  /** Command lines, which are kept as they are, each below a comment. */
  | { kind: 'examples'; rows: [line: string, about: string][] };

/** The title is empty for what stands at the top of a page. */
export type HelpSection = { title: string; blocks: HelpBlock[] };

/** A complete page has what otherwise only the man page has room for. */
export type HelpDetail = 'brief' | 'complete';
