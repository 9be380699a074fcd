// Asks questions in plain lines, for screen readers and for terminals that cannot redraw: a question is written once and its answer is a
// line. The terminal itself shows what is typed, so nothing is written that moves the cursor or erases.
import { Interrupted } from '../command/errors.ts';
import type { Paint } from './color.ts';
import { WentBack } from './question-series.ts';

export type PromptSettings = {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Aborted by a signal, or to withdraw the question. */
  signal: AbortSignal;
  hasWayBack: boolean;
  paint: Paint;
};

type Validate = (text: string) => true | string | Promise<true | string>;
type ListedChoice<T> = { value: T; name: string; description?: string };
type ListConfig<C> = { message: string; choices: readonly C[] };

/**
 * The kinds of questions. @inquirer/prompts has the same names for them, and draws them.
 * @template Drawing what only drawn questions need
 */
export type Questions<Settings, Drawing = object> = {
  input(
    config: { message: string; default?: string; required: boolean; validate: Validate } & Drawing,
    settings: Settings,
  ): Promise<string>;
  password(config: { message: string; validate: Validate } & Drawing, settings: Settings): Promise<string>;
  confirm(config: { message: string; default: boolean } & Drawing, settings: Settings): Promise<boolean>;
  select<T>(config: ListConfig<ListedChoice<T>> & { default?: T } & Drawing, settings: Settings): Promise<T>;
  checkbox<T>(
    config: ListConfig<ListedChoice<T> & { checked: boolean }> & { required: true } & Drawing,
    settings: Settings,
  ): Promise<T[]>;
};

export const linePrompts: Questions<PromptSettings> = {
  input: ({ message, default: initial = '', required, validate }, settings) =>
    ask(settings, {
      line: initial === '' ? message : `${message} (Enter: ${initial})`,
      async read(typed) {
        const text = typed === '' ? initial : typed;
        return text === '' && required ? 'Enter a value.' : checked(text, await validate(text));
      },
    }),
  password: ({ message, validate }, settings) =>
    ask(settings, {
      line: `${message} (not shown)`,
      isHidden: true,
      read: async (text) => checked(text, await validate(text)),
    }),
  confirm: ({ message, default: initial }, settings) =>
    ask(settings, {
      line: `${message} y/n (Enter: ${initial ? 'y' : 'n'})`,
      read(text) {
        if (text === '') return { value: initial };
        return /^(y|yes|n|no)$/i.test(text) ? { value: /^y/i.test(text) } : 'Answer y or n.';
      },
    }),
  select({ message, choices, default: initial }, settings) {
    const position = Math.max(
      0,
      choices.findIndex(({ value }) => value === initial),
    );
    return ask(settings, {
      list: listOf(message, choices),
      line: `Number or text (Enter: ${position + 1}. ${choices[position]?.name}${hintOfWayBack(settings)})`,
      read: (text) => findChoice(choices, text === '' ? `${position + 1}` : text),
    });
  },
  checkbox({ message, choices }, settings) {
    const initial = choices.flatMap((choice, index) => (choice.checked ? [`${index + 1}`] : [])).join(', ');
    const hints = `${initial === '' ? '' : `; Enter: ${initial}`}${hintOfWayBack(settings)}`;
    return ask(settings, {
      list: listOf(message, choices),
      line: `Numbers or texts (commas between them${hints})`,
      read: (text) => findChoices(choices, text === '' ? initial : text),
    });
  },
};

const hintOfWayBack = ({ hasWayBack }: PromptSettings): string =>
  hasWayBack ? '; Esc, then Enter: back' : '';

const listOf = (message: string, choices: readonly ListedChoice<unknown>[]): string[] => [
  message,
  ...choices.map(
    ({ name, description }, index) =>
      `${index + 1}. ${name}${description === undefined ? '' : ` (${description})`}`,
  ),
];

/** The value of an answer, or the reason why it is none. */
type Reading<T> = { value: T } | string;

const checked = (value: string, verdict: true | string): Reading<string> =>
  verdict === true ? { value } : verdict;

