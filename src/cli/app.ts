// The composition root: builds, when a command first asks for it, what the command needs. The only file that knows
// the embedded service.
import type { Client } from '../api/client.ts';
import type { Transport } from '../api/transport.ts';
import { type Environment, variable } from '../config/environment.ts';
import { type Paths, pathsOf } from '../config/paths.ts';
import { loadProfile, type Profile, SANDBOX } from '../config/profile.ts';
import type { LoginStore } from '../credentials/store.ts';
import type { History } from '../history/history.ts';
import type { Seen } from '../history/seen.ts';
import type { Service } from '../service/service.ts';
import { type Configuration, configuration } from './configuration.ts';
import {
  fileMask,
  isAlive,
  nowMs,
  platform,
  processId,
  type Signal,
  stderrStream,
  stdinStream,
} from './edges.ts';
import { createInterruption, type Interruption } from './interruption.ts';
import { isListening } from './listening.ts';
import { createMemory, type Memory } from './memory.ts';
import type { Outcome } from './outcome.ts';
import type { RemoteParts } from './remote-parts.ts';
import type { Settings } from './settings.ts';
import { colorLevel, createPaint, type Paint } from './terminal/color.ts';
import type { Actions } from './terminal/github-actions.ts';
import { actionsOf, defusing } from './terminal/job.ts';
import { createPrompts, type Prompts } from './terminal/prompts.ts';
import { render } from './terminal/render.ts';
import type { Sink, Streams } from './terminal/streams.ts';
import { createTalk, type Talk } from './terminal/talk.ts';

export type Person = { name: string; email: string };

/** A service a command can speak to. */
export type Connection = {
  client: Client;
  profile: string;
  /** Tells services apart: the base address, or `sandbox`. */
  service: string;
  isSandbox: boolean;
  /** Base address of signing links, where it is known. */
  appUrl: string | undefined;
  /** Asked for at the login; the service grants no others. Undefined where that is not known. */
  scopes: readonly string[] | undefined;
  /** The dashboard, where it is known. */
  dashboardUrl: string | undefined;
  idempotency: boolean;
  /** For calls that no method of the client makes. */
  baseUrl: string;
  transport: Transport;
  /** Addresses of operations that the profile overrides. */
  routes: Profile['routes'];
  /** Of the sandbox: for the operations under /_sandbox/. */
  controlSecret?: string;
  /** `Name <email>` from environment or profile, not parsed. */
  sender: string | undefined;
  /** The user of the sandbox. */
  ownUser: Person | undefined;
};

export type ServeWish = { host: string | undefined; port: number | undefined };

export type App = {
  settings: Settings;
  version: string;
  paint: Paint;
  talk: Talk;
  prompts: Prompts;
  streams: Streams;
  workingDir: string;
  environment: Environment;
  /** The profile in use, before anything is spoken to. */
  profile(): Promise<Profile>;
  /** The service that the profile names. */
  connect(): Promise<Connection>;
  /** The sandbox of this machine, whatever the profile. */
  sandbox(): Promise<Connection & { origin: string }>;
  /** Serves the sandbox; resolves when it answers. */
  serveSandbox(wish: ServeWish): Promise<{ url: string; close(): Promise<void> }>;
  history(): Promise<History>;
  config: Configuration;
  /** Where logins are kept. */
  logins(): Promise<LoginStore>;
  /** Speaks to a service without a token: what logging in takes. */
  visit(profile: Profile): Promise<Client>;
  /** Aborted by a signal. */
  abort: AbortSignal;
  /** Opens an address in the browser of a person at a terminal; for anybody else it is not tried. Never fails. */
  browse(url: string): Promise<'opened' | 'failed' | 'not_tried'>;
  /** Whether somebody answers at this address. Asked for a person at a terminal only; otherwise taken as no. */
  isAnswering(url: string | undefined): Promise<boolean>;
  process: { id: number; isAlive(pid: number): boolean };
  /** Prints on stdout what is already known while the command goes on. */
  print(outcome: Outcome): Promise<void>;
  /** What `print` would write, without writing it. */
  draw(outcome: Outcome): Promise<string>;
  /** What this machine has seen of the service that the profile names, last first. Speaks to nobody. */
  seen(): Promise<SeenHere>;
  /** Remembers that the service does not have this transaction any more. */
  markGone(transactionId: string): Promise<void>;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Throws Interrupted when a signal comes meanwhile. */
  pause(ms: number): Promise<void>;
  paths: Paths;
  /** Throws Interrupted once a signal has come. */
  checkpoint(): void;
  /** Inside a job of GitHub Actions. */
  actions: Actions | undefined;
  /** Resolves with the signal that ends the command. */
  stopped: Promise<Signal>;
  stop(signal: Signal): void;
  close(): Promise<void>;
};

