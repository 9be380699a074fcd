// The context that a command receives: a few named parts, each for one thing. A function of a command takes only the parts it
// uses (`Uses<'connections' | 'prompts'>`), so that a test makes no more than these.

import type { Client } from '../../api/client.ts';
import type { Instant } from '../../common/instant.ts';
import type { Environment, Paths } from '../../config/environment.ts';
import type { Profile } from '../../config/profile.ts';
import type { TypedServeOptions } from '../../config/serve.ts';
import type { LoginStore } from '../../credentials/store.ts';
import type { History } from '../../history/history.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { KnownAccess } from '../connection/access-token.ts';
import type {
  Connection,
  NewSandbox,
  SandboxConnection,
  SandboxFileFinding,
  SandboxServer,
  SettingsFinding,
  StoreCopies,
  TeamServer,
} from '../connection/connection.ts';
import type { Signal } from '../process/edges.ts';
import type { SeenItem } from '../recent/store.ts';
import type { Paint } from '../terminal/color.ts';
import type { Actions } from '../terminal/github-actions.ts';
import type { Filter } from '../terminal/jq.ts';
import type { PictureViewer } from '../terminal/pictures.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Prompts } from '../terminal/prompts.ts';
import type { Streams } from '../terminal/streams.ts';
import type { Configuration } from './configuration.ts';
import type { CommandDescription } from './description.ts';
import type { HelpDetail, HelpSection } from './help-page.ts';
import type { JsonSchema } from './json-output.ts';
import type { Outcome } from './outcome.ts';
import type { Settings } from './settings.ts';

