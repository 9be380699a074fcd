// The tree of commands as a commander program, made for one run: only what the words name is registered in full.
// commander never writes and never exits here; what it has to say comes back as an Outcome or a usage error.
import { Argument, Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Command, RawInput } from './command/command.ts';
import type { CommandContext } from './command/context.ts';
import { argumentUsage, type OptionSpec } from './command/description.ts';
import { CliError, EXIT, usageError } from './command/errors.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, settingsOf, VERSION_OPTION } from './command/global-options.ts';
import type { Invocation } from './command/invocation.ts';
import type { Outcome } from './command/outcome.ts';
import { isBranch, nodeAt, type Tree } from './command/tree.ts';

/** The commands there are, and the version that `--version` prints. */
export type Catalogue = { tree: Tree; version: string };

type Chosen = { command: Command; input: RawInput };

/** @throws CliError with exit 2 for words that make no sense */
export async function parseWords(words: readonly string[], catalogue: Catalogue): Promise<Invocation> {
  const { root, written, chosen } = await programFor(words, catalogue);
  try {
    await root.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!SHOWS_HELP.has(error.code)) throw usageErrorOf(error, words, catalogue.tree);
  }
  const settings = settingsOf(root.opts());
  const { current } = chosen;
  if (current) return { settings, run: (context) => runChecked(context, current, settings.select) };
  const text = written.join('').trimEnd();
  return { settings, run: async () => ({ kind: 'text', text, json: { text } }) };
}

/** What `--select` names is looked at before anything is done; once more where only the answer tells what there is. */
async function runChecked(
  context: CommandContext,
  { command, input }: Chosen,
  select: readonly string[] | undefined,
): Promise<Outcome> {
  if (!select) return command.run(context, input);
  const { shapeOf, unknownField } = await import('./describe/json-shape.ts');
  const shape = shapeOf(command.json);
  const refuse = (unknown: ReturnType<typeof unknownField>) => {
    if (unknown)
      throw usageError(
        'property_unknown',
        `--select names "${unknown.name}", which is not in what this prints.`,
        `There ${unknown.known.length === 1 ? 'is' : 'are'} ${unknown.known.join(', ')}.`,
      );
  };
  refuse(unknownField(select, shape));
  const outcome = await command.run(context, input);
  refuse(unknownField(select, shape, outcome.json));
  return outcome;
}

/** The help of a command or group, as `esign help PATH` shows it. */
export async function helpOf(path: readonly string[], catalogue: Catalogue): Promise<string> {
  const { root, written } = await programFor(path, catalogue);
  let at: Commander = root;
  for (const name of path) {
    const next = at.commands.find((command) => command.name() === name);
    if (!next)
      throw usageError(
        'command_unknown',
        `There is no command "${path.join(' ')}".`,
        'See `esign commands`.',
      );
    at = next;
  }
  at.outputHelp();
  return written.join('').trimEnd();
}

/** What is no error: help that was asked for, or shown because a group alone was named. */
const SHOWS_HELP = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

async function programFor(words: readonly string[], { tree, version }: Catalogue) {
  const written: string[] = [];
  const chosen: { current?: Chosen } = {};
  const root = new Commander('esign').description(
    'Electronic signatures from the command line, with the whole service inside.',
  );
  const capture = (text: string) => written.push(text);
  root.exitOverride();
  root.configureOutput({
    writeOut: capture,
    writeErr: capture,
    getOutHelpWidth: () => 100,
    getErrHelpWidth: () => 100,
  });
  root.configureHelp({ showGlobalOptions: true, visibleOptions: (command) => [...command.options] });
  root.version(version, '-V, --version', VERSION_OPTION.version.summary);
  root.helpOption('-h, --help', HELP_OPTION.help.summary);
  root.helpCommand(false);
  for (const [name, option] of Object.entries(GLOBAL_OPTIONS)) root.addOption(optionOf(name, option));
  await register(root, tree, pathIn(words, tree), (current) => {
    chosen.current = current;
  });
  return { root, written, chosen };
}

