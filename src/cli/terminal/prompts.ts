// Asks questions at a terminal. Without a terminal on stdin and stderr it throws an error that names the flag to use
// instead. An aborted question is an interruption, never an answer. Esc goes back to the question before; where there is none it does
// nothing, because a person who presses it does not expect that the command ends.
import { type CliError, cliError, Interrupted } from '../command/errors.ts';
import { type Paint, PLAIN } from './color.ts';
import { linePrompts, type PromptSettings, type Questions } from './line-prompts.ts';
import { createQuestionSeries, type QuestionSeries, WentBack } from './question-series.ts';
import { safeText } from './safe-text.ts';

export type Choice<T> = { value: T; name: string; description?: string };

export type AskOptions = {
  /** Taken when nothing is typed. */
  otherwise?: string;
  /** An empty answer is valid. */
  mayBeEmpty?: boolean;
  /** Aborted to withdraw the question, when the answer has come in another way. */
  withdrawn?: AbortSignal;
  /** Throws for what is not accepted, or rejects; its message is shown and the question stays. */
  accept?: (text: string) => unknown;
};

type ConfirmOptions = {
  withdrawn?: AbortSignal;
  /** Asks even with `--yes`, because the user could not have known the question beforehand. */
  always?: boolean;
  /** The answer to nothing but Enter. Only for what can be changed later. */
  otherwise?: boolean;
};

export type Prompts = {
  canAsk: boolean;
  /** True with `--yes`; asks at a terminal; otherwise refuses and names the flag. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  /** Asks for a text. @param flag what to use instead, for the error without a terminal */
  ask(question: string, flag: string, options?: AskOptions): Promise<string>;
  /** Asks for a text without showing what is typed. */
  secret(question: string, flag: string, options?: Pick<AskOptions, 'accept'>): Promise<string>;
  /** Asks for one of these. @param otherwise the choice of nothing but Enter; absent: the first */
  choose<T>(question: string, flag: string, choices: readonly Choice<T>[], otherwise?: T): Promise<T>;
  /** Asks for at least one of these. */
  chooseSeveral<T>(question: string, flag: string, choices: readonly Choice<T>[]): Promise<T[]>;
  /**
   * Runs a function whose questions can be gone back through: after Esc it runs again from its beginning, with the answers up to the question
   * before. So it may read and send requests that change nothing, and has no other effect. One inside another belongs to that one.
   */
  series<R>(askAll: () => Promise<R>): Promise<R>;
};

type PromptOptions = {
  canAsk: boolean;
  yes: boolean;
  /** Read when a question is asked, so a getter may make it then. */
  readonly input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Aborted by a signal; its reason is thrown. */
  signal: AbortSignal;
  /** Of the command, where something else is printed between questions. */
  series?: QuestionSeries;
  /** The colors of the stream that questions are written to. */
  paint?: Paint;
  /** Asks in plain lines, without redrawing. */
  inLines?: boolean;
};

const CHOICES_SHOWN = 12;