export type SeenHere = { profile: string; service: string; things: readonly Seen[] };

export type AppParts = { settings: Settings; streams: Streams; environment: Environment; version: string };

export async function createApp({ settings, streams, environment, version }: AppParts): Promise<App> {
  const { variables } = environment;
  const paths = pathsOf(environment);
  const isCi = variable(variables, 'CI') !== undefined && !/^(0|false)$/i.test(variables.CI ?? '');
  const isTalkative = !settings.json && !settings.quiet;
  const level = (isTerminal: boolean) => colorLevel(settings.color, isTerminal, variables);
  const [outPaint, errPaint] = [
    await createPaint(level(streams.out.isTerminal)),
    await createPaint(level(streams.err.isTerminal)),
  ];
  const interruption = createInterruption();
  const actions = settings.actions ? await actionsOf(variables, streams) : undefined;
  const talk = createTalk(actions ? defusing(streams.err, false) : streams.err, errPaint, {
    silent: !isTalkative,
    // On a terminal that does not know its width, ora clears lines for ever.
    spinner: streams.err.isTerminal && (streams.err.columns ?? 0) > 0 && !isCi && !settings.debug,
  });
  const opened: { close(): Promise<void> }[] = [];
  const opening: Promise<unknown>[] = [];
  const once = <T>(make: () => Promise<T>) => madeOnce(make, opening);
  const memory = createMemory(paths);
  const parts: Parts = {
    settings,
    environment,
    paths,
    interruption,
    streams,
    talk,
    opened,
    memory,
    version,
  };
  const history = once(() => openedHistory(parts));
  const service = once(() => openedService(parts));
  const remoteParts = ({ name, remote }: Profile): RemoteParts => ({
    environment,
    paths,
    interruption,
    talk,
    opened,
    decorate: (transport) => decorated(transport, parts),
    onAnswer: memory.noticing(name, remote?.baseUrl ?? SANDBOX),
  });
  return {
    settings,
    version,
    paint: errPaint,
    talk,
    prompts: createPrompts({
      canAsk: settings.input && !settings.json && !isCi && streams.isInputTerminal && streams.err.isTerminal,
      yes: settings.yes,
      input: stdinStream(),
      output: stderrStream(),
      signal: interruption.abort,
      paint: errPaint,
    }),
    streams,
    workingDir: environment.workingDir,
    environment,
    profile: () => loadProfile(settings, variables, paths.configFile),
    connect: once(async () => {
      const profile = await loadProfile(settings, variables, paths.configFile);
      if (profile.remote) {
        const { connectRemote } = await import('./remote-connection.ts');
        return connectRemote(profile, profile.remote, remoteParts(profile));
      }
      talk.later('sandbox: nothing leaves this machine');
      return connectSandbox(profile, await service(), parts);
    }),
    sandbox: once(async () => {
      const profile = await loadProfile({ sandbox: true }, variables, paths.configFile);
      return connectSandbox(profile, await service(), parts);
    }),
    serveSandbox: async (wish) => serveSandbox(parts, await service(), wish),
    history,
    config: configuration(parts, history),
    logins: once(async () => (await import('./logins.ts')).loginStoreOf(parts)),
    async visit(profile) {
      const { visitRemote } = await import('./remote-connection.ts');
      return visitRemote(profile, remoteParts(profile));
    },
    abort: interruption.abort,
    async browse(url) {
      if (settings.json || isCi || !streams.out.isTerminal || !streams.err.isTerminal) return 'not_tried';
      const { hasWindows, openInBrowser } = await import('./terminal/browser.ts');
      const command = variable(variables, 'ESIGN_BROWSER');
      if (command === undefined && !hasWindows(platform, variables)) return 'failed';
      return (await openInBrowser(url, command)) ? 'opened' : 'failed';
    },
    isAnswering: async (url) =>
      !settings.json && streams.err.isTerminal && url !== undefined && isListening(url),
    process: { id: processId(), isAlive },
    async print(outcome) {
      actions?.maskIn(outcome.json);
      const out = actions ? defusing(streams.out, settings.json) : streams.out;
      await print(outcome, { out, settings, outPaint, talk });
    },
    actions,
    async draw(outcome) {
      const { isTerminal, columns } = streams.out;
      const drawn: string[] = [];
      const out = { isTerminal, columns, write: (text: string) => void drawn.push(text) };
      await print({ ...outcome, notes: [] }, { out, settings, outPaint, talk });
      return drawn.join('');
    },
    seen: async () => {
      const { name: profile, remote } = await loadProfile(settings, variables, paths.configFile);
      const service = remote?.baseUrl ?? SANDBOX;
      return { profile, service, things: await memory.seen(profile, service) };
    },
    async markGone(id) {
      const { name, remote } = await loadProfile(settings, variables, paths.configFile);
      memory.markGone(name, remote?.baseUrl ?? SANDBOX, id);
    },
    clock: nowMs,
    pause: (ms) => pause(ms, interruption.abort),
    paths,
    checkpoint: interruption.checkpoint,
    stopped: interruption.stopped,
    stop: interruption.stop,
    async close() {
      await Promise.allSettled(opening);
      await memory.save();
      for (const one of opened.splice(0).reverse()) await one.close();
    },
  };
}

