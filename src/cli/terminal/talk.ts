// What is said to a person on stderr while a command works: notes, and each step as it happens. A terminal gets a
// spinner, a pipe gets lines, `--json` and `--quiet` get nothing.
import { type Paint, PLAIN } from './color.ts';
import { safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type Talk = {
  note(sentence: string): void;
  warn(sentence: string): void;
  /** Says that something is being done, and that it is done once `work` has. A step that failed is left to the error. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>;
};

export type TalkOptions = { silent: boolean; spinner: boolean };

export function createTalk(err: Sink, paint: Paint, { silent, spinner }: TalkOptions): Talk {
  const line = (text: string) => {
    if (!silent) err.write(`${text}\n`);
  };
  return {
    note: (sentence) => line(safeText(sentence)),
    warn: (sentence) => line(`${paint.yellow('warning:')} ${safeText(sentence)}`),
    async step(label, work) {
      if (silent) return work();
      if (!spinner) {
        const result = await work();
        line(`${paint.green('✓')} ${safeText(label)}`);
        return result;
      }
      return spin(safeText(label), paint, work);
    },
  };
}

async function spin<T>(label: string, paint: Paint, work: () => Promise<T>): Promise<T> {
  const { default: ora } = await import('ora');
  const spinner = ora({ text: label, discardStdin: false, ...(paint === PLAIN && { color: false }) }).start();
  try {
    const result = await work();
    spinner.stopAndPersist({ symbol: paint.green('✓') });
    return result;
  } catch (error) {
    spinner.stopAndPersist({ symbol: paint.red('✗') });
    throw error;
  }
}
