// Converts with LibreOffice: one document at a time, in parallel to all other work. Each conversion is a process group of its own that is
// killed as a whole when it takes too long; the system counts its processor time, so that a busy machine does not change what comes of a
// file. LibreOffice has no network and none of the user's files where the system can keep them from it. Its profile is new and in a private
// folder that is removed afterwards, so that no document leaves anything for the next one. What it prints is never read.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { ENGINE_LIMITS } from '../limits.ts';
import { measureSlowness } from './slowness.ts';
import { createWaitingLine } from './waiting-line.ts';

/** `failed` includes conversions that took too long. */
type OfficeAnswer = { pdf: Uint8Array } | 'failed' | 'busy';

export type OfficeWorker = {
  convert(docx: Uint8Array, owner: string): Promise<OfficeAnswer>;
  /** Ends the conversion in progress. All conversions reject with `reason`, or are answered with `busy` where none is given. */
  close(reason?: unknown): void;
};

type OfficeWorkerOptions = {
  program: string;
  /** It is processor time, of a machine that is not slow. */
  timeMs?: number | undefined;
  clockMs?: number | undefined;
  waitMs?: number | undefined;
};

export function createOfficeWorker({
  program,
  timeMs = ENGINE_LIMITS.officeMs,
  clockMs = ENGINE_LIMITS.officeClockMs,
  waitMs = ENGINE_LIMITS.waitMs,
}: OfficeWorkerOptions): OfficeWorker {
  let conversion: Conversion | undefined;
  let slowness: number | undefined;

  const line = createWaitingLine<Uint8Array, OfficeAnswer>({
    async run(docx) {
      slowness ??= measureSlowness();
      conversion = convertWithOffice(program, docx, { timeMs: timeMs * slowness, clockMs });
      const pdf = await conversion.pdf;
      return pdf ? { pdf } : 'failed';
    },
    busy: 'busy',
    waitMs,
  });

  return {
    convert: (docx, owner) => line.wait(docx, owner),
    close(reason) {
      line.close(reason);
      conversion?.kill();
    },
  };
}

type Conversion = {
  /** It is undefined when there is none: the conversion failed, or took too long. It rejects only when no folder can be made. */
  pdf: Promise<Uint8Array | undefined>;
  /** Kills it at once, with all processes that it has started. */
  kill(): void;
};

const KIB = 1024;
const BLOCK = 512;

// Limits of the system hold for whatever LibreOffice starts, that of processor time for each process: it works in one. The loop stays in
// the same group: should this process be gone before its time is over, the loop ends the group and removes the folder.
const GUARDED = `
ulimit -c 0; ulimit -v "$1"; ulimit -f "$2"; ulimit -t "$3"
seconds=$4; parent=$5; folder=$6; shift 6
(
  while [ "$seconds" -gt 0 ] && kill -0 "$parent"; do sleep 1; seconds=$((seconds - 1)); done
  rm -rf "$folder"
  kill -s KILL 0
) &
exec "$@"
`;

/** The system counts whole seconds of processors in `timeMs`. `clockMs` limits a program even if it does nothing. */
type OfficeTimes = { timeMs: number; clockMs: number };

