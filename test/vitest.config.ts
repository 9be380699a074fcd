import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const slow = process.env.ESIGN_TIER === 'slow';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  define: { __ESIGN_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', fileURLToPath(new URL('support/missing-tools.ts', import.meta.url))],
    setupFiles: ['test/support/own-fetch.ts'],
    pool: 'threads',
    // Modules here hold no state, so that files of one worker can share them: a quarter of the time was importing.
    isolate: false,
    maxWorkers: 2,
    testTimeout: slow ? 600_000 : 30_000,
    hookTimeout: slow ? 120_000 : 30_000,
  },
});
