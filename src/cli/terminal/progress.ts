// Prints notes and steps on stderr while a command works. A terminal gets a spinner, a pipe gets lines, `--json` and
// `--quiet` get nothing.
import type { Ora } from 'ora';
import { withoutCredentials } from '../command/url-credentials.ts';
import type { Paint } from './color.ts';
import { safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';
import { wrapLine } from './text-width.ts';

export type Progress = {
  note(sentence: string): void;
  /** Prints a sentence before the next output; not at all when the command fails before. */
  noteBeforeNext(sentence: string): void;
  flush(): void;
  warn(sentence: string): void;
  /** Shows what the command waits for while it waits; a pipe gets a line whenever that changes. */
  showWaiting<T>(label: string, work: (say: (label: string) => void) => Promise<T>): Promise<T>;
  /** Shows a step while `work` runs, and when it is done. A failed step is reported by the error. */
  step<T>(label: string, work: (report: StepProgress) => Promise<T>): Promise<T>;
};

/** How much of a step is done, in any unit. Only a spinner shows it. */
export type StepProgress = (done: number, total: number) => void;

export type ProgressOptions = {
  silent: boolean;
  spinner: boolean;
  /** A person without a spinner reads a line when a step begins, and one when it ends. */
  inWords?: boolean;
};

export function createProgress(err: Sink, paint: Paint, options: ProgressOptions): Progress {
  const { silent, spinner, inWords = false } = options;
  const held: string[] = [];
  let spinning: Ora | undefined;
  const write = (text: string) => {
    if (silent) return;
    // A line that is printed while the spinner turns appears above it.
    spinning?.clear();
    err.write(`${wrapLine(text, err.isTerminal ? err.columns : undefined)}\n`);
    spinning?.render();
  };
  const flush = () => {
    for (const sentence of held.splice(0)) write(printable(sentence));
  };
  const line = (text: string) => {
    flush();
    write(text);
  };
  const showSpinner = async <T>(label: string, work: (shown: Ora) => Promise<T>): Promise<T> => {
    const shown = await startSpinner(printable(label), paint);
    spinning = shown;
    try {
      return await work(shown);
    } finally {
      spinning = undefined;
    }
  };
  return {
    note: (sentence) => line(printable(sentence)),
    noteBeforeNext: (sentence) => void held.push(sentence),
    flush,
    warn: (sentence) => line(`${paint.yellow('warning:')} ${printable(sentence)}`),
    async step(label, work) {
      flush();
      if (silent) return work(ignoreProgress);
      if (spinner) return showSpinner(label, (shown) => spin(shown, paint, work));
      if (inWords) line(`${printable(label)} …`);
      try {
        const result = await work(ignoreProgress);
        line(`${paint.green(inWords ? 'done:' : '✓')} ${printable(label)}`);
        return result;
      } catch (error) {
        if (inWords) line(`${paint.red('failed:')} ${printable(label)}`);
        throw error;
      }
    },
    async showWaiting(label, work) {
      flush();
      if (silent) return work(() => undefined);
      if (spinner) return showSpinner(label, (shown) => spinQuietly(shown, work));
      line(printable(label));
      return work((changed) => line(printable(changed)));
    },
  };
}

/** Makes a sentence safe to print: it may contain a URL with a password. */
const printable = (sentence: string): string => safeText(withoutCredentials(sentence));

const ignoreProgress: StepProgress = () => undefined;

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

async function startSpinner(label: string, paint: Paint): Promise<Ora> {
  const { default: ora } = await import('ora');
  return ora({
    text: label,
    discardStdin: false,
    color: false, // its own chalk would decide otherwise
    spinner: { interval: 80, frames: FRAMES.map(paint.cyan) },
  }).start();
}

async function spin<T>(spinner: Ora, paint: Paint, work: (report: StepProgress) => Promise<T>): Promise<T> {
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

async function spinQuietly<T>(spinner: Ora, work: (say: (label: string) => void) => Promise<T>): Promise<T> {
  try {
    return await work((changed) => {
      spinner.text = printable(changed);
    });
  } finally {
    spinner.stop();
  }
}

const BAR_WIDTH = 20;

/** Draws a bar: `█████░░░░░ 50%`. When everything is sent, it says that it waits for the answer. */
export function progressBar(done: number, total: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.floor(part * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.floor(part * 100)}%`;
}
