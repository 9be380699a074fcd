// The composition root: builds the context of one command. It builds expensive parts when a command first asks for them.

import type { Transport } from '../api/transport.ts';
import { once } from '../common/once.ts';
import {
  accessibilityOf,
  ConfigError,
  type Environment,
  emptyVariables,
  pathsOf,
  type Variables,
  variable,
} from '../config/environment.ts';
import { loadProfile, type Profile, SANDBOX } from '../config/profile.ts';
import { readDeliveryProxy } from '../config/proxy.ts';
import { type ConfiguredMail, mailOf, sealingOf } from '../config/sealing-and-mail.ts';
import type { TypedServeOptions } from '../config/serve.ts';
import { makeTrustedFolder, mustTrust } from '../files/trust.ts';
import { type History, openHistory } from '../history/history.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import { createOneShotEngine } from '../pdf/engine/one-shot.ts';
import { createConfiguration } from './command/configuration.ts';
import type { CommandContext, CommandHistory, Connections, ProgramDescription } from './command/context.ts';
import { type DebugArea, debugAreasOf } from './command/debug-areas.ts';
import { cliError } from './command/errors.ts';
import type { Settings } from './command/settings.ts';
import type { Connection, SandboxConnection } from './connection/connection.ts';
import { decorateTransport } from './connection/decorate.ts';
import { isListening } from './connection/loopback.ts';
import { serveNewSandbox } from './connection/new-sandbox.ts';
import type { RemoteParts } from './connection/remote-transport.ts';
import {
  connectCaller,
  connectSandbox,
  deliverBeforeEnd,
  inspectSandbox,
  openSandbox,
  startSandboxServer,
} from './connection/sandbox.ts';
import { readSandboxRoots } from './connection/sandbox-roots.ts';
import { createFailureLog } from './connection/service-log.ts';
import { createStoreCopies, type StoreCopiesParts } from './connection/store-copies.ts';
import { openConfigured, type TeamServerParts } from './connection/team-server.ts';
import { createMcpAnswers, type McpHttpOptions } from './mcp/http.ts';
import {
  endedBySystem,
  fileMask,
  isAlive,
  monotonicMs,
  pause,
  processId,
  type Signal,
  stderrStream,
  stdinStream,
  wallClockMs,
} from './process/edges.ts';
import { createInterruption, type Interruption } from './process/interruption.ts';
import { traceEngine, traceStore } from './process/trace-work.ts';
import { findWorkerLink } from './process/workers.ts';
import { createRecorder, type OnAnswer } from './recent/recorder.ts';
import type { HiddenSecrets } from './terminal/hidden-secrets.ts';
import { createPrompts } from './terminal/prompts.ts';
import { createQuestionSeries, type QuestionSeries } from './terminal/question-series.ts';
import type { Sink, Streams } from './terminal/streams.ts';
import { createTerminal } from './terminal/terminal.ts';

/** It brings the client of HTTP, which a command in the sandbox does not need. */
const loadRemote = () => import('./connection/remote.ts');
const loadLogins = () => import('./connection/access-token.ts');

export type App = {
  context: CommandContext;
  /**
   * Closes what was opened and records what was seen.
   * @param hasFailed the error has been printed: with --json, it stays the last line of stderr
   */
  close(hasFailed: boolean): Promise<void>;
};

export type AppParts = {
  settings: Settings;
  streams: Streams;
  environment: Environment;
  program: ProgramDescription;
  /** Subscribes to the signals of the process. Called when the command has begun something that it must end in order. */
  onSignal(stop: (signal: Signal) => void, endingMs: () => number): void;
  /** Hides secrets, where a program with a language model runs the command. */
  hidden?: HiddenSecrets | undefined;
  /** The built program of the document engine. Tests set it, because they run the sources, and it is not beside them. */
  engineProgram?: string | undefined;
  /** Replaces every connection, for a caller of the service that is served by this process. */
  connection?: Connection | undefined;
};

