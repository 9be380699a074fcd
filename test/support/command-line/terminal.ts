// A real terminal for a test: a shell inside tmux, of a given size, which keys are sent to and whose screen is read.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Terminal = {
  /** Types text literally. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `C-c`, `Down`, `Space`. */
  press(...keys: string[]): Promise<void>;
  /** Returns the current text, including lines that were scrolled away. @param colors keeps escape codes */
  screen(colors?: boolean): Promise<string>;
  /** Waits until the screen matches. Throws with the screen on a timeout. */
  until(wanted: RegExp): Promise<string>;
  close(): Promise<void>;
};

export type TerminalOptions = {
  columns: number;
  rows?: number;
  env: Record<string, string>;
  folder: string;
  /** The path of a file that receives all that programs write to the terminal, with the bytes that move its cursor. */
  record?: string;
};

const PATIENCE_MS = 20_000;

export async function openTerminal({
  columns,
  rows = 50,
  env,
  folder,
  record,
}: TerminalOptions): Promise<Terminal> {
  const name = `esign-test-${randomBytes(6).toString('hex')}`;
  const tmux = async (...words: string[]) =>
    (await run('tmux', ['-L', name, '-f', '/dev/null', ...words])).stdout;
  const variables = Object.entries({ ...env, PS1: '$ ', TERM: 'tmux-256color' }).map(
    ([key, value]) => `${key}=${value}`,
  );
  const shell = ['env', '-i', ...variables, 'sh']
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  await tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', folder, shell);
  if (record !== undefined) await tmux('pipe-pane', '-O', `exec cat >> '${record}'`);
  const screen = (colors = false) => tmux('capture-pane', '-p', '-S', '-', ...(colors ? ['-e'] : []));
  return {
    type: async (text) => void (await tmux('send-keys', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    screen,
    async until(wanted) {
      const endMs = performance.now() + PATIENCE_MS;
      for (let shown = ''; performance.now() < endMs; await sleep(60)) {
        shown = await screen();
        if (wanted.test(shown)) return shown;
      }
      throw new Error(`${wanted} did not come. The screen:\n${await screen()}`);
    },
    close: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
