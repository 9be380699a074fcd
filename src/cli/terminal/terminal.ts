// Makes the terminal of one command: output on stdout, messages on stderr, and the browser.
import { epochMsOf, type Instant } from '../../common/instant.ts';
import { accessibilityOf, type Environment, type Variables, variable } from '../../config/environment.ts';
import type { Terminal } from '../command/context.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Settings } from '../command/settings.ts';
import { platform, wallClockMs } from '../process/edges.ts';
import { hasWindows, openInBrowser } from './browser.ts';
import { colorLevel, createPaint } from './color.ts';
import { type Actions, createActions } from './github-actions.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';
import { createFilter } from './jq.ts';
import { pictureProtocolOf, pictureViewer } from './pictures.ts';
import { createProgress, type Progress } from './progress.ts';
import { render } from './render.ts';
import { defuseCommands, safeText } from './safe-text.ts';
import type { Sink, Streams } from './streams.ts';
import { wrapItem, wrapLine } from './text-width.ts';

type TerminalParts = {
  settings: Settings;
  streams: Streams;
  environment: Environment;
  isCi: boolean;
  /** Aborted by a signal. */
  abort: AbortSignal;
  /** Hides secrets, where a program with a language model runs the command. */
  hidden?: HiddenSecrets | undefined;
};

/** What is a text or a file already is no better as JSON, and scripts redirect it. */
const UNCHANGED = new Set<Outcome['kind']>(['text', 'bytes', 'page']);

const movedClock = (now: Instant) => `The clock of the sandbox was moved. It shows ${now}.`;

export async function createTerminal({
  settings,
  streams,
  environment,
  isCi,
  abort,
  hidden,
}: TerminalParts): Promise<Terminal> {
  const { variables } = environment;
  const paintOf = ({ isTerminal }: Sink) =>
    createPaint(colorLevel(settings.color, isTerminal, variables), variables);
  const [outPaint, errPaint] = [await paintOf(streams.out), await paintOf(streams.err)];
  const { waitsInLines } = accessibilityOf(variables);
  const filter = settings.jq === undefined ? undefined : createFilter(settings.jq, abort);
  const actions = settings.actions ? await actionsOf(variables, streams) : undefined;
  const progress = createProgress(actions ? createDefusingSink(streams.err, false) : streams.err, errPaint, {
    silent: settings.json || settings.quiet,
    // ora never stops clearing lines on a terminal without a known width.
    spinner:
      streams.err.isTerminal &&
      (streams.err.columns ?? 0) > 0 &&
      !isCi &&
      !hidden &&
      !settings.debug &&
      !waitsInLines,
    inWords: waitsInLines && streams.err.isTerminal,
  });

  const isForPerson = !settings.json && !isCi && !hidden && streams.out.isTerminal && streams.err.isTerminal;

  let serviceTime: Instant | undefined;

  async function write(printed: Outcome, out: Sink): Promise<void> {
    progress.flush();
    const outcome = hidden ? hidden.hideIn(printed) : printed;
    await render(outcome, out, outPaint, {
      json: settings.json && !(settings.isJsonImplied && UNCHANGED.has(outcome.kind)),
      select: settings.select,
      filter,
      nowMs: serviceTime === undefined ? wallClockMs() : epochMsOf(serviceTime),
    });
    const notes = [...(outcome.notes ?? []), ...(serviceTime === undefined ? [] : [movedClock(serviceTime)])];
    if (out.isTerminal && notes.length > 0) progress.note('');
    for (const note of notes) progress.note(note);
  }

  return {
    streams,
    isForPerson,
    paint: errPaint,
    progress,
    actions,
    filter,
    showAlways(lines) {
      progress.flush();
      const columns = streams.err.isTerminal ? streams.err.columns : undefined;
      for (const line of lines) streams.err.write(`${wrapItem(safeText(line), columns)}\n`);
    },
    warnAlways(code, sentence) {
      if (actions) actions.warn(code, sentence);
      else {
        const columns = streams.err.isTerminal ? streams.err.columns : undefined;
        streams.err.write(`${wrapLine(`${errPaint.yellow('warning:')} ${safeText(sentence)}`, columns)}\n`);
      }
    },
    async print(outcome) {
      actions?.maskIn(outcome.json);
      await write(outcome, actions ? createDefusingSink(streams.out, settings.json && !filter) : streams.out);
    },
    showTimesAt(now) {
      serviceTime = now;
    },
    async draw(outcome) {
      const { isTerminal, columns } = streams.out;
      const drawn: string[] = [];
      const out = { isTerminal, columns, write: (text: string) => void drawn.push(text) };
      await write({ ...outcome, notes: [] }, out);
      return drawn.join('');
    },
    pictures: () => openPictures(streams.out, variables, progress),
    async browse(url) {
      if (!isForPerson) return 'not_tried';
      const command = variable(variables, 'ESIGN_BROWSER');
      if (command === undefined && !hasWindows(platform, variables)) return 'failed';
      return (await openInBrowser(url, command)) ? 'opened' : 'failed';
    },
  };
}

async function openPictures(out: Sink, variables: Environment['variables'], progress: Progress) {
  if (!out.isTerminal) return undefined;
  const protocol = pictureProtocolOf(variables);
  if (!protocol) return undefined;
  progress.flush();
  return pictureViewer(protocol, out);
}

/** Makes the output for a job of GitHub Actions. Undefined outside of one. */
export async function actionsOf(variables: Variables, { err }: Streams): Promise<Actions | undefined> {
  if (!variables.GITHUB_ACTIONS) return undefined;
  const { randomUUID } = await import('node:crypto');
  return createActions({ variables, err, newDelimiter: randomUUID });
}

const createDefusingSink = (sink: Sink, isJson: boolean): Sink => ({
  ...sink,
  write: (text) =>
    sink.write(
      typeof text === 'string'
        ? defuseCommands(text, isJson)
        : Buffer.from(defuseCommands(Buffer.from(text).toString('latin1'), isJson), 'latin1'),
    ),
});
