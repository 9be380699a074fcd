// Opens an address in a browser. A machine that has none is no error: whoever calls has printed the address.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseUrl } from '../../api/contract/parse-url.ts';
import { type Variables, variable } from '../../config/environment.ts';

/** Whether a browser can appear: where nothing shows windows, the opener of the system starts, and nothing comes of it. */
export const hasWindows = (platform: string, variables: Variables): boolean =>
  platform !== 'linux' ||
  ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => variable(variables, name) !== undefined);

/**
 * True when the browser, or what opens it, was started.
 * @param command words to start instead, with the address behind them; no shell reads them
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