export function createPrompts(options: PromptOptions): Prompts {
  const { canAsk, yes, series = createQuestionSeries(), paint = PLAIN } = options;
  const theme = promptTheme(paint, series.hasWayBack);
  const put = createPut(options, series, paint);
  const listOf = <T>(question: string, choices: readonly Choice<T>[]) => ({
    message: safeText(question),
    choices: choices.map(shown),
    pageSize: CHOICES_SHOWN,
    loop: false,
    theme,
  });
  const requireTerminal = (question: string, flag: string) => {
    if (!canAsk) throw missingValuesError([{ what: question, flag }]);
  };
  return {
    canAsk,
    async confirm(question, { withdrawn, always = false, otherwise = false } = {}) {
      if (yes && !always) return true;
      if (!canAsk)
        throw cliError('confirmation_needed', {
          sentence: `This command needs a confirmation: ${question}`,
          hint: 'Add --yes to confirm without a prompt.',
        });
      return put(
        ['confirm', question],
        ({ confirm }, settings) =>
          confirm({ message: safeText(question), default: otherwise, theme }, settings),
        withdrawn,
      );
    },
    async ask(question, flag, { otherwise, mayBeEmpty = false, accept, withdrawn } = {}) {
      requireTerminal(question, flag);
      return put(
        ['ask', question],
        (questions, settings, previousAnswer) => {
          const initial = typeof previousAnswer === 'string' ? previousAnswer : otherwise;
          return questions.input(
            {
              message: safeText(question),
              required: !mayBeEmpty,
              validate: (text) => (mayBeEmpty && text === '' ? true : validate(accept, text)),
              ...(initial !== undefined && { default: safeText(initial) }),
              theme,
            },
            settings,
          );
        },
        withdrawn,
      );
    },
    async secret(question, flag, { accept } = {}) {
      requireTerminal(question, flag);
      return put(['secret', question], ({ password }, settings) =>
        password(
          {
            message: safeText(question),
            mask: '*',
            toggleMask: false,
            validate: (text) => (text === '' ? 'Enter a value.' : validate(accept, text)),
            theme,
          },
          settings,
        ),
      );
    },
    async choose(question, flag, choices, otherwise) {
      requireTerminal(question, flag);
      return put(keyOf('choose', question, choices), ({ select }, settings, previousAnswer) => {
        const initial = choices.find(({ value }) => value === previousAnswer)?.value ?? otherwise;
        const list = { ...listOf(question, choices), ...(initial !== undefined && { default: initial }) };
        return select(list, settings);
      });
    },
    async chooseSeveral(question, flag, choices) {
      requireTerminal(question, flag);
      return put(keyOf('choose several', question, choices), ({ checkbox }, settings, previousAnswer) => {
        const list = listOf(question, choices);
        const isChecked = (value: unknown) => Array.isArray(previousAnswer) && previousAnswer.includes(value);
        const items = list.choices.map((choice) => ({ ...choice, checked: isChecked(choice.value) }));
        return checkbox({ ...list, choices: items, required: true }, settings);
      });
    },
    series: series.run,
  };
}

type Put = <T>(
  question: readonly (string | undefined)[],
  ask: (questions: Drawn, settings: PromptSettings, previousAnswer: unknown) => Promise<T>,
  withdrawn?: AbortSignal,
) => Promise<T>;

/** Makes the function that asks in lines or draws, unless the question has had its answer. */
function createPut(options: PromptOptions, series: QuestionSeries, paint: Paint): Put {
  const { output, signal, inLines = false } = options;
  return (question, ask, withdrawn) =>
    series.answer(JSON.stringify(question), (previousAnswer) => {
      const settings: PromptSettings = {
        input: options.input,
        output,
        signal: withdrawn ? AbortSignal.any([signal, withdrawn]) : signal,
        hasWayBack: series.hasWayBack(),
        paint,
      };
      return inLines
        ? ask(linePrompts, settings, previousAnswer)
        : awaitInput((questions, drawn) => ask(questions, drawn, previousAnswer), settings);
    });
}

/** An answer is one of the choices, so other choices make it another question. */
const keyOf = (kind: string, question: string, choices: readonly Choice<unknown>[]) => [
  kind,
  question,
  ...choices.flatMap(({ name, description }) => [name, description]),
];

/** Makes one error for all missing values. @param missing each value, with its flag */
export const missingValuesError = (missing: readonly { what: string; flag: string }[]): CliError =>
  cliError('value_missing', {
    sentence:
      missing.length === 1
        ? `${missing[0]?.what} is missing.`
        : `These values are missing: ${missing.map(({ what }) => lowerFirst(what)).join(', ')}.`,
    hint: `Add ${missing.map(({ flag }) => flag).join(' ')}.`,
  });

/** Makes the error for a confirmation that was answered with no. */
export const notConfirmed = (): CliError =>
  cliError('not_confirmed', { sentence: 'You did not confirm. Nothing was changed.' });