type Parts = {
  settings: Settings;
  environment: Environment;
  paths: Paths;
  interruption: Interruption;
  streams: Streams;
  opened: { close(): Promise<void> }[];
  memory: Memory;
  talk: Talk;
  version: string;
};

type Printing = { out: Sink; settings: Settings; outPaint: Paint; talk: Talk };

async function print(outcome: Outcome, { out, settings, outPaint, talk }: Printing): Promise<void> {
  talk.flush();
  await render(outcome, out, outPaint, { json: settings.json, select: settings.select, nowMs: nowMs() });
  const { notes = [] } = outcome;
  if (out.isTerminal && notes.length > 0) talk.note('');
  for (const note of notes) talk.note(note);
}

// ── the sandbox ─────────────────────────────────────────────────────────────────────────────────────────────────

async function openedService({ paths, opened }: Parts): Promise<Service> {
  fileMask();
  const { createService } = await import('../service/service.ts');
  const service = await createService({ dataDir: paths.sandboxDir });
  opened.push(service);
  return service;
}

async function connectSandbox(
  profile: Profile,
  service: Service,
  parts: Parts,
): Promise<Connection & { origin: string }> {
  const { createClient } = await import('../api/client.ts');
  const { withBearer } = await import('../api/transport.ts');
  const own = withBearer(service.transport, { token: () => service.ownToken });
  const transport = await decorated((call) => {
    parts.talk.flush();
    return own(call);
  }, parts);
  return {
    client: createClient({
      baseUrl: service.origin,
      transport,
      routes: profile.routes,
      controlSecret: service.controlSecret,
      onAnswer: parts.memory.noticing(SANDBOX, SANDBOX),
    }),
    profile: SANDBOX,
    service: SANDBOX,
    isSandbox: true,
    origin: service.origin,
    appUrl: service.origin,
    scopes: undefined,
    dashboardUrl: service.origin,
    idempotency: profile.idempotency,
    baseUrl: service.origin,
    transport,
    routes: profile.routes,
    controlSecret: service.controlSecret,
    sender: profile.sender,
    ownUser: service.sender,
  };
}

const LOOPBACK = '127.0.0.1';

async function serveSandbox({ settings, streams }: Parts, service: Service, wish: ServeWish) {
  const { serve } = await import('../service/server.ts');
  const { safeText } = await import('./terminal/safe-text.ts');
  return serve(service, {
    host: wish.host ?? LOOPBACK,
    port: wish.port ?? Number(new URL(service.origin).port),
    onRequest({ method, path, status, durationMs, requestId }) {
      if (!settings.quiet)
        streams.err.write(
          `${safeText(method)} ${safeText(path)} ${status} ${durationMs.toFixed(1)} ms ${requestId ?? ''}\n`,
        );
    },
  });
}

// ── what both have ──────────────────────────────────────────────────────────────────────────────────────────────

/** A signal ends the wait for an answer; `--debug` shows each exchange; ESIGN_FAULTS breaks some, in tests. */
async function decorated(
  transport: Transport,
  { environment, interruption, settings, streams }: Parts,
): Promise<Transport> {
  let chain = interruption.during(transport);
  const faults = environment.variables.ESIGN_FAULTS;
  if (faults) {
    const { faultsOf } = await import('./faults.ts');
    chain = faultsOf(faults)(chain);
  }
  if (!settings.debug) return chain;
  const { withTrace } = await import('../api/transport.ts');
  const { safeText } = await import('./terminal/safe-text.ts');
  return withTrace(chain, nowMs, ({ method, path, status, durationMs, requestId }) =>
    streams.err.write(
      `${method} ${safeText(path)} ${status ?? 'no answer'} ${durationMs} ms ${requestId ?? ''}\n`,
    ),
  );
}

async function openedHistory({ paths, opened }: Parts): Promise<History> {
  fileMask();
  const { openHistory } = await import('../history/history.ts');
  const history = await openHistory(paths.historyFile, nowMs);
  opened.push(history);
  return history;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  await sleep(ms, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}

/** @param begun gets the promise of whatever was begun, so that nothing is left half open */
function madeOnce<T>(make: () => Promise<T>, begun: Promise<unknown>[]): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (!made) {
      made = make();
      begun.push(made);
    }
    return made;
  };
}
