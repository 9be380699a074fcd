// The composition root: builds the context of one command. It builds expensive parts when a command first asks for them.

import type { Transport } from '../api/transport.ts';
import { lazily, once } from '../common/once.ts';
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
import type {
  CommandContext,
  CommandHistory,
  ConnectCaller,
  Connections,
  ProcessContext,
  ProgramDescription,
} from './command/context.ts';
import { type DebugArea, debugAreasOf } from './command/debug-areas.ts';
import { cliError } from './command/errors.ts';
import type { Settings } from './command/settings.ts';
import type { SandboxConnection } from './connection/connection.ts';
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
  type Service,
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
  connectCaller?: ConnectCaller | undefined;
};

export async function createApp(parts: AppParts): Promise<App> {
  refuseEmptyVariables(parts.environment.variables);
  const core = await createCore(parts);
  const { settings, program, terminal, lifetimes, recorder, connectCaller: caller } = core;
  const storedHistory = lifetimes.openOnce(() => openStoredHistory(core));
  const connections = createConnections(core, createSandboxAccess(core));
  return {
    context: {
      settings,
      config: createConfiguration(core, storedHistory),
      terminal,
      prompts: createCommandPrompts(core),
      connections: caller ? connectionsOfCaller(caller, connections, core.interruption) : connections,
      history: createCommandHistory(core, storedHistory),
      process: createProcessContext(core),
      program,
    },
    async close(hasFailed) {
      core.result.hasFailed = hasFailed;
      await Promise.allSettled(lifetimes.opening);
      await recorder.save();
      await lifetimes.closeAll();
    },
  };
}

// ── what the parts of a context share ───────────────────────────────────────────────────────────────────────────

type Core = Awaited<ReturnType<typeof createCore>>;

async function createCore(parts: AppParts) {
  const { settings, streams, environment, onSignal, engineProgram, hidden } = parts;
  const { variables } = environment;
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
  const lifetimes = createLifetimes();
  const debug = debugAreasOf(settings.debug, variables);
  const office = variable(variables, 'ESIGN_SOFFICE');
  const engine = createOneShotEngine({ office, program: engineProgram, onChild: interruption.listen });
  const documents = lifetimes.closeAtEnd(
    await traceForDebug(debug, engine, streams.err, lifetimes.closeAtEnd),
  );
  interruption.abort.addEventListener('abort', () => void documents.close(interruption.abort.reason));
  const decoration = { environment, interruption, debug, err: streams.err, onClock: terminal.showTimesAt };
  return {
    ...parts,
    variables,
    paths,
    isCi,
    interruption,
    series,
    terminal,
    lifetimes,
    office,
    documents,
    recorder: createRecorder(paths),
    failures: createFailureLog(settings, streams.err),
    profile: () => loadProfile(settings, variables, paths.configFile),
    decorate: (transport: Transport) => decorateTransport(transport, decoration),
    /** Set when the command has ended, before anything is closed. */
    result: { hasFailed: false },
  };
}

/** Records what the service answers for `tx list` and TAB, and learns the secrets in it where they are hidden. */
function recordAnswers({ recorder, hidden }: Core, profile: string, service: string): OnAnswer {
  const record = recorder.recordAnswers(profile, service);
  if (!hidden) return record;
  return (operation, input, output) => {
    hidden.learn(output);
    record(operation, input, output);
  };
}

// ── connections ─────────────────────────────────────────────────────────────────────────────────────────────────

type SandboxAccess = {
  open(): Promise<Service>;
  connect(wanted: Profile, decorate?: Core['decorate']): Promise<SandboxConnection>;
};

function createSandboxAccess(core: Core): SandboxAccess {
  const { terminal, lifetimes } = core;
  const open = lifetimes.openOnce(() => openSandboxOf(core));
  return {
    open,
    connect: async (wanted, decorate = core.decorate) =>
      connectSandbox(wanted, await open(), {
        decorate,
        onAnswer: recordAnswers(core, SANDBOX, SANDBOX),
        beforeCall: terminal.progress.flush,
      }),
  };
}

