// The answer for a document that is no worse than others and yet too much: too slow, too large inside, built to hurt.

/**
 * `limit` names what was passed: `time`, `memory`, `crash`, or what a look at the bytes has found. `page` counts from 1
 * and is there where it is known.
 */
export type TooComplex = { ok: false; reason: 'too_complex'; limit: string; page?: number };
