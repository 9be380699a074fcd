// What may stand at the cursor: words of the tree, values that this machine knows, or files by the shell's own means.
// Pure: what is known comes in as a function that is asked once, and only when it matters.
import type { ArgumentSpec, OptionSpec } from '../command/description.ts';
import type { CompletionData, CompletionTree, Offer } from './data.ts';
import { argumentAt, type Line, optionsAt, readLine } from './words.ts';

/** What differs from machine to machine. */
export type KnownKind = 'transaction' | 'template' | 'webhook' | 'recipient' | 'profile';

/** @returns newest first; nothing when it cannot be known */
export type Known = (kind: KnownKind, line: Line) => Promise<readonly Offer[]>;

export type Completion = {
  /** `files` and `folders` are the shell's to offer. */
  kind: 'values' | 'files' | 'folders';
  /** What stands before the value in the same word: `--profile=`. */
  before: string;
  offers: readonly Offer[];
};

/** @param words before the cursor, without the program; @param current what is typed of the word at the cursor */
export async function complete(
  words: readonly string[],
  current: string,
  data: CompletionData,
  known: Known,
): Promise<Completion> {
  const line = readLine(words, data);
  const options = optionsAt(line.at, data);
  if (line.pending !== undefined) return valuesOf(line.pending, '', { line, options, data, known });
  if (!line.isPlain && current.startsWith('-')) {
    const [before, name] = /^--([^=]+)=/.exec(current) ?? [];
    return before !== undefined && name !== undefined
      ? valuesOf(name, before, { line, options, data, known })
      : values(optionOffers(line, options));
  }
  if (!line.at) return values([]);
  const children = line.args.length === 0 ? childOffers(line.at.children ?? {}) : [];
  const argument = argumentAt(line.at.arguments ?? [], line.args);
  if (argument) {
    const found = await ofSpec(argument, line.args, { line, data, known });
    return { ...found, offers: [...children, ...found.offers] };
  }
  if (line.at.children) return values(children);
  return values(line.isPlain ? [] : optionOffers(line, options));
}

const values = (offers: readonly Offer[], before = ''): Completion => ({ kind: 'values', before, offers });

type Setting = { line: Line; data: CompletionData; known: Known };

async function valuesOf(
  name: string,
  before: string,
  { options, ...setting }: Setting & { options: Readonly<Record<string, OptionSpec>> },
): Promise<Completion> {
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  if (spec?.value === undefined) return values([], before);
  const found = await ofSpec(spec, setting.line.given.get(name) ?? [], setting);
  return { ...found, before };
}

/** @param taken values that stand there already, and are not offered again */
async function ofSpec(
  spec: Pick<ArgumentSpec, 'choices' | 'completes'>,
  taken: readonly string[],
  { line, data, known }: Setting,
): Promise<Completion> {
  const { choices, completes } = spec;
  const left = (offers: readonly Offer[]) => values(offers.filter(({ value }) => !taken.includes(value)));
  if (choices) return left(choices.map((value) => ({ value, about: '' })));
  switch (completes) {
    case undefined:
      return values([]);
    case 'file':
      return { kind: 'files', before: '', offers: [] };
    case 'folder':
      return { kind: 'folders', before: '', offers: [] };
    case 'command':
      return values(commandOffers(taken, data));
    case 'operation':
    case 'setting':
    case 'event':
    case 'scope':
      return left(data[completes]);
    default:
      return left(await known(completes, line));
  }
}

const childOffers = (children: CompletionTree): Offer[] =>
  Object.entries(children).map(([value, { summary }]) => ({ value, about: summary }));

function commandOffers(path: readonly string[], { tree, topic }: CompletionData): Offer[] {
  const { at } = readLine(path, { tree, options: {} });
  if (!at?.children) return [];
  return [...childOffers(at.children), ...(path.length === 0 ? topic : [])];
}

function optionOffers({ given }: Line, options: Readonly<Record<string, OptionSpec>>): Offer[] {
  return Object.entries(options)
    .filter(([name, { repeat }]) => repeat || !given.has(name))
    .map(([name, { summary }]) => ({ value: `--${name}`, about: summary }));
}
