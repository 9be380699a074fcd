// The error for a standard output that fails. The process edge prints it, because a command may not be able to any more.
import { EXIT } from './exit-codes.ts';

export const OUTPUT_FAILED = {
  code: 'output_failed',
  exit: EXIT.unexpected,
  sentence: (why: string): string => `The output cannot be written (${why}).`,
  hint: 'Check the disk, or the program that reads the output. `esign tx list` shows what was done.',
} as const;
