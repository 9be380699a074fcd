// Opens an address in a browser. A machine without a browser is no error, because the caller has printed the address.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseUrl } from '../../common/parse-url.ts';
import { type Variables, variable } from '../../config/environment.ts';

/** Whether the system can show windows. Without them the system's opener would start without any effect. */
export const hasWindows = (platform: string, variables: Variables): boolean =>
  platform !== 'linux' ||
  ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => variable(variables, name) !== undefined);

/**
 * Opens an address. True when the browser, or what opens it, was started.
 * @param command words to start instead, followed by the address; no shell reads them
 */
export async function openInBrowser(address: string, command: string | undefined): Promise<boolean> {
  const url = parseUrl(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
  try {
    if (command === undefined) {
      const { default: open } = await import('open');
      await open(url.href);
    } else await startCommand(command, url.href);
    return true;
  } catch {
    return false;
  }
}

async function startCommand(command: string, address: string): Promise<void> {
  const [program = '', ...words] = command.trim().split(/\s+/);
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  child.unref();
}
