// Processes every file of a folder from upload to seal, and prints the results: `npm run test:corpus -- DIR`.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('Name a folder: npm run test:corpus -- DIR\n');
  process.exit(2);
}
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', 'test/vitest.config.ts', '--reporter=dot', 'test/corpus'],
  // Strict mode: a missing verifier is a failure, so that no run succeeds without a check.
  {
    stdio: 'inherit',
    env: { ...process.env, ESIGN_CORPUS: resolve(folder), ESIGN_TIER: 'full', ESIGN_STRICT: '1' },
  },
);
process.exit(status ?? 1);
