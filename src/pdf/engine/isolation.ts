// Isolates a program from the network and from the files of the user, in Linux namespaces where unprivileged programs may create
// them. Elsewhere the program runs without them; its checked input, its profile and its proxy then have to suffice (decision 0014).
import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import process from 'node:process';

/** A user namespace, in which the other two need no privileges: a network without an interface that is up, and mounts of its own. */
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

/**
 * Builds the command that runs the program in isolation.
 * @param folder its own, which stays in reach
 */
export async function isolationCommand(program: string, folder: string): Promise<readonly string[]> {
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

/** Where fonts of the user are (XDG base directories). */
export const dataFolder = (): string => process.env.XDG_DATA_HOME ?? join(homeOfUser(), '.local', 'share');

const homeOfUser = (): string => process.env.HOME || homedir();

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

let known: Promise<boolean> | undefined;

/** Tries it once: whether the system allows it depends on its version, its settings and its container. */
function canIsolate(): Promise<boolean> {
  known ??= process.platform === 'linux' ? succeeds([...APART, 'true']) : Promise.resolve(false);
  return known;
}

function succeeds([command = '', ...words]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', timeout: 5000 });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