/** Lowers the first letter: `Name` → `name`, but not of `ID` and `"Name <email>"`. */
const lowerFirst = (what: string): string =>
  /^[A-Z][a-z]/.test(what) ? what.charAt(0).toLowerCase() + what.slice(1) : what;

const shown = <T>({ value, name, description }: Choice<T>) => ({
  value,
  name: safeText(name),
  short: safeText(name),
  ...(description !== undefined && { description: safeText(description) }),
});

async function validate(accept: AskOptions['accept'], text: string): Promise<true | string> {
  try {
    await accept?.(text);
    return true;
  } catch (error) {
    return error instanceof Error ? safeText(error.message) : 'This value is not valid.';
  }
}

/** Moves below the question, and shows the cursor that a list had hidden. */
const LEAVE_LINE = '\n\u001b[?25h';

/** What only prompts of @inquirer take. */
type Drawing = {
  theme: ReturnType<typeof promptTheme>;
  mask?: string;
  toggleMask?: boolean;
  pageSize?: number;
  loop?: boolean;
};
type Drawn<Settings = PromptSettings> = Questions<Settings, Drawing>;
type DrawnSettings = PromptSettings & { readonly clearPromptOnDone: boolean };

/**
 * Runs a prompt, and turns its end without an answer into an interruption. Ctrl-C ends it with an error of @inquirer. Ctrl-D and
 * the end of the input close it silently, and the process would end successfully, so this watches the input.
 */
async function awaitInput<T>(
  ask: (questions: Drawn, settings: DrawnSettings) => Promise<T>,
  settings: PromptSettings,
): Promise<T> {
  const { input, output, signal, hasWayBack } = settings;
  const inquirer: Drawn<DrawnSettings> = await import('@inquirer/prompts');
  const leaving = new AbortController();
  const question = ask(inquirer, {
    ...settings,
    signal: AbortSignal.any([signal, leaving.signal]),
    // The question before is asked in its place.
    get clearPromptOnDone() {
      return leaving.signal.aborted;
    },
  });
  // What readline reads as a key of its own: arrows begin with the same character.
  const leave = (_: unknown, key: { name?: string } | undefined) => {
    if (key?.name === 'escape' && hasWayBack) leaving.abort();
  };
  input.on('keypress', leave);
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
    if (leaving.signal.aborted) throw new WentBack();
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(error.name))
      throw new Interrupted('SIGINT');
    throw error;
  } finally {
    isAnswered = true;
    input.removeListener('keypress', leave);
    stop();
  }
}

type Keys = readonly (readonly [key: string, action: string])[];

/**
 * Makes one theme for all kinds of questions; each uses its part.
 * @param hasWayBack whether Esc goes back to a question, which only lists have room to say
 */
function promptTheme(paint: Paint, hasWayBack: () => boolean) {
  return {
    prefix: { idle: paint.cyan('?'), done: paint.green('✓') },
    spinner: { interval: 80, frames: ['·'] },
    icon: {
      cursor: '›',
      checked: paint.green('[x]'),
      unchecked: '[ ]',
      disabledChecked: '[x]',
      disabledUnchecked: '[-]',
    },
    style: {
      answer: paint.cyan,
      message: (text: string) => paint.bold(text),
      error: (text: string) => paint.red(`> ${text}`),
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      confirmDefault: (text: string) => text.toUpperCase(),
      help: paint.dim,
      highlight: paint.cyan,
      key: (text: string) => paint.cyan(`<${text}>`),
      disabled: paint.dim,
      description: paint.dim,
      maskedText: '[input is hidden]',
      keysHelpTip: (keys: Keys) => {
        const all: Keys = hasWayBack() ? [...keys, ['esc', 'back']] : keys;
        return paint.dim(all.map(([key, action]) => `${key} ${action}`).join(' · '));
      },
    },
  };
}
