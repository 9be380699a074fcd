// Runs another program in place of this one: it has this terminal, gets this process's signals, and says the exit code.
import { constants } from 'node:os';
import type { Variables } from '../../../../config/environment.ts';
import type { ProcessContext } from '../../../command/context.ts';

/** Added to the number of a signal that ended a program, as shells do. */
const ENDED_BY_SIGNAL = 128;

/**
 * Resolves with the exit code of the program, once it has ended and its output is closed.
 * @param words the program, and its arguments
 * @throws an error of the system with its code, such as ENOENT, when the program cannot be started
 */
export async function runProgram(
  words: readonly string[],
  variables: Variables,
  passSignals: ProcessContext['passSignals'],
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: 'inherit', env: { ...variables } });
  // A terminal sends SIGINT to the program as well. Two of them would end some programs without what they do at their end.
  const stopPassing = passSignals((signal, isFromTerminal) => {
    if (!isFromTerminal) child.kill(signal);
  });
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        resolve(signal === null ? (code ?? 0) : ENDED_BY_SIGNAL + constants.signals[signal]),
      );
    });
  } finally {
    stopPassing();
  }
}
