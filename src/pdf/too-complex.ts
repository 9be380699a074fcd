// Defines the refusal of a document that is well-formed but exceeds the limits: too slow, too large when unpacked, or hostile.

/**
 * `limit` names what was passed: `time`, `memory`, `crash`, or what a look at the bytes has found. `page` counts from 1
 * and is there where it is known.
 */
export type TooComplex = { ok: false; reason: 'too_complex'; limit: string; page?: number };
