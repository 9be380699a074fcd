// Measures how much slower this machine is than the one that the limits were measured on, so that the same file has the same verdict on both.
import process from 'node:process';

/** The loop takes so long on the machine that the limits were measured on. */
const USUAL_MS = 2;
const STEPS = 1_000_000;
const RUNS = 4;
/** Even on a machine that is slower still, a limit has to end something. */
const MOST = 6;

/** The answer is at least 1: a faster machine gains nothing from stricter limits. The best of a few runs counts, because the first one is not compiled yet. */
export function measureSlowness(): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(MOST, Math.max(1, Math.min(...runs) / USUAL_MS));
}

function work(): number {
  let value = 1;
  for (let step = 0; step < STEPS; step += 1) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  return value;
}