export async function createApp(parts: AppParts): Promise<App> {
  const { settings, streams, environment, program, onSignal, engineProgram, hidden } = parts;
  const { variables, workingDir } = environment;
  refuseEmptyVariables(variables);
  const paths = pathsOf(environment);
  const isCi = variable(variables, 'CI') !== undefined && !/^(0|false)$/i.test(variables.CI ?? '');
  const interruption = createInterruption(() => onSignal(interruption.stop, interruption.endingMs));
  const series = createQuestionSeries();
  const terminal = await createTerminal({
    settings,
    streams: { ...streams, err: printsWithQuestions(streams.err, series) },
    environment,
    isCi,
    abort: interruption.abort,
    hidden,
  });
  if (variables.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    terminal.warnAlways('certificates_checked', STILL_CHECKED);
  const recorder = createRecorder(paths);
  const recordAnswers = (profile: string, service: string): OnAnswer => {
    const record = recorder.recordAnswers(profile, service);
    if (!hidden) return record;
    return (operation, input, output) => {
      hidden.learn(output);
      record(operation, input, output);
    };
  };
  const failures = createFailureLog(settings, streams.err);
  const debug = debugAreasOf(settings.debug, variables);
  const { opened: closeAtEnd, opening, openOnce, closeAll } = createLifetimes();

  const office = variable(variables, 'ESIGN_SOFFICE');
  const documents = closeAtEnd(
    await traceForDebug(
      debug,
      createOneShotEngine({ office, program: engineProgram, onChild: interruption.listen }),
      streams.err,
      closeAtEnd,
    ),
  );
  const { abort, checkpoint } = interruption;
  abort.addEventListener('abort', () => void documents.close(abort.reason));

  const profile = () => loadProfile(settings, variables, paths.configFile);
  const onClock = terminal.showTimesAt;
  const decoration = { environment, interruption, debug, err: streams.err, onClock };
  const decorate = (transport: Transport) => decorateTransport(transport, decoration);
  const storedHistory = openOnce(async (): Promise<History> => {
    fileMask();
    interruption.listen();
    return closeAtEnd(await openHistory(paths.historyFile, wallClockMs));
  });
  const sealing = () => readSandboxSealing(variables, paths.configFile);
  let hasFailed = false;
  const sandbox = openOnce(async () => {
    interruption.listen();
    const mail = await readSandboxMail(variables, paths.configFile);
    const parts = { documents, failures, sealing, mail, deliveryProxy: readDeliveryProxy(variables) };
    makeTrustedFolder(paths.sandboxDir);
    const service = closeAtEnd(await openSandbox(paths.sandboxDir, parts));
    // The note is printed for programs as well, because what waits may never be sent.
    const note = (sentence: string) => {
      if (!settings.json) terminal.progress.note(sentence);
      else if (!settings.quiet && !hasFailed) streams.err.write(`${JSON.stringify({ note: sentence })}\n`);
    };
    if (service.isReadOnly) terminal.warnAlways('sandbox_read_only', READ_ONLY);
    closeAtEnd({ close: () => deliverBeforeEnd(service, { abort, note, failures }) });
    return service;
  });
  const connectToSandbox = async (wanted: Profile, decorateCalls = decorate) => {
    const service = await sandbox();
    return connectSandbox(wanted, service, {
      decorate: decorateCalls,
      onAnswer: recordAnswers(SANDBOX, SANDBOX),
      beforeCall: terminal.progress.flush,
    });
  };
  const remoteParts = ({ name, remote }: Profile): RemoteParts => ({
    environment,
    paths,
    interruption,
    progress: terminal.progress,
    closeAtEnd,
    decorate,
    onAnswer: recordAnswers(name, remote?.baseUrl ?? SANDBOX),
  });

  const connections: Connections = {
    profile,
    connect: openOnce(async () => {
      const wanted = await profile();
      if (wanted.remote) {
        const { connectRemote } = await loadRemote();
        return connectRemote(wanted, wanted.remote, remoteParts(wanted));
      }
      if (isCi && wanted.isDefault) terminal.warnAlways('sandbox', SANDBOX_BY_DEFAULT);
      else terminal.progress.noteBeforeNext('Using the offline sandbox on this machine.');
      return connectToSandbox(wanted);
    }),
    async connectForCleanup() {
      const wanted = await profile();
      const passThrough = async (transport: Transport) => transport;
      if (!wanted.remote) return connectToSandbox(wanted, passThrough);
      const parts = { ...remoteParts(wanted), interruption: createInterruption() };
      const { connectRemote } = await loadRemote();
      return connectRemote(wanted, wanted.remote, { ...parts, decorate: passThrough });
    },
    sandbox: openOnce(async () =>
      connectToSandbox(await loadProfile({ sandbox: true }, variables, paths.configFile)),
    ),
    async serveSandbox(options) {
      const service = await sandbox();
      const mcp = mcpAnswersFor({ program, office, isSandbox: true, isSendingAllowed: true }, (token) =>
        connectCaller(service, token, { isSandbox: true }),
      );
      return startSandboxServer(service, options, { settings, err: streams.err, failures, office, mcp });
    },
    async serveNewSandbox() {
      interruption.listen();
      return closeAtEnd(
        await serveNewSandbox({ settings, streams, environment, documents, failures, office }),
      );
    },
    async inspectSandbox({ deep }) {
      mustTrust(paths.sandboxDir);
      return inspectSandbox(paths.sandboxDir, { deep, signal: interruption.abort });
    },
    checkSealing: async () => (await sandbox()).checkSealing(),
    checkMail: async () => (await sandbox()).checkMail(),
    async openTeamServer(options) {
      interruption.listen();
      const log = { err: streams.err, isQuiet: settings.quiet };
      const mcp = (connect: (token: string) => Connection, isSendingAllowed: boolean) =>
        mcpAnswersFor({ program, office, isSandbox: false, isSendingAllowed }, connect);
      const serverParts = {
        variables,
        workingDir,
        paths,
        documents,
        office,
        version: program.version,
        ...log,
        mcp,
      };
      return closeAtEnd(await openTeamServer(options, serverParts));
    },
    storeCopies: () => openStoreCopies({ variables, workingDir, paths, abort }, interruption.listen),
    sandboxRoots: () => rootsOfSandbox(paths.sandboxDir),
    async connectWithoutLogin(wanted, token) {
      const { connectRemoteWithoutLogin } = await loadRemote();
      return connectRemoteWithoutLogin(wanted, remoteParts(wanted), token);
    },
    async access() {
      const wanted = await profile();
      if (!wanted.remote)
        throw cliError('sandbox_has_no_login', {
          sentence: 'The sandbox has no login, so there is no token to print.',
          hint: 'Create a token of the sandbox with `esign sandbox token --raw`, or specify a service with --profile NAME.',
        });
      const { accessOfRemote } = await loadRemote();
      return accessOfRemote(wanted, wanted.remote, remoteParts(wanted));
    },
    logins: openOnce(async () => (await loadLogins()).openLoginStore({ environment, paths })),
    isAnswering: async (url) =>
      !settings.json && streams.err.isTerminal && url !== undefined && isListening(url),
  };
  const history: CommandHistory = {
    open: storedHistory,
    async recentItems({ isOfSandbox } = { isOfSandbox: false }) {
      if (isOfSandbox)
        return { profile: SANDBOX, service: SANDBOX, things: await recorder.seen(SANDBOX, SANDBOX) };
      const { name, remote } = await profile();
      const service = remote?.baseUrl ?? SANDBOX;
      return { profile: name, service, things: await recorder.seen(name, service) };
    },
    keepOrder: (ids) => recorder.keepPlaces(ids),
    saveRecent: () => recorder.save(),
    markForwarded({ profile: name, service }, eventId, result) {
      recorder.markForwarded(name, service, eventId, result);
      return recorder.save();
    },
    async markGone(id) {
      const { name, remote } = await profile();
      recorder.markGone(name, remote?.baseUrl ?? SANDBOX, id);
    },
  };
  const prompts = createPrompts({
    canAsk: settings.input && !settings.json && !isCi && streams.isInputTerminal && streams.err.isTerminal,
    yes: settings.yes,
    get input() {
      return openInput(variables, interruption);
    },
    output: stderrStream(),
    signal: interruption.abort,
    series,
    paint: terminal.paint,
    inLines: accessibilityOf(variables).asksInLines,
  });
  const { connection } = parts;
  const connect = async () => connection as SandboxConnection;
  return {
    context: {
      settings,
      config: createConfiguration({ paths, settings, environment }, storedHistory),
      terminal,
      prompts,
      connections: connection
        ? { ...connections, connect, connectForCleanup: connect, sandbox: connect }
        : connections,
      history,
      process: {
        id: processId(),
        isAlive,
        environment,
        workingDir,
        input: stdinStream,
        paths,
        documents,
        clock: wallClockMs,
        monotonicMs,
        pause: (ms) => pause(ms, abort),
        abort,
        checkpoint,
        computing: endedBySystem,
        passSignals: (to) =>
          interruption.passSignals((signal) => to(signal, signal === 'SIGINT' && streams.isInputTerminal)),
        get stopped() {
          return interruption.stopped;
        },
      },
      program,
    },
    async close(failed) {
      hasFailed = failed;
      await Promise.allSettled(opening);
      await recorder.save();
      await closeAll();
    },
  };
}

/** Opens the input of questions. Where the terminal reads their lines, Ctrl-C is a signal and no key. */
function openInput(variables: Variables, interruption: Interruption): NodeJS.ReadableStream {
  if (accessibilityOf(variables).asksInLines) interruption.listen();
  return stdinStream();
}

/** Prints nothing again that was printed before a question that keeps its answer. */
const printsWithQuestions = (err: Sink, series: QuestionSeries): Sink => ({
  isTerminal: err.isTerminal,
  get columns() {
    return err.columns;
  },
  get rows() {
    return err.rows;
  },
  get isGone() {
    return err.isGone ?? false;
  },
  write: (text) => series.print(() => err.write(text)),
});

/** Loads the tools with the first message. */
function mcpAnswersFor(
  options: Omit<McpHttpOptions, 'connect'>,
  connect: McpHttpOptions['connect'],
): ReturnType<typeof createMcpAnswers> {
  const answers = once(async () => createMcpAnswers({ ...options, connect }));
  return async (...message) => (await answers())(...message);
}

async function openTeamServer(options: TypedServeOptions, parts: Omit<TeamServerParts, 'worker'>) {
  return openConfigured(options, { ...parts, worker: findWorkerLink()?.number });
}

async function openStoreCopies(parts: StoreCopiesParts, listen: () => void) {
  listen();
  return createStoreCopies(parts);
}

async function readSandboxSealing(variables: Variables, configFile: string) {
  const { sealing } = await loadProfile({ sandbox: true }, variables, configFile);
  return sealingOf(sealing, variables);
}

/** With ESIGN_DEBUG=store or engine, prints what the store and the returned engine do. */
async function traceForDebug(
  debug: ReadonlySet<DebugArea>,
  engine: DocumentEngine,
  err: Sink,
  closeAtEnd: (one: Closable) => unknown,
): Promise<DocumentEngine> {
  if (!debug.has('store') && !debug.has('engine')) return engine;
  if (debug.has('store')) closeAtEnd(traceStore(err));
  return debug.has('engine') ? traceEngine(engine, err) : engine;
}

/** Reads the mail settings of the sandbox. Undefined where nothing is set, which is nearly always. */
async function readSandboxMail(
  variables: Variables,
  configFile: string,
): Promise<ConfiguredMail | undefined> {
  const { mail } = await loadProfile({ sandbox: true }, variables, configFile);
  if (Object.keys(mail).length === 0) return undefined;
  return mailOf(mail, variables);
}

const SANDBOX_BY_DEFAULT =
  'No service is configured, so this command uses the offline sandbox. No real recipient is contacted. ' +
  'Set ESIGN_BASE_URL and credentials. To use the sandbox on purpose, add --sandbox.';

const READ_ONLY = 'The sandbox is on a read-only disk. It can be read, but nothing in it can be changed.';

/** Node.js itself warns that the variable makes connections insecure, which is not so here. */
const STILL_CHECKED =
  'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: esign always checks certificates, before it sends a login, a token or an email. ' +
  'To trust another certificate authority, set ESIGN_CA_CERT; for a mail server, set mail.certificates.';

/** Refuses variables that are set to nothing. A CI job whose secret is missing sets such a variable, and must not continue. */
function refuseEmptyVariables(variables: Variables): void {
  const names = emptyVariables(variables);
  if (names.length === 0) return;
  const isOne = names.length === 1;
  throw new ConfigError(
    'variable_empty',
    `${names.join(' and ')} ${isOne ? 'is' : 'are'} set, but empty.`,
    `Set ${isOne ? 'a value' : 'values'}, or unset ${isOne ? 'it' : 'them'}. In CI, check that the secret exists and that this job can read it.`,
  );
}

type Closable = { close(): Promise<void> };

/** Closes what a command has opened, in the opposite order. It waits for what is still being opened, so that nothing stays half open. */
function createLifetimes() {
  const open: Closable[] = [];
  const opening: Promise<unknown>[] = [];
  return {
    opening,
    opened<T extends Closable>(one: T): T {
      open.push(one);
      return one;
    },
    openOnce<T>(make: () => Promise<T>): () => Promise<T> {
      return once(() => {
        const made = make();
        opening.push(made);
        return made;
      });
    },
    async closeAll() {
      let failure: { error: unknown } | undefined;
      for (const one of open.splice(0).reverse())
        await one.close().catch((error: unknown) => {
          failure ??= { error };
        });
      if (failure) throw failure.error;
    },
  };
}

async function rootsOfSandbox(folder: string): ReturnType<Connections['sandboxRoots']> {
  return readSandboxRoots(folder);
}