async function openSandboxOf(core: Core): Promise<Service> {
  const { settings, streams, variables, paths, documents, failures, terminal, interruption, lifetimes } =
    core;
  interruption.listen();
  const mail = await readSandboxMail(variables, paths.configFile);
  makeTrustedFolder(paths.sandboxDir);
  const service = lifetimes.closeAtEnd(
    await openSandbox(paths.sandboxDir, {
      documents,
      failures,
      sealing: () => readSandboxSealing(variables, paths.configFile),
      mail,
      deliveryProxy: readDeliveryProxy(variables),
    }),
  );
  // The note is printed for programs as well, because what waits may never be sent.
  const note = (sentence: string) => {
    if (!settings.json) terminal.progress.note(sentence);
    else if (!settings.quiet && !core.result.hasFailed)
      streams.err.write(`${JSON.stringify({ note: sentence })}\n`);
  };
  if (service.isReadOnly) terminal.warnAlways('sandbox_read_only', READ_ONLY);
  const { abort } = interruption;
  lifetimes.closeAtEnd({ close: () => deliverBeforeEnd(service, { abort, note, failures }) });
  return service;
}

function createConnections(core: Core, sandbox: SandboxAccess): Connections {
  const { settings, streams, variables, paths, isCi, interruption, terminal, lifetimes, profile } = core;
  return {
    profile,
    connect: lifetimes.openOnce(async () => {
      const wanted = await profile();
      if (wanted.remote) {
        const { connectRemote } = await loadRemote();
        return connectRemote(wanted, wanted.remote, remotePartsOf(core, wanted));
      }
      if (isCi && wanted.isDefault) terminal.warnAlways('sandbox', SANDBOX_BY_DEFAULT);
      else terminal.progress.noteBeforeNext('Using the offline sandbox on this machine.');
      return sandbox.connect(wanted);
    }),
    async connectForCleanup() {
      const wanted = await profile();
      const decorate = async (transport: Transport) => transport;
      if (!wanted.remote) return sandbox.connect(wanted, decorate);
      const uninterrupted = { ...remotePartsOf(core, wanted), interruption: createInterruption(), decorate };
      const { connectRemote } = await loadRemote();
      return connectRemote(wanted, wanted.remote, uninterrupted);
    },
    sandbox: lifetimes.openOnce(async () =>
      sandbox.connect(await loadProfile({ sandbox: true }, variables, paths.configFile)),
    ),
    ...createServers(core, sandbox),
    async inspectSandbox({ deep }) {
      mustTrust(paths.sandboxDir);
      return inspectSandbox(paths.sandboxDir, { deep, signal: interruption.abort });
    },
    checkSealing: async () => (await sandbox.open()).checkSealing(),
    checkMail: async () => (await sandbox.open()).checkMail(),
    sandboxRoots: () => rootsOfSandbox(paths.sandboxDir),
    async connectWithoutLogin(wanted, token) {
      const { connectRemoteWithoutLogin } = await loadRemote();
      return connectRemoteWithoutLogin(wanted, remotePartsOf(core, wanted), token);
    },
    async access() {
      const wanted = await profile();
      if (!wanted.remote)
        throw cliError('sandbox_has_no_login', {
          sentence: 'The sandbox has no login, so there is no token to print.',
          hint: 'Create a token of the sandbox with `esign sandbox token --raw`, or specify a service with --profile NAME.',
        });
      const { accessOfRemote } = await loadRemote();
      return accessOfRemote(wanted, wanted.remote, remotePartsOf(core, wanted));
    },
    logins: lifetimes.openOnce(async () => (await loadLogins()).openLoginStore(core)),
    isAnswering: async (url) =>
      !settings.json && streams.err.isTerminal && url !== undefined && isListening(url),
  };
}

/** Replaces every connection by that of the caller, who may go away at any time. The command then ends before its next request. */
function connectionsOfCaller(
  connectAs: ConnectCaller,
  connections: Connections,
  { listen, checkpoint }: Interruption,
): Connections {
  listen();
  const connect = async () => connectAs(checkpoint) as SandboxConnection;
  return {
    ...connections,
    connect,
    connectForCleanup: async () => connectAs(() => undefined),
    sandbox: connect,
  };
}

