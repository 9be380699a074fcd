// `npm run bench -- --against DIR [--most RATIO] NAME…`: measures rows in turn with another build, and prints how this one compares. DIR is
// another checkout of the project with its packages installed and dist/ built.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';
import { COMPARED_PROCESSES, compareProcesses } from './start-up.js';

const ROUNDS = 3;
/** Rows that give the same figure each time. */
const EXACT = ['tarball', 'installed', 'client'];
const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Prints a line for each row: the median of ratios ours ÷ other, and the least and the largest.
 * @param most rows whose ratio is above it fail the run
 */
export async function compareRows(rows, otherRoot, most = Number.POSITIVE_INFINITY) {
  // The same measurements on both sides: the other build may have older ones.
  const copied = mkdtempSync(join(otherRoot, 'test', 'bench-'));
  try {
    cpSync(here, copied, { recursive: true });
    for (const { name, what } of rows) {
      const ratios = await ratiosOf(name, otherRoot, copied);
      const isMore = median(ratios) > most;
      if (isMore) process.exitCode = 1;
      process.stdout.write(`${what.padEnd(62)} ${spreadOf(ratios)}${isMore ? `   MORE THAN ${most}` : ''}\n`);
    }
  } finally {
    rmSync(copied, { recursive: true, force: true });
  }
}

async function ratiosOf(name, otherRoot, copied) {
  if (COMPARED_PROCESSES.includes(name)) return compareProcesses(name, otherRoot);
  const rounds = EXACT.includes(name) ? 1 : ROUNDS;
  return Array.from({ length: rounds }, () => [copied, here].map((folder) => figureOf(folder, name))).map(
    ([other, ours]) => ours / other,
  );
}

/** The first number of the figure, which is what a row is judged by. */
function figureOf(folder, name) {
  const { stdout } = spawnSync(process.execPath, [join(folder, 'bench.js'), '--figure', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number.parseFloat(stdout);
}

function spreadOf(ratios) {
  if (ratios.some(Number.isNaN)) return 'not measured on both sides';
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `${median(ratios).toFixed(2)} × the other build   (${least} to ${most})`;
}
