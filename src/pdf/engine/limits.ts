// How long work on one document may take and how much memory it may have: every number of this room.

const MB = 1024 * 1024;

export const ENGINE_LIMITS = {
  /** Nearly everything is done in a tenth of this. What is not goes where it keeps nobody else waiting. */
  quickMs: 1000,
  /** The first second included. */
  timeMs: 10_000,
  convertMs: 20_000,

  /** Beyond what a child that is ready has. The sum of all children and of `serve` stays below 700 MB. */
  quickBytes: 96 * MB,
  memoryBytes: 256 * MB,
  /** PDFium's own memory, the file included. A page that needs more cannot be shown. */
  wasmBytes: 224 * MB,
  /** JavaScript objects; buffers are not among them. */
  heapMegabytes: 192,

  /** A child that holds more than this beyond its start is replaced: the memory of WebAssembly never shrinks. */
  keptBytes: 64 * MB,

  /** A child that does not say in this time that it is ready will not. */
  startMs: 30_000,
  /** After that a job that nobody has begun is given up. */
  waitMs: 60_000,

  /** How often the watchdog of a busy child looks, and that of an idle one. */
  watchMs: 10,
  watchIdleMs: 1000,

  /** What a one-shot command counts the pages of itself. */
  inProcessBytes: 4 * MB,
  inProcessPixels: 4_000_000,
  /** Results that a one-shot command keeps: those of the files that are sent together. */
  rememberedResults: 16,
} as const;