const remotePartsOf = (core: Core, { name, remote }: Profile): RemoteParts => ({
  environment: core.environment,
  paths: core.paths,
  interruption: core.interruption,
  progress: core.terminal.progress,
  closeAtEnd: core.lifetimes.closeAtEnd,
  decorate: core.decorate,
  onAnswer: recordAnswers(core, name, remote?.baseUrl ?? SANDBOX),
});

type Servers = Pick<Connections, 'serveSandbox' | 'serveNewSandbox' | 'openTeamServer' | 'storeCopies'>;

/** What a command can serve, and the copies of stores. */
function createServers(core: Core, sandbox: SandboxAccess): Servers {
  const { settings, streams, environment, program, paths, documents, failures, office } = core;
  const { interruption, lifetimes } = core;
  const { variables, workingDir } = environment;
  return {
    async serveSandbox(options) {
      const service = await sandbox.open();
      const mcp = mcpAnswersFor(
        { program, office, isSandbox: true, isSendingAllowed: true },
        (token) => (beforeCall) => connectCaller(service, token, { isSandbox: true, beforeCall }),
      );
      return startSandboxServer(service, options, { settings, err: streams.err, failures, office, mcp });
    },
    async serveNewSandbox() {
      interruption.listen();
      return lifetimes.closeAtEnd(
        await serveNewSandbox({ settings, streams, environment, documents, failures, office }),
      );
    },
    async openTeamServer(options) {
      interruption.listen();
      return lifetimes.closeAtEnd(
        await openTeamServer(options, {
          variables,
          workingDir,
          paths,
          documents,
          office,
          version: program.version,
          err: streams.err,
          isQuiet: settings.quiet,
          mcp: (connect: McpHttpOptions['connect'], isSendingAllowed: boolean) =>
            mcpAnswersFor({ program, office, isSandbox: false, isSendingAllowed }, connect),
        }),
      );
    },
    storeCopies: () =>
      openStoreCopies({ variables, workingDir, paths, abort: interruption.abort }, interruption.listen),
  };
}

// ── history, prompts and the process ────────────────────────────────────────────────────────────────────────────

async function openStoredHistory({ paths, interruption, lifetimes }: Core): Promise<History> {
  fileMask();
  interruption.listen();
  return lifetimes.closeAtEnd(await openHistory(paths.historyFile, wallClockMs));
}

function createCommandHistory({ profile, recorder }: Core, open: () => Promise<History>): CommandHistory {
  return {
    open,
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
}

const createCommandPrompts = ({ settings, streams, variables, isCi, interruption, series, terminal }: Core) =>
  createPrompts({
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

function createProcessContext({
  environment,
  streams,
  paths,
  documents,
  interruption,
}: Core): ProcessContext {
  const { abort, checkpoint } = interruption;
  return {
    id: processId(),
    isAlive,
    environment,
    workingDir: environment.workingDir,
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
  const answers = lazily(async () => createMcpAnswers({ ...options, connect }));
  return {
    answer: async (...message) => (await answers.get()).answer(...message),
    close: async () => (await answers.ifMade())?.close(),
  };
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
  closeAtEnd: (closable: Closable) => unknown,
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
    closeAtEnd<T extends Closable>(closable: T): T {
      open.push(closable);
      return closable;
    },
    openOnce<T>(make: () => Promise<T>): () => Promise<T> {
      return once(() => {
        const result = make();
        opening.push(result);
        return result;
      });
    },
    async closeAll() {
      let failure: { error: unknown } | undefined;
      for (const closable of open.splice(0).reverse())
        await closable.close().catch((error: unknown) => {
          failure ??= { error };
        });
      if (failure) throw failure.error;
    },
  };
}

async function rootsOfSandbox(folder: string): ReturnType<Connections['sandboxRoots']> {
  return readSandboxRoots(folder);
}
