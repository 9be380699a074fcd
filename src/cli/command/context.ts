// What a command is given: a few named parts, each for one thing. A function of a command takes only the parts it uses
// (`Uses<'connections' | 'prompts'>`), so that a test makes no more than these.
import type { Client } from '../../api/client.ts';
import type { Environment } from '../../config/environment.ts';
import type { Paths } from '../../config/paths.ts';
import type { Profile } from '../../config/profile.ts';
import type { LoginStore } from '../../credentials/store.ts';
import type { History } from '../../history/history.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { KnownAccess } from '../connection/access-token.ts';
import type {
  Connection,
  SandboxConnection,
  SealingFinding,
  Serving,
  StoreFinding,
} from '../connection/connection.ts';
import type { Signal } from '../process/edges.ts';
import type { Seen } from '../recent/store.ts';
import type { Paint } from '../terminal/color.ts';
import type { Actions } from '../terminal/github-actions.ts';
import type { Filter } from '../terminal/jq.ts';
import type { PictureViewer } from '../terminal/pictures.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Prompts } from '../terminal/prompts.ts';
import type { Streams } from '../terminal/streams.ts';
import type { Configuration } from './configuration.ts';
import type { CommandDescription } from './description.ts';
import type { HelpSection } from './help-page.ts';
import type { Outcome } from './outcome.ts';
import type { Settings } from './settings.ts';

export type CommandContext = {
  /** The options that hold for every command, as they were given. */
  settings: Settings;
  /** The file of profiles. */
  config: Configuration;
  terminal: Terminal;
  prompts: Prompts;
  connections: Connections;
  history: CommandHistory;
  process: ProcessContext;
  program: ProgramDescription;
};

/** The parts of a context that a function uses. */
export type Uses<Part extends keyof CommandContext> = Pick<CommandContext, Part>;

export type Terminal = {
  streams: Streams;
  /** A person reads what is printed, at a terminal; not in CI, and not a program by `--json`. */
  isForPerson: boolean;
  /** Colours of stderr. */
  paint: Paint;
  progress: Progress;
  /** A warning that neither `--json` nor `--quiet` silences: without it somebody would believe what is not so. */
  warnAlways(code: string, sentence: string): void;
  /** Prints on stdout what is already known while the command goes on. */
  print(outcome: Outcome): Promise<void>;
  /** What `print` would write, without writing it. */
  draw(outcome: Outcome): Promise<string>;
  /** Opens an address in the browser of a person at a terminal; for anybody else it is not tried. Never fails. */
  browse(url: string): Promise<'opened' | 'failed' | 'not_tried'>;
  /** Shows pictures on stdout; undefined where nobody looks, and for a terminal that is not known to show any. */
  pictures(): Promise<PictureViewer | undefined>;
  /** What `--jq` makes of what is printed. */
  filter: Filter | undefined;
  /** Inside a job of GitHub Actions. */
  actions: Actions | undefined;
};

export type Connections = {
  /** The profile in use, before any request. */
  profile(): Promise<Profile>;
  /** The service that the profile names. */
  connect(): Promise<Connection>;
  /** The same service by a connection that a signal does not cut off: for removing what the command made there. */
  connectForCleanup(): Promise<Connection>;
  /** The sandbox of this machine, whatever the profile. */
  sandbox(): Promise<SandboxConnection>;
  /** What is found in the files of the sandbox; undefined when there are none. `deep` reads every byte. */
  inspectSandbox(options: { deep: boolean }): Promise<readonly StoreFinding[] | undefined>;
  /** Whether the sandbox can seal documents as it is set up to. */
  checkSealing(): Promise<SealingFinding>;
  /** Whether the sandbox can send mail as it is set up to. */
  checkMail(): Promise<SealingFinding>;
  /** The root certificates (DER) of the sandbox's authority on this machine. Makes no sandbox, and opens none to write. */
  sandboxRoots(): Promise<readonly Uint8Array[]>;
  /** Serves the sandbox; resolves when it answers. */
  serveSandbox(options: ServeOptions): Promise<Serving>;
  /** A client without a login, and without a token unless it is given one: what logging in takes. */
  visit(profile: Profile, token?: string): Promise<Client>;
  /** The tokens that the profile uses, for printing them. */
  access(): Promise<KnownAccess>;
  /** Where logins are kept. */
  logins(): Promise<LoginStore>;
  /** Whether anything answers at this address. Checked for a person at a terminal only; otherwise taken as no. */
  isAnswering(url: string | undefined): Promise<boolean>;
};

export type ServeOptions = {
  host: string | undefined;
  port: number | undefined;
  /** Leaves out the line for each request. */
  isSilent?: true;
};

export type CommandHistory = {
  /** Plans of `tx send` and their journal. */
  open(): Promise<History>;
  /**
   * What this machine has seen of the service that the profile names, or of its sandbox, last first. Makes no request.
   */
  seen(of?: { isOfSandbox: boolean }): Promise<RecentHere>;
  /** What this command is told of these does not change which was touched last. */
  keepPlaces(ids: readonly string[]): void;
  /** Records how a receiver answered an event that was forwarded to it, for the list of events. */
  markForwarded(of: { profile: string; service: string }, eventId: string, result: string): Promise<void>;
  /** Records that the service does not have this transaction any more. */
  markGone(transactionId: string): Promise<void>;
  /** Records what this command was told so far. For a command that waits: other terminals use `@` meanwhile. */
  saveSeen(): Promise<void>;
};

export type RecentHere = { profile: string; service: string; things: readonly Seen[] };

export type ProcessContext = {
  id: number;
  isAlive(pid: number): boolean;
  environment: Environment;
  workingDir: string;
  paths: Paths;
  /** Opens documents; a signal ends what it does. */
  documents: DocumentEngine;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Milliseconds for durations: setting the clock does not change it. */
  monotonicMs(): number;
  /** Throws Interrupted when a signal comes meanwhile. */
  pause(ms: number): Promise<void>;
  /** Aborted by a signal. */
  abort: AbortSignal;
  /** Throws Interrupted once a signal has come. */
  checkpoint(): void;
  /** Resolves with the signal that ends the command. */
  stopped: Promise<Signal>;
};

/** The program itself, for the commands that describe it. */
export type ProgramDescription = {
  version: string;
  /** What `esign help WORDS` prints. Throws CliError when the words name neither a command nor a topic. */
  help(words: readonly string[]): Promise<HelpSection[]>;
  commands(): Promise<CommandDescription[]>;
  /** Whether a word is the first of a command. */
  isCommand(word: string): boolean;
};
