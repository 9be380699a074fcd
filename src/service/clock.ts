// The one place of the service that asks the machine what time it is.

/** Milliseconds since 1970-01-01T00:00Z. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