export type CommandContext = {
  /** The options of every command, as they were given. */
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

/** A function names the parts of a context that it uses. */
export type Uses<Part extends keyof CommandContext> = Pick<CommandContext, Part>;

export type Terminal = {
  streams: Streams;
  /** True when a person reads the output at a terminal; false in CI and with `--json`. */
  isForPerson: boolean;
  /** Colors of stderr. */
  paint: Paint;
  progress: Progress;
  /** Prints lines that a person needs for the answer to a question, with `--quiet` as well. Items of a list begin with blanks. */
  showAlways(lines: readonly string[]): void;
  /** Prints a warning that neither `--json` nor `--quiet` silences, because the output would mislead the user without it. */
  warnAlways(code: string, sentence: string): void;
  /** Prints on stdout what is already known while the command continues. */
  print(outcome: Outcome): Promise<void>;
  /** Shows times relative to this one, of a sandbox whose clock was moved, and says so on every page. */
  showTimesAt(now: Instant): void;
  /** What `print` would write, without writing it. */
  draw(outcome: Outcome): Promise<string>;
  /** Opens an address in the browser for a person at a terminal; does not try it for a program. Never fails. */
  browse(url: string): Promise<'opened' | 'failed' | 'not_tried'>;
  /** Shows pictures on stdout; undefined without a terminal, and for a terminal that is not known to show any. */
  pictures(): Promise<PictureViewer | undefined>;
  /** The filter of `--jq`. */
  filter: Filter | undefined;
  /** Set inside a job of GitHub Actions. */
  actions: Actions | undefined;
};

export type Connections = {
  /** The profile in use, before any request. */
  profile(): Promise<Profile>;
  /** The service that the profile names. */
  connect(): Promise<Connection>;
  /** Connects to the same service in a way that a signal does not interrupt, for removing what the command made there. */
  connectForCleanup(): Promise<Connection>;
  /** The sandbox of this machine, whatever the profile. */
  sandbox(): Promise<SandboxConnection>;
  /** Checks the files of the sandbox; undefined when there are none. `deep` reads every byte. */
  inspectSandbox(options: { deep: boolean }): Promise<readonly SandboxFileFinding[] | undefined>;
  /** Whether the sandbox can seal documents as it is set up to. */
  checkSealing(): Promise<SettingsFinding>;
  /** Whether the sandbox can send mail as it is set up to. */
  checkMail(): Promise<SettingsFinding>;
  /**
   * Reads the root certificates (DER) of the sandbox's authority on this machine. Makes no sandbox, and opens none to write.
   * `importedAt` is a day, where somebody imported the authority from a file.
   */
  sandboxRoots(): Promise<{ certificates: readonly Uint8Array[]; importedAt: string | undefined }>;
  /** Serves the sandbox; resolves when it answers. */
  serveSandbox(options: SandboxServeOptions): Promise<SandboxServer>;
  /** Makes an empty sandbox and serves it on a free port. `close` deletes it. */
  serveNewSandbox(): Promise<NewSandbox>;
  /** Opens the team server that the options and the variables ESIGN_SERVE_* describe. */
  openTeamServer(options: TypedServeOptions): Promise<TeamServer>;
  /** What copies, backs up and restores whole stores. It opens none. */
  storeCopies(): Promise<StoreCopies>;
  /** Makes a client without a login, as logging in needs it. It sends no token unless it receives one here. */
  connectWithoutLogin(profile: Profile, token?: string): Promise<Client>;
  /** The tokens that the profile uses, for printing them. */
  access(): Promise<KnownAccess>;
  /** Where logins are kept. */
  logins(): Promise<LoginStore>;
  /** Checks whether anything answers at this address, for a person at a terminal only; otherwise the answer is no. */
  isAnswering(url: string | undefined): Promise<boolean>;
};

export type SandboxServeOptions = {
  host: string | undefined;
  port: number | undefined;
  /** The URL under which people and programs reach the sandbox, where it is not the one that it listens on. */
  origin?: string | undefined;
  /** Omits the line for each request. */
  isSilent?: true;
};

export type CommandHistory = {
  /** Plans of `tx send` and their journal. */
  open(): Promise<History>;
  /**
   * Reads what this machine has seen of the service that the profile names, or of its sandbox, last first. Makes no request.
   */
  recentItems(of?: { isOfSandbox: boolean }): Promise<RecentItems>;
  /** Makes answers about these ids not change which was touched last. */
  keepOrder(ids: readonly string[]): void;
  /** Records how a receiver answered an event that was forwarded to it, for the list of events. */
  markForwarded(of: { profile: string; service: string }, eventId: string, result: string): Promise<void>;
  /** Records that the service does not have this transaction any more. */
  markGone(transactionId: string): Promise<void>;
  /** Records the answers that this command has received so far. For a command that waits: other terminals use `@` meanwhile. */
  saveRecent(): Promise<void>;
};

export type RecentItems = { profile: string; service: string; things: readonly SeenItem[] };

export type ProcessContext = {
  id: number;
  isAlive(pid: number): boolean;
  environment: Environment;
  workingDir: string;
  /** Standard input as a stream of Node. */
  input(): NodeJS.ReadableStream;
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
  /** Does work that leaves nothing half done and cannot be interrupted: the system ends the process at a signal meanwhile. */
  computing<T>(work: () => T): T;
  /** Resolves with the signal that ends the command. */
  stopped: Promise<Signal>;
  /**
   * Hands signals to another program instead of ending the command, until the function that it returns is called.
   * @param to learns whether a terminal sent the signal, to the other program as well
   */
  passSignals(to: (signal: Signal, isFromTerminal: boolean) => void): () => void;
};

/** Commands describe the program with this. */
export type ProgramDescription = {
  version: string;
  /** What `esign help WORDS` prints. Throws CliError when the words name neither a command nor a topic. */
  help(words: readonly string[], detail?: HelpDetail): Promise<HelpSection[]>;
  commands(): Promise<CommandDescription[]>;
  /** The JSON Schema of what a command prints; undefined where the words name none, or it prints nothing of its own. */
  jsonSchema(words: readonly string[]): Promise<JsonSchema | undefined>;
  /** Whether a word is the first of a command. */
  isCommand(word: string): boolean;
  /** Runs another command, which prints and asks nothing. Rejects with what that command throws. */
  runCommand(call: CommandCall): Promise<CommandAnswer>;
};

/** The input is as the parser would give it; what is absent has its default. */
export type CommandCall = {
  path: readonly string[];
  args: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
  /** Undefined for the sandbox. */
  profile: string | undefined;
  /** Answers every confirmation with yes, as `--yes` does. */
  isConfirmed: boolean;
  /** The digest of what a person has confirmed (command/confirmed.ts). */
  confirmed?: string | undefined;
  workingDir: string;
  /** Ends the command as a signal would. */
  signal: AbortSignal;
  /** Who calls the service of this process: replaces what the command would connect to, and everything of the machine that it would read. */
  caller?: { connect: ConnectCaller; environment: Environment };
};

/** Connects a caller of the service of this process. @param beforeCall called before each request; where it throws, none is made */
export type ConnectCaller = (beforeCall: () => void) => Connection;

export type CommandAnswer = { json: unknown; exit: number };