function convertWithOffice(program: string, docx: Uint8Array, times: OfficeTimes): Conversion {
  let kill = () => {};
  let isKilled = false;
  const work = async (): Promise<Uint8Array | undefined> => {
    const folder = await mkdtemp(join(tmpdir(), `esign-office-${process.pid}-`));
    try {
      await prepare(folder, docx);
      const command = await isolationCommand(program, folder);
      if (isKilled) return undefined;
      const running = start(command, folder, times);
      kill = running.kill;
      const limit = setTimeout(kill, times.clockMs);
      await running.ended;
      clearTimeout(limit);
      // Also when it ended by itself: the loop that guards it has not.
      kill();
      return await readFile(join(folder, 'out', 'document.pdf')).catch(() => undefined);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return {
    pdf: work(),
    kill: () => {
      isKilled = true;
      kill();
    },
  };
}

async function prepare(folder: string, docx: Uint8Array): Promise<void> {
  for (const name of ['profile/user', 'in', 'home', 'tmp'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'profile', 'user', 'registrymodifications.xcu'), SETTINGS);
  await writeFile(join(folder, 'in', 'document.docx'), docx);
}

/** @param command the program, with what keeps it apart from network and files before it */
function start(
  command: readonly string[],
  folder: string,
  { timeMs, clockMs }: OfficeTimes,
): { ended: Promise<void>; kill(): void } {
  const limits = [
    ENGINE_LIMITS.officeBytes / KIB,
    ENGINE_LIMITS.officeFileBytes / BLOCK,
    Math.ceil(timeMs / 1000),
    Math.ceil(clockMs / 1000) + 5,
  ];
  const words = [
    ...command,
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
    ...[
      '--headless',
      '--norestore',
      '--nologo',
      '--nodefault',
      '--nolockcheck',
      '--convert-to',
      'pdf:writer_pdf_Export',
    ],
    ...['--outdir', join(folder, 'out'), join(folder, 'in', 'document.docx')],
  ];
  const child = spawn(
    '/bin/sh',
    ['-c', GUARDED, 'esign-office', ...limits.map(String), `${process.pid}`, folder, ...words],
    {
      cwd: folder,
      env: environmentFor(folder),
      stdio: 'ignore',
      // A process group of its own.
      detached: true,
    },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  };
  return { ended, kill };
}

/** The environment has no secrets and settings of the user, whose fonts alone it finds. Nothing answers at the address of the proxy. */
function environmentFor(folder: string): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    XDG_DATA_HOME: dataFolder(),
    LC_ALL: 'C.UTF-8',
    SAL_USE_VCLPLUGIN: 'svp',
    http_proxy: nowhere,
    https_proxy: nowhere,
    all_proxy: nowhere,
  };
}

const setting = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** Turns macros, updates of links and downloads off, and sets a proxy at whose address nothing answers. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${[
  setting('Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'),
  setting('Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'),
  setting('Office.Common/Security/Scripting', 'DisableActiveContent', 'true'),
  setting('Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'),
  setting('Office.Writer/Content/Update', 'Link', '0'),
  setting('Office.Common/Misc', 'FirstRun', 'false'),
  setting('Inet/Settings', 'ooInetProxyType', '2'),
  ...['HTTP', 'HTTPS', 'FTP'].flatMap((name) => [
    setting('Inet/Settings', `ooInet${name}ProxyName`, '127.0.0.1'),
    setting('Inet/Settings', `ooInet${name}ProxyPort`, '9'),
  ]),
  setting('Inet/Settings', 'ooInetNoProxy', ''),
].join('')}</oor:items>`;

/** The other two need no privileges in a user namespace: a network without an interface that is up, and mounts of its own. */
const APART = ['unshare', '--user', '--map-root-user', '--net', '--mount'];

// Hides the home of the user behind an empty folder, after its fonts are mounted read-only where the program looks for them. What the
// system does not allow is skipped.
const INSIDE = `
fonts=$1; place=$2; hidden=$3; shift 3
{
  if [ -d "$fonts" ] && mkdir -p "$place/fonts" && mount --bind "$fonts" "$place/fonts"; then
    mount -o remount,bind,ro "$place/fonts"
  fi
  if [ -n "$hidden" ] && mount -t tmpfs -o mode=700 tmpfs "$hidden"; then export XDG_DATA_HOME="$place"; fi
} 2> /dev/null
exec "$@"
`;

/** Builds the command that runs the program in isolation. @param folder its own, which stays in reach */
async function isolationCommand(program: string, folder: string): Promise<readonly string[]> {
  if (!(await canIsolate())) return [program];
  const home = await realpath(homeOfUser()).catch(() => undefined);
  const needed = await Promise.all([program, folder].map((path) => realpath(path).catch(() => path)));
  // A home that holds the program or its folder cannot be hidden from it.
  const isHidden = home !== undefined && home !== '/' && !needed.some((path) => isBelow(home, path));
  const place = join(folder, 'home', 'data');
  return [
    ...APART,
    '/bin/sh',
    '-c',
    INSIDE,
    'esign-office',
    join(dataFolder(), 'fonts'),
    place,
    isHidden ? home : '',
    program,
  ];
}

/** The fonts of the user are in this folder (XDG base directories). */
const dataFolder = (): string => process.env.XDG_DATA_HOME ?? join(homeOfUser(), '.local', 'share');

const homeOfUser = (): string => process.env.HOME || homedir();

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

let isolation: Promise<boolean> | undefined;

/** Tries it once: whether the system allows it depends on its version, its settings and its container. */
function canIsolate(): Promise<boolean> {
  isolation ??= process.platform === 'linux' ? succeeds([...APART, 'true']) : Promise.resolve(false);
  return isolation;
}

function succeeds([command = '', ...words]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', timeout: 5000 });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
