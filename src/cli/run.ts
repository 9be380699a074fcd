// One run of the program: words in, an exit code out. The only place that catches whatever a command throws.

import type { Variables } from '../config/environment.ts';
import type { App } from './app.ts';
import { createApp } from './app.ts';
import { onSignal, openStreams, readEnvironment, setExitCode } from './edges.ts';
import { type ErrorReport, errorJson, reportOf } from './errors.ts';
import type { Invocation } from './invocation.ts';
import { parseWords } from './program.ts';
import { colorLevel, colorWishIn, createPaint } from './terminal/color.ts';
import { safeLines, safeText } from './terminal/safe-text.ts';
import type { Streams } from './terminal/streams.ts';

export async function run(words: readonly string[], version: string): Promise<void> {
  const streams = openStreams();
  const environment = await readEnvironment();
  let app: App | undefined;
  let invocation: Invocation | undefined;
  try {
    invocation = await parseWords(words, version);
    app = await createApp({
      settings: invocation.settings,
      streams,
      environment,
      version,
    });
    onSignal((signal) => app?.stop(signal));
    const outcome = await invocation.run(app);
    await app.print(outcome);
    await app.actions?.finish(outcome);
    setExitCode(outcome.exit ?? 0);
  } catch (error) {
    const report = reportOf(error);
    setExitCode(report.exit);
    app?.actions?.fail(report);
    const asJson = invocation?.settings.json ?? words.includes('--json');
    const { variables } = environment;
    await say(report, error, { streams, asJson, isDebug: words.includes('--debug'), app, words, variables });
  } finally {
    await app?.close();
  }
}

type Saying = {
  streams: Streams;
  asJson: boolean;
  isDebug: boolean;
  app: App | undefined;
  words: readonly string[];
  variables: Variables;
};

async function say(
  report: ErrorReport,
  error: unknown,
  { streams, asJson, isDebug, app, words, variables }: Saying,
): Promise<void> {
  if (isDebug && error instanceof Error) streams.err.write(`${safeLines(traceOf(error))}\n`);
  if (asJson) return streams.err.write(`${JSON.stringify(errorJson(report))}\n`);
  const paint =
    app?.paint ?? (await createPaint(colorLevel(colorWishIn(words), streams.err.isTerminal, variables)));
  const lines = [
    `${paint.red('error:')} ${safeText(report.message)} ${paint.dim(`(${safeText(report.code)})`)}`,
    ...report.errors.slice(0, 20).map(({ path, message }) => `  ${safeText(path)} ${safeText(message)}`),
    ...(report.partial?.id ? [`there is: transaction ${safeText(report.partial.id)}`] : []),
    ...(report.http?.request_id ? [paint.dim(`request:  ${safeText(report.http.request_id)}`)] : []),
    ...(report.hint ? [`hint: ${safeText(report.hint)}`] : []),
    ...report.next.map(
      ({ command, when }) => `next: ${safeText(command)}  ${paint.dim(`(${safeText(when)})`)}`,
    ),
  ];
  streams.err.write(`${lines.join('\n')}\n`);
}

const traceOf = (error: Error): string =>
  `${error.stack ?? error.message}${error.cause instanceof Error ? `\ncaused by: ${traceOf(error.cause)}` : ''}`;
