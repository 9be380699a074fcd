import { defineConfig } from '@playwright/test';

// The Chromium of the system, so that none is downloaded. Its sandbox does not start for root.
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  testMatch: '*.test.js',
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: { browserName: 'chromium', locale: 'en', launchOptions: { executablePath, args } },
});
