// A connection to a service, remote or the sandbox in this process, as a command uses it.
import type { Client } from '../../api/client.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import type { ServiceAddresses } from '../../api/contract/service-address.ts';
import type { Transport } from '../../api/transport.ts';
import type { Profile } from '../../config/profile.ts';
import type { Person } from '../input/person.ts';

export type Connection = {
  client: Client;
  profile: string;
  /** Tells services apart: the base address, or `sandbox`. */
  service: string;
  isSandbox: boolean;
  /** Base address of signing links, where it is known. */
  appUrl: string | undefined;
  /** The scopes of the login; the service grants no others. Undefined where they are not known. */
  scopes: readonly string[] | undefined;
  /** The dashboard, where it is known. */
  dashboardUrl: string | undefined;
  /** Requests both addresses, of a remote service. Undefined where it does not tell. */
  requestAddresses?: (() => Promise<ServiceAddresses | undefined>) | undefined;
  idempotency: boolean;
  takesFieldValues: boolean;
  takesPreparations: boolean;
  makesRecipientIds: boolean;
  /** For calls that no method of the client makes. */
  baseUrl: string;
  transport: Transport;
  /** Addresses of operations that the profile overrides. */
  routes: Profile['routes'];
  /** Of the sandbox: for the operations under /_sandbox/. */
  controlSecret?: string;
  /** `Name <email>` from environment or profile, not parsed. */
  sender: string | undefined;
  /** The user of the sandbox, or of a stored login whose service told it. */
  ownUser: Person | undefined;
  /** True where the service did not say at the login who the user is. */
  isUserUntold?: boolean;
  /** Requests the user of the access token, of a remote service. Undefined where it does not tell. */
  requestOwnUser?: (() => Promise<Person | undefined>) | undefined;
  /** Emails that the service has refused as the sender of the login in use. */
  refusedSenders?: readonly string[] | undefined;
  /** Stores one more, where there is a stored login. */
  rememberRefusedSender?: ((email: string) => Promise<void>) | undefined;
  /** Checks field properties before there is a transaction, in the sandbox only. The paths are those of a request. */
  fieldErrors?: (fields: readonly object[]) => Promise<readonly FieldError[]>;
};

export type SandboxConnection = Connection & { origin: string };

/** A sandbox that one command made for itself, and serves. */
export type NewSandbox = Pick<SandboxConnection, 'client' | 'transport' | 'baseUrl' | 'fieldErrors'> & {
  url: string;
  /** The user of its access tokens. */
  ownUser: SandboxConnection['ownUser'];
  /** ESIGN_HOME of programs that use it. */
  home: string;
  /** Its root certificate in PEM. */
  rootFile: string;
  /** Stops serving it and deletes it. */
  close(): Promise<void>;
};

/** The result of a check of the files of a sandbox. */
export type SandboxFileFinding = {
  part: 'store' | 'documents' | 'space';
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string | undefined;
};

export type SettingsFinding = {
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string | undefined;
  /** Another server does not answer now: nothing is wrong with the settings. */
  isTemporary?: boolean;
};

/** A team server on its database, which it has opened. It serves nothing yet. */
export type TeamServer = {
  installation: string;
  /** Whether transactions were made with it before. */
  hasServed: boolean;
  /** Names of the migrations that are still to be run. Until then, nothing can be changed. */
  missingMigrations(): readonly string[];
  /** Runs them. */
  migrate(): Promise<void>;
  /** The address under which people reach it. */
  origin: string;
  /** The database, without a password. */
  database: string;
  /** Such as `15.18`. */
  databaseVersion: string;
  /** The folder for copies of files. */
  folder: string;
  /** The file with the key; undefined where it is in a variable. */
  keyFile: string | undefined;
  /** Checks that may fail. */
  allow: readonly string[];
  /** Checks that must not even warn. */
  required: readonly string[];
  /** How far the clock of this machine is ahead of that of the database, in milliseconds. */
  clockAheadMs: number;
  /** How many processes are to serve. */
  workers: number;
  /** Writes a warning of a check to the log. */
  warn(check: string, message: string): void;
  /** Writes to the log what happened to the server. */
  note(level: 'info' | 'error', message: string): void;
  checkSealing(): Promise<SettingsFinding>;
  /** @param to where a letter is sent to; without it, nothing is sent */
  checkMail(to?: string): Promise<SettingsFinding>;
  /** Writes, reads and removes a small object, where files are in a bucket. @throws StoreError, UnavailableError */
  checkBlobs(): Promise<SettingsFinding>;
  /** Checks that the origin leads to this installation, and what its proxy reports. */
  checkProxy(): Promise<SettingsFinding>;
  /** The root of the authority that seals where no certificate is configured. */
  root(): Promise<{ name: string; pem: string; sha256: string; valid_from: string; valid_to: string }>;
  users: TeamUsers;
  serve(options: TeamServeOptions): Promise<SandboxServer>;
  /** Rejects with the system's error where an address to listen on, or the one of the metrics, is not free. */
  reservePorts(): Promise<void>;
  /** Tells nodes of an older version that a node of this one serves: they end. */
  announceServing(): Promise<void>;
  /** The address that it listens on, with a port that the system chose. */
  urlAt(port: number): string;
  /** Serves the metrics of all workers of this process; undefined where no metrics are configured. */
  serveWorkerMetrics(): Promise<{ close(): Promise<void> } | undefined>;
  close(): Promise<void>;
};

