// Runs a program to its end without blocking the test, which may serve what the program asks for meanwhile.
import { type ExecFileOptions, execFile } from 'node:child_process';

export type Ran = { code: number; out: string; err: string };

export function run(
  command: string,
  words: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'env'> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, words, { ...options, encoding: 'utf8', maxBuffer: 1e8 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    );
  });
}
