// Parses the command line with commander. It registers only the commands that the words name in full.
// commander never writes and never exits here; its output becomes an Outcome or a usage error.

import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { didYouMean, nearest } from '../common/nearest.ts';
import type { Command, RawInput } from './command/command.ts';
import type { CommandContext } from './command/context.ts';
import { argumentUsage, type OptionSpec } from './command/description.ts';
import { type CliError, cliError } from './command/errors.ts';
import { GLOBAL_OPTIONS, parseSettings } from './command/global-options.ts';
import type { Invocation } from './command/invocation.ts';
import { outputWith, unknownProperty } from './command/json-output.ts';
import type { Outcome } from './command/outcome.ts';
import { runWithSecrets } from './command/secrets.ts';
import type { Settings } from './command/settings.ts';
import { isBranch, nodeAt, type Tree } from './command/tree.ts';
import { invalidValue } from './command/wrong-input.ts';
import { helpPage } from './describe/help-page.ts';
import { meantOption, unknownCommand, withNearNames } from './input/meant.ts';
import { expandIdPrefixes } from './recent/resolve-id.ts';
import { plainText } from './terminal/page-layout.ts';

/** The commands there are, and the version that `--version` prints. */
export type Catalogue = { tree: Tree; version: string };

type Chosen = { path: readonly string[]; command: Command; input: RawInput };

/** Parses a command line. @throws CliError with exit 2 for words that are not valid */
export async function parseWords(words: readonly string[], catalogue: Catalogue): Promise<Invocation> {
  const { root, written, helped, chosen } = await programFor(words, catalogue);
  try {
    await root.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!SHOWS_HELP.has(error.code)) throw usageErrorOf(error, words, { root, tree: catalogue.tree });
  }
  const settings = parseSettings(root.opts());
  const { current } = chosen;
  if (helped.path) refuseUnknownHelp(words, catalogue.tree);
  if (current) return { settings, run: (context) => runChecked(context, current, settings) };
  if (helped.path) return { settings, run: () => helpOutcome(helped.path ?? [], catalogue.tree) };
  const text = written.join('').trimEnd();
  return { settings, run: async () => ({ kind: 'text', text, json: { text } }) };
}

/** Refuses `esign templates create --help`: help on the group would look as if there were such a command. */
function refuseUnknownHelp(words: readonly string[], tree: Tree): void {
  const names = operandsOf(words);
  const { node, depth } = nodeAt(names, tree) ?? { node: undefined, depth: 0 };
  const takesArguments = node?.load !== undefined;
  if (names.length > depth && !takesArguments) throw unknownCommand(names, tree);
}

async function helpOutcome(path: readonly string[], tree: Tree): Promise<Outcome> {
  const sections = await helpPage(path, tree);
  return { kind: 'page', sections, json: { text: plainText(sections) } };
}

/** Runs a command. It checks `--select` before, and again afterwards where only the response has the properties. */
export async function runChecked(
  context: CommandContext,
  { path, command, input }: Chosen,
  { select, jq }: Partial<Pick<Settings, 'select' | 'jq'>>,
): Promise<Outcome> {
  if (jq !== undefined) await context.terminal.filter?.check();
  const run = async () => {
    const isOfSandbox = path[0] === 'sandbox';
    try {
      const whole = await wholeInput(context, command, input, isOfSandbox);
      return await (command.secrets ? runWithSecrets(context, command, whole) : command.run(context, whole));
    } catch (error) {
      throw await withNearNames(error, command, input, { context, isOfSandbox });
    }
  };
  if (!select) return run();
  const output = outputWith(command.json, (option) => isSet(input.options[option]));
  const unknown = unknownProperty(select, output);
  if (unknown) {
    const { name: property, alternatives } = unknown;
    throw cliError('property_unknown', {
      sentence: `The output has no property "${property}" (--select).`,
      hint: didYouMean(
        nearest(property, alternatives),
        `Use ${alternatives.length === 1 ? '' : 'one or more of '}${alternatives.join(', ')}.`,
      ),
    });
  }
  const outcome = await run();
  const missing = unknownProperty(select, output, outcome.json);
  if (missing)
    throw cliError('property_missing', {
      sentence: `The command succeeded, but its output has no property "${missing.name}" (--select).`,
      hint: `Use ${missing.alternatives.length === 1 ? '' : 'one or more of '}${missing.alternatives.join(', ')}.`,
    });
  return outcome;
}

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Replaces abbreviated IDs by whole ones. */
async function wholeInput(
  context: CommandContext,
  command: Command,
  input: RawInput,
  isOfSandbox: boolean,
): Promise<RawInput> {
  if (!mayHoldShortId(input)) return input;
  return expandIdPrefixes(context, command, input, isOfSandbox).catch(async (notFound) => {
    await command.check?.(context, input);
    throw notFound;
  });
}

