// Decides whether only the user could have written a folder of this program, whose files are read as code, settings or
// secrets, and makes such folders. It checks every folder up to the root, because the owner of any can replace everything below it.
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, parse, resolve, sep } from 'node:path';

export type SystemUser = { id: number; homeDir: string };

/** @property path what is at fault: the folder, or one above it. @property why continues "it …" */
type Distrust = { path: string; why: string; hint: string };

/** Thrown for a directory or file of this program that another user could have written. */
export class UntrustedError extends Error {
  override name = 'UntrustedError';
  readonly code = 'not_trusted';
  readonly why: string;
  readonly hint: string;

  constructor(kind: 'directory' | 'file', path: string, distrust: Distrust) {
    const subject = distrust.path === path ? 'it' : distrust.path;
    super(`The ${kind} ${path} is not used because ${subject} ${distrust.why}.`);
    this.why = distrust.why;
    this.hint = distrust.hint;
  }
}

/**
 * Returns the user of the process; undefined on Windows, which has no such owners and modes; there the path decides.
 */
export function currentUser(): SystemUser | undefined {
  const id = process.geteuid?.();
  return id === undefined ? undefined : { id, homeDir: homedir() };
}

/** Checks a folder. @throws UntrustedError */
export function mustTrust(folder: string, user = currentUser()): void {
  const distrust = distrustOf(folder, user);
  if (distrust) throw new UntrustedError('directory', folder, distrust);
}

/**
 * Says why a folder is not trusted. Undefined when it is, or when it is missing and no other user can make it, and for a folder
 * that cannot be inspected: reading it then throws the system's error.
 */
export function distrustOf(folder: string, user = currentUser()): Distrust | undefined {
  if (!user) return undefined;
  try {
    return distrustOfOwners(resolve(folder), user) ?? distrustOfRepository(resolve(folder), user.homeDir);
  } catch {
    return undefined;
  }
}

/**
 * Says why others could have written a file; undefined when only the user and root could.
 * @param isGroupTrusted trusts a group that may write, because it works with the user on the project of the file
 */
export function otherWriters(stats: Stats, user: SystemUser, isGroupTrusted = false): string | undefined {
  if (stats.uid !== user.id && stats.uid !== 0) return `belongs to another user (uid ${stats.uid})`;
  const isOfGroup = (stats.mode & 0o020) !== 0 && !isGroupTrusted && !isPrivateGroup(stats.gid, user.id);
  return isOfGroup || (stats.mode & 0o002) !== 0 ? 'can be changed by other users' : undefined;
}

const MOST_LINKS = 40;
const STICKY = 0o1000;

/** Follows the path from the root, through links, as the system does. */
function distrustOfOwners(folder: string, user: SystemUser): Distrust | undefined {
  const root = parse(folder).root;
  const rest = partsOf(folder.slice(root.length));
  let at = root;
  let links = 0;
  let distrust = distrustOfOne(at, lstatSync(at), { isLast: rest.length === 0, user });
  while (!distrust && rest.length > 0) {
    const next = resolve(at, rest.shift() ?? '');
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats) return undefined;
    distrust = distrustOfOne(next, stats, { isLast: rest.length === 0, user });
    if (!stats.isSymbolicLink()) at = next;
    else {
      links += 1;
      if (links > MOST_LINKS) return undefined;
      const target = resolve(at, readlinkSync(next));
      at = parse(target).root;
      rest.unshift(...partsOf(target.slice(at.length)));
    }
  }
  return distrust;
}

const partsOf = (path: string): string[] => path.split(sep).filter((part) => part !== '');

function distrustOfOne(
  path: string,
  stats: Stats,
  { isLast, user }: { isLast: boolean; user: SystemUser },
): Distrust | undefined {
  // In /tmp every user may make entries, but not replace those of others. The mode of a link has no meaning.
  const isHarmless = stats.isSymbolicLink() || (!isLast && (stats.mode & STICKY) !== 0);
  const why = otherWriters(isHarmless ? withoutWriters(stats) : stats, user);
  if (why === undefined) return undefined;
  const isForeign = stats.uid !== user.id && stats.uid !== 0;
  const elsewhere =
    'set ESIGN_HOME to a directory that only you can change (in a CI job, for example, to one that `mktemp -d` creates)';
  return {
    path,
    why,
    hint: isForeign
      ? `${elsewhere.charAt(0).toUpperCase()}${elsewhere.slice(1)}.`
      : `Remove their access with \`chmod go-w '${path.replaceAll("'", `'\\''`)}'\`, or ${elsewhere}.`,
  };
}

const withoutWriters = (stats: Stats): Stats =>
  Object.assign(Object.create(stats), { mode: stats.mode & ~0o022 });

/**
 * Distrusts a folder inside of a clone, which has files that others wrote although the user owns them. A home directory that is
 * itself a repository is trusted.
 */
function distrustOfRepository(folder: string, homeDir: string): Distrust | undefined {
  for (let at = folder; at !== homeDir && dirname(at) !== at; at = dirname(at)) {
    if (!lstatSync(join(at, '.git'), { throwIfNoEntry: false })) continue;
    // In /tmp any user may have made it.
    if ((lstatSync(at).mode & STICKY) !== 0) continue;
    return {
      path: folder,
      why: `is inside the Git working tree ${at}, whose files may come from someone else`,
      hint: 'Set ESIGN_HOME to a directory outside of it.',
    };
  }
  return undefined;
}

/** Recognizes the group of one user that many systems make: /etc/group names it after the user, without other members. */
function isPrivateGroup(groupId: number, userId: number): boolean {
  try {
    const group = linesOf('/etc/group').find(([, , id]) => id === String(groupId));
    const users = linesOf('/etc/passwd').filter(([, , , id]) => id === String(groupId));
    const [name = '', , , members = ''] = group ?? [];
    const isNamed = users.length === 1 && users[0]?.[0] === name && users[0]?.[2] === String(userId);
    return isNamed && (members === '' || members === name);
  } catch {
    return false;
  }
}

const linesOf = (file: string): string[][] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));

const PRIVATE = 0o700;

/**
 * Makes a folder step by step, because the recursive mkdir of Node tries for ever where a parent exists and nothing can be made
 * in it (as under /proc). Throws the system's error.
 */
export function makeFolder(path: string): void {
  if (tryMake(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  // Another process may have made it, and a parent may have been removed.
  if (!tryMake(path)) mkdirSync(path, { mode: PRIVATE });
}

/**
 * Makes a folder only where no other user can write, and checks that again afterwards: in /tmp another user may have made it first.
 * @throws UntrustedError, or the system's error
 */
export function makeTrustedFolder(path: string): void {
  mustTrust(path);
  if (existsSync(path)) return;
  makeFolder(path);
  mustTrust(path);
}

/** Makes one folder. @returns false only when a parent is missing */
function tryMake(path: string): boolean {
  try {
    mkdirSync(path, { mode: PRIVATE });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