/** The words that name a command, past the options that may stand before and between them. */
function pathIn(words: readonly string[], tree: Tree): string[] {
  const names: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) names.push(word);
    else if (word.startsWith('--') && takesValue(word.slice(2))) index += 1;
    if (word === '--') break;
  }
  return names.slice(0, nodeAt(names, tree)?.depth ?? 0);
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
): Promise<void> {
  const [named, ...rest] = path;
  for (const [name, node] of Object.entries(tree)) {
    const child = parent.command(name).description(node.summary).helpCommand(false);
    if (name !== named) continue;
    if (isBranch(node)) await register(child, node.children, rest, choose);
    if (node.load && rest.length === 0) describeLeaf(child, await node.load(), choose);
  }
}

function describeLeaf(leaf: Commander, command: Command, choose: (chosen: Chosen) => void): void {
  leaf
    .summary(command.summary)
    .description(command.details ? `${command.summary}\n\n${command.details}` : command.summary);
  for (const argument of command.arguments) {
    const described = new Argument(argumentUsage(argument), argument.summary);
    leaf.addArgument(argument.choices ? described.choices([...argument.choices]) : described);
  }
  for (const [name, option] of Object.entries(command.options)) leaf.addOption(optionOf(name, option));
  leaf.addHelpText('after', afterHelp(command));
  leaf.action(() => choose({ command, input: inputOf(leaf, command) }));
}

const afterHelp = (command: Command): string =>
  [
    '',
    'Examples:',
    ...command.examples.flatMap(({ line, about }) => [`  ${line}`, `      ${about}`]),
    '',
    `JSON: ${command.json}`,
  ].join('\n');

function optionOf(name: string, spec: OptionSpec): Option {
  const flags = `${spec.short ? `-${spec.short}, ` : ''}--${name}${spec.value ? ` <${spec.value}>` : ''}`;
  const option = new Option(flags, spec.repeat ? `${spec.summary} (may be given again)` : spec.summary);
  if (spec.choices) option.choices([...spec.choices]);
  if (spec.repeat)
    option.argParser((value: string, before: string[] | undefined) => {
      if (spec.choices && !spec.choices.includes(value))
        throw new InvalidArgumentError(`Allowed choices are ${spec.choices.join(', ')}.`);
      return [...(before ?? []), value];
    });
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.required) option.makeOptionMandatory();
  return option;
}

function inputOf(leaf: Commander, command: Command): RawInput {
  const given: Record<string, unknown> = leaf.opts();
  const args = Object.fromEntries(
    command.arguments.map(({ name, repeat }, index) => [
      name,
      leaf.processedArgs[index] ?? (repeat ? [] : undefined),
    ]),
  );
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, spec]) => [
      name,
      typed(new Option(`--${name}`), given) ?? absent(spec),
    ]),
  );
  return { args, options };
}

/** commander turns `--no-browser` into a `browser` that is false. */
const typed = (option: Option, given: Record<string, unknown>): unknown => {
  const value = given[option.attributeName()];
  return option.negate ? value === false : value;
};

const absent = (spec: OptionSpec): unknown =>
  spec.value === undefined ? false : spec.repeat ? [] : undefined;

/** commander's sentences are kept; its codes say what kind of mistake it was. */
const CODES: Record<string, string> = {
  'commander.unknownCommand': 'command_unknown',
  'commander.unknownOption': 'option_unknown',
  'commander.missingArgument': 'argument_missing',
  'commander.missingMandatoryOptionValue': 'option_missing',
  'commander.optionMissingArgument': 'value_missing',
  'commander.excessArguments': 'arguments_too_many',
  'commander.invalidArgument': 'value_invalid',
};

function usageErrorOf(error: CommanderError, words: readonly string[], tree: Tree): CliError {
  const [first = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? '' : '.'}`;
  const path = pathIn(words, tree);
  const help = `See \`esign ${[...path, '--help'].join(' ')}\`.`;
  const hint = [...suggestion.map((line) => line.replace(/^\((.*)\)$/, '$1')), help]
    .filter((line) => line !== '')
    .join(' ');
  return new CliError(message, { code: CODES[error.code] ?? 'usage', exit: EXIT.usage, hint });
}
