// Starts Debian's Chromium for browser tests, quiet and without a network of its own.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

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
