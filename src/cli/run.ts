// Runs the program once: takes words, and returns an exit code. Only this file catches the errors of commands.

import { inWords } from '../api/contract/wrong-values.ts';
import { type Environment, isRunByAssistant, type Variables } from '../config/environment.ts';
import { type App, createApp } from './app.ts';
import { type ExpandedWords, expandAlias } from './command/alias.ts';
import type { ProgramDescription } from './command/context.ts';
import { type ErrorReport, errorJson, reportOf, traceOf } from './command/error-report.ts';
import { EXIT } from './command/exit-codes.ts';
import type { Invocation } from './command/invocation.ts';
import type { Settings } from './command/settings.ts';
import { describeTree, jsonSchemaOf } from './describe/describe.ts';
import { helpOn } from './describe/help.ts';
import { handleSignals, openStreams, readEnvironment, type Signal, setExitCode } from './process/edges.ts';
import { placeIn } from './process/source-places.ts';
import { type Catalogue, commandWordAt, parseWords, pathIn } from './program.ts';
import { runCommand } from './run-command.ts';
import { colorLevel, createPaint, type Paint, readColorSetting } from './terminal/color.ts';
import { createHiddenSecrets } from './terminal/hidden-secrets.ts';
import { jsonText } from './terminal/json.ts';
import { defuseCommands, safeText } from './terminal/safe-text.ts';
import type { Streams } from './terminal/streams.ts';
import { actionsOf } from './terminal/terminal.ts';
import { wrapLine } from './terminal/text-width.ts';
import { TREE } from './tree.ts';

export async function run(words: readonly string[], version: string): Promise<void> {
  const environment = await readEnvironment();
  setExitCode(
    await runWith(words, { version, environment, streams: openStreams(), onSignal: handleSignals }),
  );
}

/** Finds the words that name a command, as in `tx send`. */
export const commandIn = (words: readonly string[]): string => pathIn(words, TREE).join(' ');

export type RunEnvironment = {
  version: string;
  environment: Environment;
  streams: Streams;
  onSignal(stop: (signal: Signal) => void, endingMs: () => number): void;
  engineProgram?: string | undefined;
};

/** Runs the program without touching the process. It always resolves with an exit code. */
export async function runWith(typed: readonly string[], surroundings: RunEnvironment): Promise<number> {
  const { version, environment, onSignal, engineProgram } = surroundings;
  const catalogue = { tree: TREE, version };
  let settings: Settings | undefined;
  const hidden = isRunByAssistant(environment.variables)
    ? createHiddenSecrets(environment.variables, () => settings?.reveal === true)
    : undefined;
  const { out, err } = surroundings.streams;
  const streams = hidden
    ? hiding(surroundings.streams, { out: hidden.sink(out), err: hidden.sink(err) })
    : surroundings.streams;
  let app: App | undefined;
  let invocation: Invocation | undefined;
  let exit: number = EXIT.done;
  let hasFailed = false;
  let { words, alias }: ExpandedWords = { words: typed };
  try {
    ({ words, alias } = await expandTypedAlias(typed, environment));
    invocation = await parseWords(words, catalogue);
    settings = hidden ? withImpliedJson(invocation.settings, out.isTerminal) : invocation.settings;
    const program = programOf(catalogue, { environment, engineProgram });
    app = await createApp({ settings, streams, environment, program, onSignal, engineProgram, hidden });
    const { context } = app;
    const outcome = await invocation.run(context);
    await context.terminal.print(outcome);
    await context.terminal.actions?.finish(outcome);
    exit = outcome.exit ?? EXIT.done;
  } catch (error) {
    exit = await fail(error);
  }
  try {
    await app?.close(hasFailed);
  } catch (error) {
    exit = await fail(error);
  }
  return exit;

  async function fail(error: unknown): Promise<number> {
    hasFailed = true;
    const report = withAlias(reportOf(error), alias);
    const { variables } = environment;
    const isWanted = !app && !words.includes('--no-actions');
    const actions =
      app?.context.terminal.actions ?? (isWanted ? await actionsOf(variables, streams) : undefined);
    actions?.fail(report);
    const asJson =
      settings?.json ??
      ((hidden && !out.isTerminal) || words.some((word) => /^--(json$|(select|jq)\b)/.test(word)));
    printError(report, error, {
      streams,
      json: asJson ? errorJson(report) : undefined,
      trace: words.includes('--debug') && error instanceof Error ? traceOf(error) : undefined,
      paint: app?.context.terminal.paint ?? (await paintFor(words, streams, variables)),
      isInJob: actions !== undefined,
    });
    return report.exit;
  }
}

