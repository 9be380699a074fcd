// What is said to a person on stderr while a command works: notes, and each step as it happens. A terminal gets a
// spinner, a pipe gets lines, `--json` and `--quiet` get nothing.
import type { Ora } from 'ora';
import { type Paint, PLAIN } from './color.ts';
import { safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type Talk = {
  note(sentence: string): void;
  warn(sentence: string): void;
  /** Says that something is being done, and that it is done once `work` has. A step that failed is left to the error. */
  step<T>(label: string, work: (progress: Progress) => Promise<T>): Promise<T>;
};

/** How much of a step is done, in any unit. Only a spinner shows it. */
export type Progress = (done: number, total: number) => void;

export type TalkOptions = { silent: boolean; spinner: boolean };

export function createTalk(err: Sink, paint: Paint, { silent, spinner }: TalkOptions): Talk {
  let spinning: Ora | undefined;
  const line = (text: string) => {
    if (silent) return;
    // A line among the turns of the spinner stands above it.
    spinning?.clear();
    err.write(`${text}\n`);
    spinning?.render();
  };
  return {
    note: (sentence) => line(safeText(sentence)),
    warn: (sentence) => line(`${paint.yellow('warning:')} ${safeText(sentence)}`),
    async step(label, work) {
      if (silent) return work(unseen);
      if (!spinner) {
        const result = await work(unseen);
        line(`${paint.green('✓')} ${safeText(label)}`);
        return result;
      }
      spinning = await spinnerFor(safeText(label), paint);
      try {
        return await spin(spinning, paint, work);
      } finally {
        spinning = undefined;
      }
    },
  };
}

const unseen: Progress = () => undefined;

async function spinnerFor(text: string, paint: Paint): Promise<Ora> {
  const { default: ora } = await import('ora');
  return ora({ text, discardStdin: false, ...(paint === PLAIN && { color: false }) }).start();
}

async function spin<T>(spinner: Ora, paint: Paint, work: (progress: Progress) => Promise<T>): Promise<T> {
  const label = spinner.text;
  const stop = (symbol: string) => spinner.stopAndPersist({ symbol, text: label });
  try {
    const result = await work((done, total) => {
      spinner.text = `${label} ${progressBar(done, total)}`;
    });
    stop(paint.green('✓'));
    return result;
  } catch (error) {
    stop(paint.red('✗'));
    throw error;
  }
}

const BAR_WIDTH = 20;

/** `█████░░░░░ 50%`; nothing left to send is waiting for the answer. */
export function progressBar(done: number, total: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.floor(part * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.floor(part * 100)}%`;
}