/** Whether a value may be `@` or a part of an id. The module that is loaded then decides. */
const mayHoldShortId = ({ args, options }: RawInput): boolean =>
  [...Object.values(args), ...Object.values(options)]
    .flat()
    .some((value) => typeof value === 'string' && /^(@|[0-9a-f-]{1,35}$)/i.test(value));

/** Codes of commander that are not errors: help that was requested, or is shown because a group alone was named. */
const SHOWS_HELP = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

async function programFor(words: readonly string[], { tree, version }: Catalogue) {
  const written: string[] = [];
  const helped: { path?: readonly string[] } = {};
  const chosen: { current?: Chosen } = {};
  const root = new Commander('esign');
  const capture = (text: string) => written.push(text);
  root.exitOverride();
  root.showSuggestionAfterError(false);
  root.configureOutput({ writeOut: capture, writeErr: capture });
  // commander finds out which help is requested; this program makes the page.
  root.configureHelp({
    formatHelp: (command) => {
      helped.path = pathOf(command);
      return '';
    },
  });
  root.version(version, '-V, --version');
  root.helpOption('-h, --help');
  root.helpCommand(false);
  for (const [name, option] of Object.entries(GLOBAL_OPTIONS)) root.addOption(optionOf(name, option));
  await register(root, tree, pathIn(words, tree), (current) => {
    chosen.current = current;
  });
  return { root, written, helped, chosen };
}

/** Finds the position of the word that should name a command, after the options before it; undefined when there is none. */
export function commandWordAt(words: readonly string[]): number | undefined {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return undefined;
    if (!word.startsWith('-')) return index;
    if (word.startsWith('--') && takesValue(word.slice(2))) index += 1;
  }
  return undefined;
}

const pathOf = (command: Commander): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

/** The words that name a command. */
export function pathIn(words: readonly string[], tree: Tree): string[] {
  const names = operandsOf(words);
  return names.slice(0, nodeAt(names, tree)?.depth ?? 0);
}

/** Lists the words without the options before and between them. */
function operandsOf(words: readonly string[]): string[] {
  const names: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) names.push(word);
    else if (word.startsWith('--') && takesValue(word.slice(2))) index += 1;
    if (word === '--') break;
  }
  return names;
}

const takesValue = (name: string): boolean => {
  const option: OptionSpec | undefined = Object.hasOwn(GLOBAL_OPTIONS, name)
    ? GLOBAL_OPTIONS[name as keyof typeof GLOBAL_OPTIONS]
    : undefined;
  return option?.value !== undefined;
};

async function register(
  parent: Commander,
  tree: Tree,
  path: readonly string[],
  choose: (chosen: Chosen) => void,
  above: readonly string[] = [],
): Promise<void> {
  const [named, ...rest] = path;
  for (const [name, node] of Object.entries(tree)) {
    const child = parent.command(name).helpCommand(false);
    if (name !== named) continue;
    const here = [...above, name];
    if (isBranch(node)) await register(child, node.children, rest, choose, here);
    if (node.load && rest.length === 0)
      describeLeaf(child, await node.load(), (chosen) => choose({ path: here, ...chosen }));
  }
}

function describeLeaf(
  leaf: Commander,
  command: Command,
  choose: (chosen: Omit<Chosen, 'path'>) => void,
): void {
  for (const argument of command.arguments) {
    const described = new Argument(argumentUsage(argument));
    const { name, choices } = argument;
    if (choices)
      described
        .choices([...choices])
        .argParser((value: string) => chosenOf(name.toUpperCase(), choices, value));
    leaf.addArgument(described);
  }
  for (const [name, option] of Object.entries(command.options)) leaf.addOption(optionOf(name, option));
  leaf.action(() => choose({ command, input: inputOf(leaf, command) }));
}

