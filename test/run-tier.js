// Runs a tier of the tests: `node test/run-tier.js landing` or `full`. A failed test of browsers, killed processes or foreign programs is run once
// more, alone: what then passes is reported as unsteady and does not fail the run. Nothing else is repeated.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const REPEATED = /^test\/(browser|concurrency|crash|database|screens|shell|service\/(s3|serve))\//;
/** More failures than that have one cause, which is no coincidence. */
const MOST_REPEATED = 5;

const scratch = mkdtempSync(join(tmpdir(), 'esign-tier-'));
const results = join(scratch, 'results.json');
try {
  process.exitCode = runTier(process.argv[2], process.argv.slice(3));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function runTier(tier, words) {
  const turns = words.length === 0 ? { ESIGN_TAKES_TURNS: '1' } : {};
  const status = runVitest(tier, words, { ESIGN_TEST_RESULTS: results, ...turns });
  if (status === 0) return 0;
  const failed = failedTests();
  const isRepeated = failed.every(({ file }) => REPEATED.test(file));
  if (failed.length === 0 || failed.length > MOST_REPEATED || !isRepeated) return status;
  const again = failed.map((test) => ({ ...test, status: runAlone(tier, test) }));
  for (const { file, name, message, status } of again)
    process.stdout.write(
      `${status === 0 ? 'unsteady' : 'failed twice'}: ${name ?? file} (${file}: ${message})\n`,
    );
  return again.every(({ status }) => status === 0) ? 0 : status;
}

function runVitest(tier, words, variables = {}) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', 'test/vitest.config.ts', ...words],
    { cwd: root, env: { ...process.env, ESIGN_TIER: tier, ...variables }, stdio: 'inherit' },
  );
  return status ?? 1;
}

/** The whole file where its preparation failed: then none of its tests has a result. */
function runAlone(tier, { file, name }) {
  const pattern = name?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return runVitest(tier, pattern === undefined ? [file] : [file, '-t', `^${pattern}$`]);
}

/** Empty where errors outside of tests failed the run. */
function failedTests() {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: path, message, assertionResults }) => {
      const file = relative(root, path);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return [{ file, name: undefined, message: firstLine(message) }];
      return tests.map(({ fullName, failureMessages }) => ({
        file,
        name: fullName,
        message: firstLine(failureMessages[0]),
      }));
    });
}

/** Without colors. */
function firstLine(text = '') {
  return stripVTControlCharacters(text).split('\n', 1)[0];
}
