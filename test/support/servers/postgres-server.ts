// Starts a real PostgreSQL on a free port, with a data folder of its own, as an ordinary user (it refuses to run as root).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Need, need } from '../tools.ts';
import { freePort } from './ports.ts';

/** A server of which only databases are used. */
export type PostgresAccess = {
  /** Makes a database, empty or as a copy of another one. @returns its URL, as its owner */
  createDatabase(template?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** Runs one statement as the superuser; without a URL, in the database `postgres`. */
  run<Row = Record<string, unknown>>(text: string, url?: string): Promise<Row[]>;
};

export type PostgresServer = PostgresAccess & {
  port: number;
  folder: string;
  /** Ends it without a checkpoint, as a crash would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

const DEBIAN = '/usr/lib/postgresql';

/** Debian keeps the server's programs out of PATH, in a folder for each version. */
function programFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

export const needsPostgres = (): Need =>
  need('PostgreSQL is not installed', () => programFolder() !== undefined);

const OWNER = 'esign';

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Uses a server on this port. */
export function accessPostgres(port: number): PostgresAccess {
  const urlOf = (database: string, user = OWNER) => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const run: PostgresAccess['run'] = async <Row>(text: string, url = urlOf('postgres')) => {
    const address = new URL(url);
    address.username = 'postgres';
    const client = new pg.Client({ connectionString: address.href });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  return {
    run,
    async createDatabase(template) {
      const name = `esign_${randomBytes(6).toString('hex')}`;
      const copied = template === undefined ? '' : ` template ${nameOf(template)}`;
      await run(`create database ${name} owner ${OWNER}${copied}`);
      return urlOf(name);
    },
    async dropDatabase(url) {
      await run(`drop database if exists ${nameOf(url)} with (force)`);
    },
  };
}

const UNPRIVILEGED = 'nobody';

type Ids = { uid?: number; gid?: number };

/** Returns the IDs of an unprivileged account, where this process is root. */
function ordinaryUser(): Ids {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(spawnSync('id', [option, UNPRIVILEGED]).stdout.toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function requirePrograms(): string {
  const programs = programFolder();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  return programs;
}

/** Makes a folder with an empty folder `data`, of the user who runs the server. */
async function makeFolder({ uid, gid }: Ids): Promise<string> {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) for (const path of [folder, data]) chownSync(path, uid, gid);
  return folder;
}

/** Fills the folder `data` by a program of PostgreSQL. */
function fill(folder: string, ids: Ids, program: string, options: readonly string[]): void {
  const made = spawnSync(join(requirePrograms(), program), [...options, '-D', join(folder, 'data')], {
    ...ids,
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}`);
}

/** @param settings of `postgresql.conf`, where they differ from its defaults */
export async function startPostgresServer(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const ids = ordinaryUser();
  const folder = await makeFolder(ids);
  fill(folder, ids, 'initdb', ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const server = await startIn(folder, ids, settings);
  await server.run(`create role ${OWNER} login`);
  return server;
}

/** Starts a server that copies everything from another one, and is read-only until it is promoted. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const ids = ordinaryUser();
  const folder = await makeFolder(ids);
  const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres'];
  fill(folder, ids, 'pg_basebackup', [...from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
  return startIn(folder, ids, {});
}

async function startIn(folder: string, ids: Ids, settings: Record<string, string>): Promise<PostgresServer> {
  const port = await freePort();
  const flags = Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;
  const access = accessPostgres(port);
  const start = async () => {
    const words = ['-D', join(folder, 'data'), '-p', `${port}`, ...flags];
    const started = spawn(join(requirePrograms(), 'postgres'), words, {
      ...ids,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    started.stderr?.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-4000);
    });
    child = started;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`);
      const answers = await access.run('select 1').catch(() => undefined);
      if (answers) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  /** SIGINT ends all connections and writes a checkpoint; SIGQUIT does not, so that the next start recovers. */
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    ...access,
    port,
    folder,
    start,
    async crash() {
      await end('SIGQUIT');
      await start();
    },
    stop: () => end('SIGINT'),
    async close() {
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
