// Starts nodes of a team server as processes of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePort } from './ports.ts';

const ESIGN = fileURLToPath(new URL('../../../bin/esign.js', import.meta.url));

export type TeamNode = {
  /** Of its first process. */
  pid: number;
  port: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** What it printed when it was ready. */
  facts: { installation: string; origin: string; listening: string };
  /** Its log and its errors so far. */
  log(): string;
  /** Resolves with its exit code when it ends by itself. */
  ended: Promise<number | null>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** @returns its exit code */
  stop(): Promise<number | null>;
};

/**
 * Resolves when the node is ready.
 * @param env beside ESIGN_HOME, which each node has for itself
 * @param program the launcher, of this version or another one, or an executable
 * @throws what the node printed, when it ends
 */
export async function startTeamNode(
  env: Record<string, string>,
  args: readonly string[] = [],
  port?: number,
  program = ESIGN,
): Promise<TeamNode> {
  const folder = await temporaryFolder();
  const taken = port ?? (await freePort());
  const [command, ...before] = program.endsWith('.js') ? [process.execPath, program] : [program];
  const child = spawn(
    command as string,
    [...before, 'serve', '--json', '--listen', `127.0.0.1:${taken}`, ...args],
    { env: { PATH: process.env.PATH, HOME: folder, ESIGN_HOME: folder, ESIGN_SOFFICE: 'off', ...env } },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit').then(async ([code]) => {
    await rm(folder, { recursive: true, force: true });
    return code as number | null;
  });
  const ready = new Promise<TeamNode['facts']>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    void ended.then((code) => reject(new Error(`The node ended with ${code}: ${log}`)));
  });
  const facts = await ready;
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid as number,
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    facts,
    log: () => log,
    ended,
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}
