// The only file of the client that reads the clock, takes random values, or names the global `fetch`.

/** Only differences are taken. */
export const elapsedMs = (): number => performance.now();

export const epochMs = (): number => Date.now();

export const random = (): number => Math.random();

/** 128 random bits in hexadecimal, which no one can guess. `crypto.randomUUID` is missing on pages without https. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The global `fetch` at the time of the call, so that one that a test puts in its place is used. */
export const globalFetch = (url: string, init: RequestInit): Promise<Response> => fetch(url, init);
