// Parses a command line as far as TAB needs it: which command, which options, what is being typed.
// Pure. A line that makes no sense gets no offers.
import type { ArgumentSpec, OptionSpec } from '../command/description.ts';

export type CompletionLine = {
  /** Words of the command's path: `['tx', 'show']`. */
  path: string[];
  /** Where that is; undefined when a word names no command. */
  at: Omit<CompletionNode, 'summary'> | undefined;
  /** Positional words after the path. */
  args: string[];
  /** Options that stand on the line, by long name, with their values. */
  optionValues: Map<string, string[]>;
  /** The option whose value is being typed, as a word of its own. */
  pending: string | undefined;
  /** After `--` nothing is an option. */
  isPlain: boolean;
};

type Grammar = Pick<CompletionData, 'tree' | 'options'>;

type Options = Readonly<Record<string, OptionSpec>>;

/** Lists the options that may stand at this place. */
export function optionsAt(at: CompletionLine['at'], data: Pick<CompletionData, 'options'>): Options {
  return { ...at?.options, ...data.options };
}

/** Parses the words. @param words those before the one at the cursor, without the name of the program */
export function readLine(words: readonly string[], data: Grammar): CompletionLine {
  const line: CompletionLine = {
    path: [],
    at: { children: data.tree },
    args: [],
    optionValues: new Map(),
    pending: undefined,
    isPlain: false,
  };
  for (const word of words) readWord(word, line, data);
  return line;
}

function readWord(word: string, line: CompletionLine, data: Grammar): void {
  const { pending } = line;
  if (pending !== undefined) {
    line.pending = undefined;
    setOption(line, pending, word);
  } else if (line.isPlain || !word.startsWith('-') || word === '-') readPlainWord(word, line);
  else if (word === '--') line.isPlain = true;
  else if (word.startsWith('--')) readLongOption(word.slice(2), line, optionsAt(line.at, data));
  else readShortOptions(word.slice(1), line, optionsAt(line.at, data));
}

function readPlainWord(word: string, line: CompletionLine): void {
  const { at } = line;
  const child =
    at?.children && line.args.length === 0 && Object.hasOwn(at.children, word)
      ? at.children[word]
      : undefined;
  if (!child && at?.arguments) line.args.push(word);
  else {
    line.at = child;
    line.path.push(word);
  }
}

function readLongOption(text: string, line: CompletionLine, options: Options): void {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  if (equals >= 0) setOption(line, name, text.slice(equals + 1));
  else if (Object.hasOwn(options, name) && options[name]?.value !== undefined) line.pending = name;
  else setOption(line, name);
}

/** `-q`, `-qy`, `-o DIR`, `-oDIR`. */
function readShortOptions(letters: string, line: CompletionLine, options: Options): void {
  const byShort = new Map(Object.entries(options).map(([name, { short }]) => [short, name]));
  for (let index = 0; index < letters.length; index += 1) {
    const name = byShort.get(letters.charAt(index));
    if (name === undefined) return;
    if (options[name]?.value === undefined) {
      setOption(line, name);
      continue;
    }
    const rest = letters.slice(index + 1);
    if (rest === '') line.pending = name;
    else setOption(line, name, rest);
    return;
  }
}

function setOption(line: CompletionLine, name: string, value?: string): void {
  const values = line.optionValues.get(name) ?? [];
  line.optionValues.set(name, value === undefined ? values : [...values, value]);
}

/** Finds the argument that the next plain word would be. */
export function argumentAt(specs: readonly ArgumentSpec[], args: readonly string[]) {
  const last: ArgumentSpec | undefined = specs.at(-1);
  return specs[args.length] ?? (last?.repeat ? last : undefined);
}

/** A command has arguments and options, a group has children; some are both. */
export type CompletionNode = {
  summary: string;
  arguments?: readonly ArgumentSpec[];
  options?: Readonly<Record<string, OptionSpec>>;
  children?: CompletionTree;
};

export type CompletionTree = Readonly<Record<string, CompletionNode>>;

/** A value to offer, and its description. */
export type Offer = { value: string; about: string };

export type CompletionData = {
  tree: CompletionTree;
  /** Options of every command. */
  options: Readonly<Record<string, OptionSpec>>;
  /** Values that are the same on every machine. */
  operation: readonly Offer[];
  setting: readonly Offer[];
  event_type: readonly Offer[];
  scope: readonly Offer[];
  /** Topics of `esign help` that are no commands. */
  topic: readonly Offer[];
};
