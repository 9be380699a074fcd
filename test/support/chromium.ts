// Starts Debian's Chromium for browser tests, quiet and without a network of its own, and goes from page to page.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim();
  // Chromium's sandbox does not start for root.
  const args = process.getuid?.() === 0 ? [...ARGS, '--no-sandbox'] : ARGS;
  return chromium.launch({ executablePath, args });
}

/** Presses a button or a link, and waits until the page that it leads to has loaded. */
export async function follow(page: Page, target: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), target.click()]);
}