function optionOf(name: string, spec: OptionSpec): Option {
  const flags = `${spec.short ? `-${spec.short}, ` : ''}--${name}${spec.value ? ` <${spec.value}>` : ''}`;
  const option = new Option(flags);
  const { choices } = spec;
  if (choices) option.choices([...choices]);
  const read = (value: string) => (choices ? chosenOf(`--${name}`, choices, value) : value);
  if (spec.repeat)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), read(value)]);
  else if (choices) option.argParser(read);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.required) option.makeOptionMandatory();
  return option;
}

function inputOf(leaf: Commander, command: Command): RawInput {
  const parsed: Record<string, unknown> = leaf.opts();
  const args = Object.fromEntries(
    command.arguments.map(({ name, repeat }, index) => [
      name,
      leaf.processedArgs[index] ?? (repeat ? [] : undefined),
    ]),
  );
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, spec]) => [
      name,
      typed(new Option(`--${name}`), parsed) ?? absent(spec),
    ]),
  );
  return { args, options };
}

/** commander turns `--no-browser` into a `browser` that is false. */
const typed = (option: Option, parsed: Record<string, unknown>): unknown => {
  const value = parsed[option.attributeName()];
  return option.negate ? value === false : value;
};

const absent = (spec: OptionSpec): unknown =>
  spec.value === undefined ? false : spec.repeat ? [] : undefined;

/** Makes a usage error. commander quotes what is wrong; its code tells the kind of error. */
function usageErrorOf(
  { code, message }: CommanderError,
  words: readonly string[],
  { root, tree }: Parsed,
): CliError {
  const path = pathIn(words, tree);
  const command = path.join(' ');
  const leaf = commandAt(root, path);
  const quoted = /'(.*)'/s.exec(message)?.[1] ?? '';
  const help = `\`${['esign', ...path, '--help'].join(' ')}\``;
  const hint = `See ${help}.`;
  switch (code) {
    case 'commander.unknownCommand':
      return unknownCommand(operandsOf(words), tree);
    case 'commander.unknownOption': {
      const optionNames = [root, leaf].flatMap(({ options }) => options.map(({ long }) => long ?? ''));
      return cliError('option_unknown', {
        sentence: `Unknown option ${quoted}${command === '' ? '' : ` for \`esign ${command}\``}.`,
        hint: didYouMean(
          meantOption(quoted.split('=')[0] ?? '', optionNames),
          `List the options with ${help}.`,
          '',
        ),
      });
    }
    case 'commander.missingArgument':
      return cliError('argument_missing', { sentence: `No ${quoted.toUpperCase()} given.`, hint });
    case 'commander.excessArguments': {
      const most = leaf.registeredArguments.length;
      return cliError('arguments_too_many', {
        sentence: `Too many arguments for \`esign ${command}\`: it takes ${most === 0 ? 'none' : `at most ${most}`}.`,
        hint: `Quote values that contain spaces. ${hint}`,
      });
    }
    case 'commander.missingMandatoryOptionValue':
      return cliError('option_missing', {
        sentence: `\`esign ${command}\` needs ${flagIn(quoted)}.`,
        hint: `Add ${flagIn(quoted)}.`,
      });
    case 'commander.optionMissingArgument':
      return cliError('value_missing', { sentence: `The value of ${flagIn(quoted)} is missing.`, hint });
    default:
      return cliError('usage', {
        sentence: message.replace(/^error: /, ''),
        hint,
      });
  }
}

type Parsed = { root: Commander; tree: Tree };

const commandAt = (root: Commander, path: readonly string[]): Commander =>
  path.reduce((at, name) => at.commands.find((command) => command.name() === name) ?? at, root);

/** `--limit` of `-l, --limit <n>` */
const flagIn = (usage: string): string => /--[\w-]+/.exec(usage)?.[0] ?? usage;

function chosenOf(name: string, choices: readonly string[], value: string): string {
  if (choices.includes(value)) return value;
  const meant = nearest(value, choices);
  throw invalidValue({ name, value, meant, use: `one of ${choices.join(', ')}` });
}
