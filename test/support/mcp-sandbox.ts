// Starts `esign sandbox serve` as built, in a folder of its own, and makes tokens of it: a sandbox whose `/mcp` is tested.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

export type McpSandbox = {
  url: string;
  /** Runs a command of the program in the same sandbox. @returns what it printed */
  run(...words: string[]): Promise<string>;
  /** @param words options of `esign sandbox token` */
  token(...words: string[]): Promise<string>;
  /** Lists the folders of calls that are not deleted. */
  folders(): Promise<string[]>;
  /** Sends SIGTERM. @returns how the process ended */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export async function startMcpSandbox(folder: string): Promise<McpSandbox> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ESIGN_HOME: join(folder, '.esign'),
    TMPDIR: temporary,
  };
  const words = ['sandbox', 'serve', '--port', '0', '--json', '--quiet'];
  const server = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(server, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env });
    return stdout.trim();
  };
  return {
    url: JSON.parse(String(line)).base_url,
    run,
    token: (...args) => run('sandbox', 'token', '--raw', ...args),
    folders: async () => (await readdir(temporary)).filter((name) => name.startsWith('esign-')),
    async stop() {
      server.kill('SIGTERM');
      const [code, signal] = await closed;
      return { code, signal };
    },
  };
}
