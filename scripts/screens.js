// Takes pictures of every signing page in every width and color: `npm run screens -- DIR`.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('Name a folder: npm run screens -- DIR\n');
  process.exit(2);
}
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/screens'], {
  stdio: 'inherit',
  env: { ...process.env, ESIGN_SCREENS: resolve(folder) },
});
process.exit(status ?? 1);
