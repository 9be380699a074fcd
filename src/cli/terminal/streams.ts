// The types of the streams of a command line: where to write, and whether it is a terminal.

export type Sink = {
  write(text: string | Uint8Array): void;
  isTerminal: boolean;
  /** In characters; undefined where it is unknown. */
  columns: number | undefined;
  rows?: number | undefined;
  /** The reader has closed the stream, so nothing more is written. */
  readonly isGone?: boolean;
};

export type Streams = {
  out: Sink;
  err: Sink;
  /** Standard input. It may never end. */
  input(): AsyncIterable<Uint8Array>;
  isInputTerminal: boolean;
};
