// The built program run again and again, fast: one process for all of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';

export type Run = { code: number; out: string; err: string };

export type Runs = {
  folder: string;
  /** One after another. @param env for this run */
  run(args: readonly string[], env?: Record<string, string>): Promise<Run>;
  close(): Promise<void>;
};

export async function openRuns(): Promise<Runs> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-runs-'));
  const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const child: Child<Run & { run: number }> = startChild(
    new URL('./many-runs.mjs', import.meta.url),
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
