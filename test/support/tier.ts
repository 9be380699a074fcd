// The tier of a run (test/README.md): `npm test` runs the short one, `npm run test:landing` the one that each change needs, and
// `npm run test:full` every repetition.

const TIERS = ['short', 'landing', 'full'] as const;
export type Tier = (typeof TIERS)[number];

function tierOf(name = 'short'): Tier {
  const tier = TIERS.find((known) => known === name);
  if (tier === undefined) throw new Error(`ESIGN_TIER is "${name}"; it can be ${TIERS.join(', ')}.`);
  return tier;
}

export const TIER = tierOf(process.env.ESIGN_TIER);
export const FULL = TIER === 'full';
/** True in the landing tier and in the full one. */
export const SLOW = TIER !== 'short';

/** Whether this run leaves files to other landings (turns.ts). `run-tier.js` asks for that; a file that is named runs in any case. */
export const TAKES_TURNS = TIER === 'landing' && process.env.ESIGN_TAKES_TURNS !== undefined;

/**
 * Chooses which repetitions a landing runs, and is the seed of random tests. `vitest.config.ts` takes it from the commit, so that
 * landings one after another run different ones; ESIGN_SHARE repeats those of an earlier run.
 */
export const SHARE = Number(process.env.ESIGN_SHARE ?? 0);

/** At a landing, one of so many of the repetitions that the short tier leaves out. */
const SHARES = 4;

/** A row of a table, typed as a tuple of its values. */
type AnyRow = [unknown] | unknown[] | object | string | number;

/**
 * For tables whose rows all take the same path: one row of `step` in the short tier, a quarter of the others as well at a landing, and
 * every row in the full tier.
 */
export const sampleOf = <Row extends AnyRow>(rows: readonly Row[], step: number): Row[] =>
  rows.filter((_, index) => FULL || index % step === 0 || (SLOW && index % SHARES === SHARE % SHARES));

/** For rows that take long and run in no short tier: one of `step` at a landing, and every row in the full tier. */
export const shareOf = <Row extends AnyRow>(rows: readonly Row[], step: number): Row[] => {
  const turn = SHARE % Math.min(step, Math.max(rows.length, 1));
  return rows.filter((_, index) => FULL || index % step === turn);
};