/** The input stays a property that is read when it is needed. */
const hiding = (streams: Streams, sinks: Pick<Streams, 'out' | 'err'>): Streams => ({
  ...sinks,
  input: () => streams.input(),
  get isInputTerminal() {
    return streams.isInputTerminal;
  },
});

const withImpliedJson = (settings: Settings, isTerminal: boolean): Settings =>
  settings.json || isTerminal ? settings : { ...settings, json: true, isJsonImplied: true };

const isCommand = (word: string): boolean => Object.hasOwn(TREE, word);

/** Expands an alias. It reads the settings only when the first word is not a command. */
async function expandTypedAlias(words: readonly string[], environment: Environment): Promise<ExpandedWords> {
  const at = commandWordAt(words);
  if (at === undefined || isCommand(words[at] ?? '')) return { words };
  return expandAlias(words, at, environment, isCommand);
}

/** Adds the alias to the hint, because the error may be in its line and not in what was typed. */
function withAlias(report: ErrorReport, alias: ExpandedWords['alias']): ErrorReport {
  if (!alias || report.exit !== EXIT.usage) return report;
  const note = `"${alias.name}" is an alias for "${alias.line}".`;
  return { ...report, hint: report.hint === undefined ? note : `${report.hint} ${note}` };
}

/** Describes the program. Help and the list of commands are loaded when a command needs them. */
export function programOf(
  catalogue: Catalogue,
  { environment, engineProgram }: Pick<RunEnvironment, 'environment' | 'engineProgram'>,
): ProgramDescription {
  const program: ProgramDescription = {
    version: catalogue.version,
    help: async (words, detail) => helpOn(words, catalogue.tree, detail),
    isCommand,
    jsonSchema: async (words) => jsonSchemaOf(words, catalogue.tree),
    commands: async () => describeTree(catalogue.tree),
    runCommand: async (call) =>
      runCommand(call, { tree: catalogue.tree, environment, engineProgram, program }),
  };
  return program;
}

/** Makes the colors for errors in the words themselves. */
const paintFor = (words: readonly string[], { err }: Streams, variables: Variables): Promise<Paint> =>
  createPaint(colorLevel(readColorSetting(words), err.isTerminal, variables), variables);

type PrintErrorOptions = {
  streams: Streams;
  /** Printed instead of sentences. */
  json: unknown;
  /** Printed with `--debug`. */
  trace: string | undefined;
  paint: Paint;
  isInJob: boolean;
};

function printError(
  report: ErrorReport,
  error: unknown,
  { streams, json, trace, paint, isInJob }: PrintErrorOptions,
): void {
  const write = (text: string) =>
    streams.err.write(isInJob ? defuseCommands(text, json !== undefined) : text);
  if (trace !== undefined) write(`${trace}\n`);
  if (json !== undefined) {
    write(`${jsonText(json)}\n`);
    return;
  }
  // An unexpected error is a bug that may not be reproducible, so its place in the sources is printed.
  const isOurs = report.code === 'unexpected' && trace === undefined && error instanceof Error;
  const where = isOurs ? placeIn(error.stack ?? '') : undefined;
  // The list has IDs with their names.
  const isList = report.code === 'id_ambiguous';
  const columns = streams.err.isTerminal ? streams.err.columns : undefined;
  const lines = [
    wrapLine(
      `${paint.red('error:')} ${safeText(report.message)} ${paint.dim(`(${safeText(report.code)})`)}`,
      columns,
    ),
    ...(report.errors.length > 1 ? report.errors : [])
      .slice(0, 20)
      .map(
        ({ path, message }) =>
          `  ${wrapLine(
            safeText(
              isList ? [path, message].filter(Boolean).join(' ') : asSentence(inWords({ path, message })),
            ),
            columns && columns - 2,
            '  ',
          )}`,
      ),
    ...(report.partial?.id ? [`transaction: ${safeText(report.partial.id)}`] : []),
    ...(report.http?.request_id ? [paint.dim(`request: ${safeText(report.http.request_id)}`)] : []),
    ...(where === undefined ? [] : [paint.dim(`at: ${where}`)]),
    ...(report.hint ? [wrapLine(`hint: ${safeText(report.hint)}`, columns)] : []),
    ...report.next.map(
      ({ command, when }) => `next: ${safeText(command)}  ${paint.dim(`(${safeText(when)})`)}`,
    ),
  ];
  write(`${lines.join('\n')}\n`);
}

/** Ends a message with a full stop. */
const asSentence = (message: string): string => (/[^.!?…]$/.test(message) ? `${message}.` : message);
