// One run of the program: words in, an exit code out. The only place that catches whatever a command throws.

import type { Environment, Variables } from '../config/environment.ts';
import { type App, createApp } from './app.ts';
import type { Program } from './command/context.ts';
import { type ErrorReport, EXIT, errorJson, reportOf } from './command/errors.ts';
import type { Invocation } from './command/invocation.ts';
import { onSignal, openStreams, readEnvironment, type Signal, setExitCode } from './process/edges.ts';
import { type Catalogue, parseWords } from './program.ts';
import { colorLevel, colorWishIn, createPaint, type Paint } from './terminal/color.ts';
import { actionsOf } from './terminal/job.ts';
import { jsonText } from './terminal/json.ts';
import { defused, safeLines, safeText } from './terminal/safe-text.ts';
import type { Streams } from './terminal/streams.ts';
import { TREE } from './tree.ts';

export async function run(words: readonly string[], version: string): Promise<void> {
  const environment = await readEnvironment();
  setExitCode(await runWith(words, { version, environment, streams: openStreams(), onSignal }));
}

export type Surroundings = {
  version: string;
  environment: Environment;
  streams: Streams;
  onSignal(stop: (signal: Signal) => void): void;
};

/** The whole of a run but the process: whatever happens, it resolves with an exit code. */
export async function runWith(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { version, environment, streams, onSignal } = surroundings;
  const catalogue = { tree: TREE, version };
  let app: App | undefined;
  let invocation: Invocation | undefined;
  let exit: number = EXIT.done;
  try {
    invocation = await parseWords(words, catalogue);
    const { settings } = invocation;
    app = await createApp({ settings, streams, environment, program: programOf(catalogue) });
    onSignal((signal) => app?.stop(signal));
    const { context } = app;
    const outcome = await invocation.run(context);
    await context.terminal.print(outcome);
    await context.terminal.actions?.finish(outcome);
    exit = outcome.exit ?? EXIT.done;
  } catch (error) {
    exit = await fail(error);
  }
  try {
    await app?.close();
  } catch (error) {
    exit = await fail(error);
  }
  return exit;

  async function fail(error: unknown): Promise<number> {
    const report = reportOf(error);
    const { variables } = environment;
    const isWanted = !app && !words.includes('--no-actions');
    const actions =
      app?.context.terminal.actions ?? (isWanted ? await actionsOf(variables, streams) : undefined);
    actions?.fail(report);
    say(report, error, {
      streams,
      asJson: invocation?.settings.json ?? words.some((word) => /^--(json$|select\b)/.test(word)),
      isDebug: words.includes('--debug'),
      paint: app?.context.terminal.paint ?? (await paintFor(words, streams, variables)),
      isInJob: actions !== undefined,
    });
    return report.exit;
  }
}

/** Help and the list of commands are loaded when a command asks for them. */
export const programOf = (catalogue: Catalogue): Program => ({
  version: catalogue.version,
  help: async (words) => (await import('./describe/help.ts')).helpOn(words, catalogue),
  commands: async () => (await import('./describe/describe.ts')).describeTree(catalogue.tree),
});

/** For what has to be said before the words were understood. */
const paintFor = (words: readonly string[], { err }: Streams, variables: Variables): Promise<Paint> =>
  createPaint(colorLevel(colorWishIn(words), err.isTerminal, variables));

type Saying = { streams: Streams; asJson: boolean; isDebug: boolean; paint: Paint; isInJob: boolean };

function say(
  report: ErrorReport,
  error: unknown,
  { streams, asJson, isDebug, paint, isInJob }: Saying,
): void {
  const write = (text: string) => streams.err.write(isInJob ? defused(text, asJson) : text);
  if (isDebug && error instanceof Error) write(`${safeLines(traceOf(error))}\n`);
  if (asJson) {
    write(`${jsonText(errorJson(report))}\n`);
    return;
  }
  const lines = [
    `${paint.red('error:')} ${safeText(report.message)} ${paint.dim(`(${safeText(report.code)})`)}`,
    ...(report.errors.length > 1 ? report.errors : [])
      .slice(0, 20)
      .map(({ path, message }) => `  ${safeText(path)} ${safeText(message)}`),
    ...(report.partial?.id ? [`there is: transaction ${safeText(report.partial.id)}`] : []),
    ...(report.http?.request_id ? [paint.dim(`request:  ${safeText(report.http.request_id)}`)] : []),
    ...(report.hint ? [`hint: ${safeText(report.hint)}`] : []),
    ...report.next.map(
      ({ command, when }) => `next: ${safeText(command)}  ${paint.dim(`(${safeText(when)})`)}`,
    ),
  ];
  write(`${lines.join('\n')}\n`);
}

const traceOf = (error: Error): string =>
  `${error.stack ?? error.message}${error.cause instanceof Error ? `\ncaused by: ${traceOf(error.cause)}` : ''}`;
