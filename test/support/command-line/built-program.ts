// Runs the built program again and again in one process, which is faster than starting it each time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildWithLines, startChildProcess } from '../processes/child.ts';
import type { CommandResult } from './in-process.ts';

export type { CommandResult } from './in-process.ts';

export type BuiltProgram = {
  folder: string;
  /** One after another. @param env for this run */
  run(args: readonly string[], env?: Record<string, string>): Promise<CommandResult>;
  close(): Promise<void>;
};

type Answer = CommandResult & { run: number };
type Runner = { child: ChildWithLines<Answer>; runs: number };

/** Idle processes. A run leaves no state in its process, so that another test can use it: loading the program takes longer than most runs. */
const idle: Runner[] = [];

function startRunner(): Runner {
  const program = fileURLToPath(new URL('../../../dist/start.cjs', import.meta.url));
  return { child: startChildProcess(new URL('./built-program-loop.mjs', import.meta.url), program), runs: 0 };
}

export async function openBuiltProgram(): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-runs-'));
  const runner = idle.pop() ?? startRunner();
  await writeFile(join(folder, 'empty.json'), '{}');
  let isRunning = false;
  return {
    folder,
    async run(args, env = {}) {
      runner.runs += 1;
      const wanted = runner.runs;
      isRunning = true;
      runner.child.tell({ args, env: { ESIGN_HOME: join(folder, 'home'), HOME: folder, CI: '', ...env } });
      const { code, out, err } = await runner.child.until(({ run }) => run === wanted);
      isRunning = wanted !== runner.runs;
      return { code, out, err };
    },
    async close() {
      // A process in the middle of a run cannot be used again.
      if (isRunning) {
        runner.child.kill();
        await runner.child.ended;
      } else idle.push(runner);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
