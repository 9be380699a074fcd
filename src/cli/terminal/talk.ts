// What is said to a person on stderr while a command works: notes, and each step as it happens. A terminal gets a
// spinner, a pipe gets lines, `--json` and `--quiet` get nothing.
import type { Paint } from './color.ts';
import { safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type Talk = {
  note(sentence: string): void;
  /** Said before whatever is said or printed next; not at all when the command fails before. */
  later(sentence: string): void;
  flush(): void;
  warn(sentence: string): void;
  /** Shows what is being waited for, as long as it lasts; a pipe gets a line whenever it changes. */
  waiting<T>(label: string, work: (say: (label: string) => void) => Promise<T>): Promise<T>;
  /** Says that something is being done, and that it is done once `work` has. A step that failed is left to the error. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>;
};

export type TalkOptions = { silent: boolean; spinner: boolean };

export function createTalk(err: Sink, paint: Paint, { silent, spinner }: TalkOptions): Talk {
  const held: string[] = [];
  const write = (text: string) => {
    if (!silent) err.write(`${text}\n`);
  };
  const flush = () => {
    for (const sentence of held.splice(0)) write(safeText(sentence));
  };
  const line = (text: string) => {
    flush();
    write(text);
  };
  return {
    note: (sentence) => line(safeText(sentence)),
    later: (sentence) => void held.push(sentence),
    flush,
    warn: (sentence) => line(`${paint.yellow('warning:')} ${safeText(sentence)}`),
    async step(label, work) {
      flush();
      if (silent) return work();
      if (!spinner) {
        const result = await work();
        line(`${paint.green('✓')} ${safeText(label)}`);
        return result;
      }
      return spin(safeText(label), paint, work);
    },
    async waiting(label, work) {
      flush();
      if (silent) return work(() => undefined);
      if (spinner) return spinQuietly(safeText(label), paint, work);
      line(safeText(label));
      return work((changed) => line(safeText(changed)));
    },
  };
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

async function startSpinner(label: string, paint: Paint) {
  const { default: ora } = await import('ora');
  return ora({
    text: label,
    discardStdin: false,
    color: false, // its own chalk would decide otherwise
    spinner: { interval: 80, frames: FRAMES.map(paint.cyan) },
  }).start();
}

async function spin<T>(label: string, paint: Paint, work: () => Promise<T>): Promise<T> {
  const spinner = await startSpinner(label, paint);
  try {
    const result = await work();
    spinner.stopAndPersist({ symbol: paint.green('✓') });
    return result;
  } catch (error) {
    spinner.stopAndPersist({ symbol: paint.red('✗') });
    throw error;
  }
}

async function spinQuietly<T>(
  label: string,
  paint: Paint,
  work: (say: (label: string) => void) => Promise<T>,
): Promise<T> {
  const spinner = await startSpinner(label, paint);
  try {
    return await work((changed) => {
      spinner.text = safeText(changed);
    });
  } finally {
    spinner.stop();
  }
}
