// Finds what may stand at the cursor: words of the tree, values that this machine knows, or files, which the shell offers.
// Pure: known values come from a function, which is called at most once.

import { readConfigFile, type StoredConfig } from '../../config/config-file.ts';
import { type Environment, pathsOf, type Variables } from '../../config/environment.ts';
import { chooseProfile, SANDBOX } from '../../config/profile.ts';
import { splitAliasWords } from '../command/alias-words.ts';
import type { ArgumentSpec, OptionSpec } from '../command/description.ts';
import { readSeen, type SeenItem, seenFileOf } from '../recent/store.ts';
import {
  argumentAt,
  type CompletionData,
  type CompletionLine,
  type CompletionTree,
  type Offer,
  optionsAt,
  readLine,
} from './words.ts';

/** The kinds of values that differ from machine to machine. */
type KnownKind = 'transaction' | 'template' | 'webhook' | 'event' | 'recipient' | 'profile' | 'alias';

/** Looks up known values. @returns newest first; empty when they cannot be read */
export type KnownOffers = (kind: KnownKind, line: CompletionLine) => Promise<readonly Offer[]>;

export type Completion = {
  /** The shell offers `files` and `folders` itself. */
  kind: 'values' | 'files' | 'folders';
  /** What stands before the value in the same word: `--profile=`. */
  before: string;
  offers: readonly Offer[];
};

/** Completes a line. @param words before the cursor, without the program; @param current what is typed of the word at the cursor */
export async function complete(
  words: readonly string[],
  current: string,
  data: CompletionData,
  offersOf: KnownOffers,
): Promise<Completion> {
  const line = await expandAliasOnLine(readLine(words, data), words, data, offersOf);
  const options = optionsAt(line.at, data);
  if (line.pending !== undefined) return valuesOf(line.pending, '', { line, options, data, offersOf });
  if (!line.isPlain && current.startsWith('-')) {
    const [before, name] = /^--([^=]+)=/.exec(current) ?? [];
    return before !== undefined && name !== undefined
      ? valuesOf(name, before, { line, options, data, offersOf })
      : values(optionOffers(line, options));
  }
  if (!line.at) return values([]);
  const children = line.args.length === 0 ? childOffers(line.at.children ?? {}) : [];
  const argument = argumentAt(line.at.arguments ?? [], line.args);
  if (argument) {
    const completion = await completeValue(argument, line.args, { line, data, offersOf });
    return { ...completion, offers: [...children, ...completion.offers] };
  }
  if (line.at.children)
    return values(line.path.length === 0 ? [...children, ...(await offersOf('alias', line))] : children);
  return values(line.isPlain ? [] : optionOffers(line, options));
}

/** How many aliases are followed, because an alias may stand for another. */
const MOST_ALIASES = 10;

/** Replaces an alias by the words that it stands for, so that they are completed as if they had been typed. */
async function expandAliasOnLine(
  line: CompletionLine,
  words: readonly string[],
  data: CompletionData,
  offersOf: KnownOffers,
): Promise<CompletionLine> {
  const [name] = line.path;
  if (line.at || line.path.length === 0 || name === undefined || Object.hasOwn(data.tree, name)) return line;
  const aliases = await offersOf('alias', line);
  let [meant, read] = [[...words], line];
  for (let count = 0; count < MOST_ALIASES && !read.at; count += 1) {
    const [first] = read.path;
    const alias = aliases.find(({ value }) => value === first);
    const at = meant.indexOf(first ?? '');
    if (!alias || at < 0) return read;
    meant = [...meant.slice(0, at), ...(splitAliasWords(alias.about) ?? []), ...meant.slice(at + 1)];
    read = readLine(meant, data);
  }
  return read;
}

const values = (offers: readonly Offer[], before = ''): Completion => ({ kind: 'values', before, offers });

type CompletionContext = { line: CompletionLine; data: CompletionData; offersOf: KnownOffers };

async function valuesOf(
  name: string,
  before: string,
  { options, ...setting }: CompletionContext & { options: Readonly<Record<string, OptionSpec>> },
): Promise<Completion> {
  const spec = Object.hasOwn(options, name) ? options[name] : undefined;
  if (spec?.value === undefined) return values([], before);
  const completion = await completeValue(spec, setting.line.optionValues.get(name) ?? [], setting);
  return { ...completion, before };
}

