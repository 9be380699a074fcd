// The tier of a run: `npm test` runs the short tier, `npm run test:slow` the slow one, and `npm run test:full` the slow one with every
// repetition, which takes twice as long.

export const FULL = process.env.ESIGN_TIER === 'full';
export const SLOW = FULL || process.env.ESIGN_TIER === 'slow';

/** A row of a table, typed as a tuple of its values. */
type AnyRow = [unknown] | unknown[] | object | string | number;

/** Every row in the slow tier, one of `step` in the short tier: for tables whose rows all take the same path. */
export const sampleOf = <Row extends AnyRow>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, index) => SLOW || index % step === 0);

/** Every row in the full tier, one of `step` in the slow tier: for rows that take long. */
export const slowSampleOf = <Row extends AnyRow>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, index) => FULL || index % step === 0);