/** A text is the name of a choice or its beginning, where no other begins with it. */
function findChoice<T>(choices: readonly ListedChoice<T>[], typed: string): Reading<T> {
  const text = typed.trim().toLowerCase();
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= choices.length)
    return { value: (choices[Number(text) - 1] as ListedChoice<T>).value };
  const named = choices.filter(({ name }) => name.toLowerCase() === text);
  const matches =
    named.length > 0 ? named : choices.filter(({ name }) => text && name.toLowerCase().startsWith(text));
  const [match] = matches;
  if (match === undefined)
    return `"${typed}" is none of the choices. Enter a number from 1 to ${choices.length}.`;
  return matches.length === 1
    ? { value: match.value }
    : `"${typed}" is several of the choices. Enter a number.`;
}

function findChoices<T>(choices: readonly ListedChoice<T>[], text: string): Reading<T[]> {
  if (text.trim() === '') return 'Choose at least one.';
  const whole = findChoice(choices, text);
  if (typeof whole !== 'string') return { value: [whole.value] };
  const values = new Set<T>();
  for (const part of text
    .split(/^[\d\s,]+$/.test(text) ? /[\s,]+/ : ',')
    .filter((part) => part.trim() !== '')) {
    const reading = findChoice(choices, part.trim());
    if (typeof reading === 'string') return reading;
    values.add(reading.value);
  }
  return values.size > 0 ? { value: [...values] } : 'Choose at least one.';
}

type LineQuestion<T> = {
  /** Printed once. The first line is the question, and is repeated with it. */
  list?: readonly string[];
  line: string;
  isHidden?: boolean;
  read(text: string): Reading<T> | Promise<Reading<T>>;
};

const ESCAPE = '\u001b';

async function ask<T>(settings: PromptSettings, question: LineQuestion<T>): Promise<T> {
  const { output, hasWayBack, paint } = settings;
  const { list = [], line, isHidden = false, read } = question;
  for (let head = list; ; head = list.slice(0, 1)) {
    const [message, ...choices] = head;
    if (message !== undefined) output.write([paint.bold(message), ...choices, ''].join('\n'));
    output.write(`${message === undefined ? paint.bold(line) : line}: `);
    const text = await readLine(settings, isHidden);
    if (text === ESCAPE && hasWayBack) throw new WentBack();
    const reading = /\p{Cc}/u.test(text)
      ? 'The answer contains a key that is no character, such as an arrow.'
      : await read(text);
    if (typeof reading !== 'string') return reading.value;
    output.write(`${paint.red('Not accepted:')} ${reading}\n`);
  }
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
const BACKSPACE = /[\b\u007f]/;

type RawInput = NodeJS.ReadableStream & Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;

/**
 * Reads one line. The terminal shows and edits it, unless it is hidden: then the terminal is raw, and the keys that edit are read here.
 * Its end without a line is an interruption.
 */
async function readLine({ input, output, signal }: PromptSettings, isHidden: boolean): Promise<string> {
  const setRaw = (isRaw: boolean) => {
    if (isHidden) (input as RawInput).setRawMode?.(isRaw);
  };
  let cleanUp: () => void = () => undefined;
  setRaw(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      const interrupt = () =>
        reject(signal.reason instanceof Interrupted ? signal.reason : new Interrupted('SIGINT'));
      const decoder = new TextDecoder();
      let line = '';
      const take = (chunk: Buffer | string) => {
        const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
        const end = /\r\n?|\n/.exec(text);
        for (const key of text.slice(0, end?.index)) {
          if (key === CTRL_C || (key === CTRL_D && line === '')) return interrupt();
          if (key === CTRL_U) line = '';
          else if (BACKSPACE.test(key)) line = [...line].slice(0, -1).join('');
          else line += key;
        }
        if (end === null) return;
        cleanUp();
        const rest = text.slice(end.index + end[0].length);
        // It answers the next question.
        if (rest !== '') input.unshift(rest);
        resolve(line);
      };
      const events = ['end', 'close'] as const;
      cleanUp = () => {
        input.removeListener('data', take);
        for (const event of events) input.removeListener(event, interrupt);
        signal.removeEventListener('abort', interrupt);
        input.pause();
      };
      for (const event of events) input.on(event, interrupt);
      signal.addEventListener('abort', interrupt);
      if (signal.aborted || !input.readable) return interrupt();
      input.on('data', take);
      input.resume();
    });
  } catch (error) {
    if (!isHidden) output.write('\n');
    throw error;
  } finally {
    cleanUp();
    setRaw(false);
    // The terminal did not show the key Enter.
    if (isHidden) output.write('\n');
  }
}
