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

export async function openBuiltProgram(): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-runs-'));
  const program = fileURLToPath(new URL('../../../dist/start.cjs', import.meta.url));
  const child: ChildWithLines<CommandResult & { run: number }> = startChildProcess(
    new URL('./built-program-loop.mjs', import.meta.url),
    program,
  );
  await writeFile(join(folder, 'empty.json'), '{}');
  let count = 0;
  return {
    folder,
    async run(args, env = {}) {
      count += 1;
      const wanted = count;
      child.tell({ args, env: { ESIGN_HOME: join(folder, 'home'), HOME: folder, CI: '', ...env } });
      const { code, out, err } = await child.until(({ run }) => run === wanted);
      return { code, out, err };
    },
    async close() {
      child.kill();
      await child.ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
