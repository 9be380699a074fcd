// Tells the time of the database server, so that the clocks of the machines that use it decide nothing. It is measured now and then,
// and continued by the monotonic clock in between.

/** Clocks of computers drift apart by less than 10 ms in this time. */
const MEASURE_EVERY_MS = 30_000;

export type ServerClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Must be called once before the first `now`. */
  measure(): Promise<void>;
};

/** @param ask asks the server for its time, in milliseconds since 1970 */
export function createServerClock(ask: () => Promise<number>): ServerClock {
  let measured = { serverMs: Number.NaN, atMs: 0 };
  let isMeasuring = false;
  const measure = async () => {
    const askedMs = performance.now();
    const serverMs = await ask();
    // The server read its clock in the middle between the question and the answer, as far as can be told.
    measured = { serverMs, atMs: (askedMs + performance.now()) / 2 };
  };
  return {
    measure,
    now() {
      const sinceMs = performance.now() - measured.atMs;
      if (sinceMs > MEASURE_EVERY_MS && !isMeasuring) {
        isMeasuring = true;
        // A server that does not answer is asked again the next time.
        void measure()
          .catch(() => undefined)
          .finally(() => {
            isMeasuring = false;
          });
      }
      return Math.floor(measured.serverMs + sinceMs);
    },
  };
}