/** Copies whole stores: sandboxes and databases of team servers. A place is a directory or the URL of a database. */
export type StoreCopies = {
  copy(from: string | undefined, target: CopyTarget, keyFile: string | undefined): Promise<StoreCopyResult>;
  /** @param file is replaced where it exists */
  backUp(from: string | undefined, file: string): Promise<StoreCopyResult>;
  restore(file: string, target: CopyTarget, keyFile: string | undefined): Promise<StoreCopyResult>;
  /** Writes the sandbox of this machine to a file, which is replaced where it exists. */
  exportSandbox(file: string, options: { secrets: boolean }): Promise<SandboxFileResult>;
  importSandbox(file: string, options: SandboxImportOptions): Promise<SandboxImportResult>;
};

export type SandboxImportOptions = {
  /** Whether the sandbox of this machine may have data, which is lost. */
  replaces: boolean;
  /** Whether another certificate authority in the file is to replace that of the sandbox. @param sha256 of its root */
  wantsAuthority(sha256: string): Promise<boolean>;
};

export type SandboxFileResult = Pick<StoreCopyResult, 'tables' | 'blobs'> & {
  /** The path of the file. */
  file: string;
  /** Whether it has secrets. */
  secrets: boolean;
};

/** `not_imported`: the file has another certificate authority, and the sandbox keeps its own. */
export type SandboxImportResult = SandboxFileResult & { authority: 'kept' | 'not_imported' | 'imported' };

/** `blobs` is the bucket for the files of a database, `s3://BUCKET[/PREFIX]`. */
export type CopyTarget = { to: string; blobs: string | undefined };

export type StoreCopyResult = {
  /** A directory, a file, or a database without a password. */
  from: string;
  to: string;
  isToDatabase: boolean;
  /** The fingerprint of the key. */
  key: string;
  /** Of the target; undefined for a file, and for a sandbox that was never a team server. */
  installation: string | undefined;
  tables: readonly { name: string; rows: number; sha256: string }[];
  blobs: { count: number; bytes: number; sha256: string };
};

export type TeamUser = { id: string; name: string; email: string; company: string; created_at: string };

export type TeamUsers = {
  /** @returns undefined where a user has this email address already */
  add(
    user: Pick<TeamUser, 'name' | 'email' | 'company'> & { password: string },
  ): Promise<TeamUser | undefined>;
  /** `can_sign_in` says whether the user has a password. */
  list(): Promise<(TeamUser & { can_sign_in: boolean })[]>;
  /**
   * Sets a password, and ends the sessions of the user.
   * @param password is generated where it is undefined, and only then returned
   * @returns undefined where no user has this email address
   */
  setPassword(
    email: string,
    password: string | undefined,
  ): Promise<{ email: string; password?: string } | undefined>;
  /**
   * Ends all access of a user until a password is set.
   * @returns how many sessions and tokens ended; undefined where no user has this email address
   */
  disable(
    email: string,
  ): Promise<(Pick<TeamUser, 'id' | 'email'> & { sessions: number; tokens: number }) | undefined>;
};

export type TeamServeOptions = {
  /** Names of checks that warned at the start, for those who ask whether the node is ready. */
  warnings: readonly string[];
  /** False while it ends: load balancers then send no more requests. */
  isReady(): boolean;
};

export type SandboxServer = {
  url: string;
  close(): Promise<void>;
  /** Resolves when the sandbox can do nothing more, with the reason. */
  failed: Promise<Error>;
  /** Other machines can connect to it. */
  isOpenToOthers: boolean;
};
