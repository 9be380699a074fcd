// Starts Debian's Chromium for browser tests, quiet and without a network of its own, and goes from page to page. Each test file starts its
// own: without windows, that takes a quarter of a second.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { FULL } from './tier.ts';

const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
];

/** The engine without its windows takes a third of the processor time. The full tier uses the browser that people have. */
const PROGRAMS = FULL ? ['chromium'] : ['chromium-headless-shell', 'chromium'];

const pathOf = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();

export async function launchChromium(): Promise<Browser> {
  const executablePath = PROGRAMS.map(pathOf).find((path) => path !== '') ?? '';
  // Chromium's sandbox does not start for root.
  const args = process.getuid?.() === 0 ? [...ARGS, '--no-sandbox'] : ARGS;
  return chromium.launch({ executablePath, args });
}

/** Presses a button or a link, and waits until the page that it leads to has loaded. */
export async function follow(page: Page, target: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), target.click()]);
}