/** Offers the values of an argument or option. @param taken values on the line, which are not offered again */
async function completeValue(
  spec: Pick<ArgumentSpec, 'choices' | 'completes'>,
  taken: readonly string[],
  { line, data, offersOf }: CompletionContext,
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
    case 'setting':
      return left([...data.setting, ...(await offersOf('alias', line)).map(asSetting)]);
    case 'operation':
    case 'event_type':
    case 'scope':
      return left(data[completes]);
    case 'user':
    case 'application':
    case 'mail':
    case 'snapshot':
      // Only the service knows them.
      return values([]);
    default:
      return left(await offersOf(completes, line));
  }
}

const asSetting = ({ value, about }: Offer): Offer => ({ value: `aliases.${value}`, about });

const childOffers = (children: CompletionTree): Offer[] =>
  Object.entries(children).map(([value, { summary }]) => ({ value, about: summary }));

function commandOffers(path: readonly string[], { tree, topic }: CompletionData): Offer[] {
  const { at } = readLine(path, { tree, options: {} });
  if (!at?.children) return [];
  return [...childOffers(at.children), ...(path.length === 0 ? topic : [])];
}

function optionOffers(
  { optionValues }: CompletionLine,
  options: Readonly<Record<string, OptionSpec>>,
): Offer[] {
  return Object.entries(options)
    .filter(([name, { repeat }]) => repeat || !optionValues.has(name))
    .map(([name, { summary }]) => ({ value: `--${name}`, about: summary }));
}

export function createKnownOffers(environment: () => Promise<Environment>): KnownOffers {
  return async (kind, line) => {
    try {
      const offers = await offersOf(kind, line, await environment());
      // What begins with a dash would be taken for an option.
      return offers.filter(({ value }) => !value.startsWith('-'));
    } catch {
      return [];
    }
  };
}

async function offersOf(kind: KnownKind, line: CompletionLine, environment: Environment): Promise<Offer[]> {
  const { configFile, seenDir } = pathsOf(environment);
  const config = await readConfigFile(configFile).catch((): StoredConfig => ({ profiles: {} }));
  if (kind === 'profile') return profiles(config);
  if (kind === 'alias')
    return Object.entries(config.aliases ?? {}).map(([value, about]) => ({ value, about }));
  const { name, service } = serviceInUse(line, environment.variables, config);
  const recent = (await readSeen(seenFileOf(seenDir, name))).filter((item) => item.service === service);
  return kind === 'recipient' ? recipients(recent, line) : things(recent, kind);
}

function profiles(config: StoredConfig): Offer[] {
  const stored = Object.entries(config.profiles).map(([value, { base_url = '' }]) => ({
    value,
    about: base_url,
  }));
  return Object.hasOwn(config.profiles, SANDBOX)
    ? stored
    : [...stored, { value: SANDBOX, about: 'the offline sandbox' }];
}

/** Chooses the service as the command would. Commands under `sandbox` use the sandbox, whatever the profile. */
function serviceInUse({ path, optionValues }: CompletionLine, variables: Variables, config: StoredConfig) {
  if (path[0] === 'sandbox') return { name: SANDBOX, service: SANDBOX };
  const flags = { profile: optionValues.get('profile')?.at(-1), sandbox: optionValues.has('sandbox') };
  const { name, remote } = chooseProfile(flags, variables, config);
  return { name, service: remote?.baseUrl ?? SANDBOX };
}

const things = (seen: readonly SeenItem[], wanted: KnownKind): Offer[] =>
  seen
    .filter(({ kind }) => kind === wanted)
    .map(({ id, name, outcome }) => ({
      value: id,
      about: [name, outcome].filter((part) => typeof part === 'string' && part !== '').join(' · '),
    }));

/** Lists the recipients of the transaction on the line, or of all. */
function recipients(seen: readonly SeenItem[], { args }: CompletionLine): Offer[] {
  const transactions = seen.filter(({ kind, people }) => kind === 'transaction' && Array.isArray(people));
  const named = transactions.filter(({ id }) => args.includes(id));
  const offers = new Map<string, Offer>();
  for (const { people, name } of named.length > 0 ? named : transactions)
    for (const email of people ?? [])
      if (!offers.has(email)) offers.set(email, { value: email, about: String(name ?? '') });
  return [...offers.values()];
}
