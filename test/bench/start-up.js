// Whole-process times beside bare Node of the same version.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';

const RUNS = 21;
const esign = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const contract = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

/** Both commands in turn, so that what slows the machine down slows both. */
export function startUp(node, words, env = process.env) {
  const bare = [];
  const ours = [];
  for (let run = -2; run < RUNS; run += 1) {
    const pair = [time(node, ['-e', '0'], env), time(node, [esign, ...words], env)];
    if (run < 0) continue;
    bare.push(pair[0]);
    ours.push(pair[1]);
  }
  const ratio = median(ours) / median(bare);
  return `${ratio.toFixed(2)}   (${median(ours).toFixed(0)} ms ÷ ${median(bare).toFixed(0)} ms)`;
}

export function txSend(node) {
  const home = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    return startUp(node, ['tx', 'send', contract, '--to', 'Ada <ada@example.com>'], {
      ...process.env,
      ESIGN_HOME: home,
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function time(node, words, env) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(node, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}
