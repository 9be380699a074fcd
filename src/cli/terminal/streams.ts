// The streams a command line has, as the rest of it sees them: somewhere to write, and whether a person looks at it.

export type Sink = {
  write(text: string | Uint8Array): void;
  isTerminal: boolean;
  /** In characters; undefined where nobody knows. */
  columns: number | undefined;
  rows?: number | undefined;
  /** Whoever read it went away: what is written is lost. */
  readonly isGone?: boolean;
};

export type Streams = {
  out: Sink;
  err: Sink;
  /** Standard input. It may never end. */
  input(): AsyncIterable<Uint8Array>;
  isInputTerminal: boolean;
};
