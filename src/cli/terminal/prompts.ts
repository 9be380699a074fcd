// The one gate to questions. Nobody is asked who cannot answer: without a terminal on stdin and stderr the answer is
// an error that says which flag to give. A question that was broken off is an interruption, never an answer.
import { cliError, Interrupted } from '../command/errors.ts';
import type { Paint } from './color.ts';
import { PLAIN } from './color.ts';
import { promptTheme } from './prompt-theme.ts';
import { safeText } from './safe-text.ts';

export type Choice<T> = { value: T; name: string; description?: string };

export type AskOptions = {
  /** Taken when nothing is typed. */
  otherwise?: string;
  /** Nothing typed is an answer too. */
  mayBeEmpty?: boolean;
  /** Takes the question back: somebody else has answered it. */
  withdrawn?: AbortSignal;
  /** Throws for what is not accepted; its message is shown and the question stays. */
  accept?: (text: string) => unknown;
};

export type ConfirmOptions = {
  withdrawn?: AbortSignal;
  /** Asked even with `--yes`: what nobody can have meant beforehand. */
  always?: boolean;
};

export type Prompts = {
  canAsk: boolean;
  /** True with `--yes`; asks at a terminal; otherwise refuses and names the flag. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  /** @param flag what to give instead of an answer, for who cannot be asked */
  ask(question: string, flag: string, options?: AskOptions): Promise<string>;
  /** What is typed is not shown. */
  secret(question: string, flag: string): Promise<string>;
  /** One of these. */
  choose<T>(question: string, flag: string, choices: readonly Choice<T>[]): Promise<T>;
  /** At least one of these. */
  chooseSeveral<T>(question: string, flag: string, choices: readonly Choice<T>[]): Promise<T[]>;
};

export type PromptOptions = {
  canAsk: boolean;
  yes: boolean;
  /** Taken when something is asked: a getter may make it then. */
  readonly input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Aborted by a signal; its reason is what is thrown. */
  signal: AbortSignal;
  /** Of the stream that questions are written to. */
  paint?: Paint;
};

const CHOICES_SHOWN = 12;

export function createPrompts(options: PromptOptions): Prompts {
  const { canAsk, yes, output, signal, paint = PLAIN } = options;
  const context = {
    get input() {
      return options.input;
    },
    output,
    signal,
  };
  const theme = promptTheme(paint);
  const put = <T>(ask: (inquirer: Inquirer) => Promise<T>) => answered(ask, context);
  const mustBeAble = (question: string, flag: string) => {
    if (!canAsk) throw valuesMissing([{ what: question, flag }]);
  };
  return {
    canAsk,
    async confirm(question, { withdrawn, always = false } = {}) {
      if (yes && !always) return true;
      if (!canAsk) throw cliError('confirmation_needed', { question });
      const until = withdrawn ? AbortSignal.any([signal, withdrawn]) : signal;
      return put(({ confirm }) =>
        confirm({ message: safeText(question), default: false, theme }, { ...context, signal: until }),
      );
    },
    async ask(question, flag, { otherwise, mayBeEmpty = false, accept, withdrawn } = {}) {
      mustBeAble(question, flag);
      const until = withdrawn ? AbortSignal.any([signal, withdrawn]) : signal;
      return put((inquirer) =>
        inquirer.input(
          {
            message: safeText(question),
            required: !mayBeEmpty,
            validate: (text) => (mayBeEmpty && text === '' ? true : verdict(accept, text)),
            ...(otherwise !== undefined && { default: safeText(otherwise) }),
            theme,
          },
          { ...context, signal: until },
        ),
      );
    },
    async secret(question, flag) {
      mustBeAble(question, flag);
      return put(({ password }) =>
        password(
          {
            message: safeText(question),
            mask: '*',
            toggleMask: false,
            validate: (text) => text !== '' || 'Enter a value.',
            theme,
          },
          context,
        ),
      );
    },
    async choose(question, flag, choices) {
      mustBeAble(question, flag);
      return put(({ select }) =>
        select(
          {
            message: safeText(question),
            choices: choices.map(shown),
            pageSize: CHOICES_SHOWN,
            loop: false,
            theme,
          },
          context,
        ),
      );
    },
    async chooseSeveral(question, flag, choices) {
      mustBeAble(question, flag);
      return put(({ checkbox }) =>
        checkbox(
          {
            message: safeText(question),
            choices: choices.map(shown),
            pageSize: CHOICES_SHOWN,
            loop: false,
            required: true,
            theme,
          },
          context,
        ),
      );
    },
  };
}

/** One refusal for everything that would have been asked. @param missing what, and the flag to give it by */
export function valuesMissing(missing: readonly { what: string; flag: string }[]) {
  const [first] = missing;
  const isOne = missing.length === 1;
  return cliError('value_missing', {
    missing: isOne ? [first?.what ?? ''] : missing.map(({ what }) => lowered(what)),
    hint: `Add ${missing.map(({ flag }) => flag).join(' ')}.`,
  });
}

/** `Name` → `name`, but `ID` and `"Name <email>"` as they are. */
const lowered = (what: string): string =>
  /^[A-Z][a-z]/.test(what) ? what.charAt(0).toLowerCase() + what.slice(1) : what;

const shown = <T>({ value, name, description }: Choice<T>) => ({
  value,
  name: safeText(name),
  short: safeText(name),
  ...(description !== undefined && { description: safeText(description) }),
});

function verdict(accept: AskOptions['accept'], text: string): true | string {
  try {
    accept?.(text);
    return true;
  } catch (error) {
    return error instanceof Error ? safeText(error.message) : 'This value is not valid.';
  }
}

/** Below the question, with the cursor that a list had hidden. */
const LEAVE_LINE = '\n\u001b[?25h';

type Inquirer = typeof import('@inquirer/prompts');

/**
 * Ctrl-C ends a question with an error of @inquirer's own. Ctrl-D and an input that ends close it without a word, and
 * the process would end as if all were well: the input stops flowing then, and that is noticed here.
 */
async function answered<T>(
  ask: (inquirer: Inquirer) => Promise<T>,
  { input, output, signal }: Pick<PromptOptions, 'input' | 'output' | 'signal'>,
): Promise<T> {
  const question = ask(await import('@inquirer/prompts'));
  let stop: () => void = () => undefined;
  let isAnswered = false;
  const leftAlone = new Promise<never>((_, reject) => {
    const closed = () =>
      setImmediate(() => {
        if (isAnswered) return;
        output.write(LEAVE_LINE);
        reject(new Interrupted('SIGINT'));
      });
    const events = ['pause', 'end', 'close'] as const;
    for (const event of events) input.on(event, closed);
    stop = () => {
      for (const event of events) input.removeListener(event, closed);
    };
  });
  try {
    return await Promise.race([question, leftAlone]);
  } catch (error) {
    if (signal.reason instanceof Interrupted) throw signal.reason;
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(error.name))
      throw new Interrupted('SIGINT');
    throw error;
  } finally {
    isAnswered = true;
    stop();
  }
}
