// Reads the clock of the machine. It is the only file of the service that does.

/** Milliseconds since 1970-01-01T00:00Z. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
