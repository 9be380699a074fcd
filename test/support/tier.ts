// How much a test does: `npm test` runs the short figures, `npm run test:slow` the full ones.

export const SLOW = process.env.ESIGN_TIER === 'slow';

/** A row of a table, which stays a tuple of what is in it. */
type AnyRow = [unknown] | unknown[] | object | string | number;

/** Every row in the slow tier, one of `step` in the short tier: for tables whose rows all go the same way. */
export const sampleOf = <Row extends AnyRow>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, index) => SLOW || index % step === 0);
