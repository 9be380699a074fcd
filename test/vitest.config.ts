import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';
import { SLOW_FILES } from './support/slow-files.ts';
import { FULL, SLOW, TAKES_TURNS } from './support/tier.ts';
import { filesOfOtherLandings } from './support/turns.ts';

const { textFiles } = (await import('../scripts/text-files.js' as string)) as {
  textFiles: NonNullable<ViteUserConfig['plugins']>[number];
};

/** The share of a landing (support/tier.ts): another one for each commit. */
function shareOfCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? String(Number.parseInt(stdout.slice(0, 7), 16)) : '0';
}

process.env.ESIGN_SHARE ??= shareOfCommit();

function filesOfOtherRuns(): string[] {
  if (!SLOW) return [...SLOW_FILES];
  return TAKES_TURNS ? filesOfOtherLandings(Number(process.env.ESIGN_SHARE)) : [];
}

/** Where `run-tier.js` reads which tests failed. */
const results = process.env.ESIGN_TEST_RESULTS;

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ENOUGH_BYTES;
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  define: { __ESIGN_VERSION__: JSON.stringify('0.0.0-test'), __ESIGN_BUILD__: JSON.stringify('') },
  plugins: [textFiles],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: filesOfOtherRuns(),
    reporters: [
      fileURLToPath(new URL('support/reporter.ts', import.meta.url)),
      ...(results === undefined ? [] : [['json', { outputFile: results }] satisfies ['json', object]]),
    ],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/servers/shared-postgres.ts'],
    pool: 'threads',
    // Modules here hold no state, so that files of one worker can share them: a quarter of the time was importing.
    isolate: false,
    // Vitest would empty styles.
    css: true,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Compiling the source takes ten seconds of a run. node_modules/ keeps what was compiled, by its content.
    experimental: { fsModuleCache: true },
    // A third of the time was waiting for a disk. The full tier waits for it: there, files lie where they lie for users.
    env: FULL || !hasRoom(MEMORY) ? {} : { TMPDIR: MEMORY },
    // They end what hangs. A busy machine is no reason to fail.
    testTimeout: SLOW ? 600_000 : 300_000,
    hookTimeout: 300_000,
    // One second is not enough for a browser on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
});
