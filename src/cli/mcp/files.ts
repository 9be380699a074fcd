// Which files the tools of the MCP server may use: those below its directories. A path is checked as it is written, so that nothing
// outside is even looked at, and then as the system resolves it, because a link may lead out.
import { realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { cliError } from '../command/errors.ts';
import { type FileReader, fileNotFound, pathWithNul } from '../input/files.ts';
import type { ToolAccess } from './tool.ts';

export type FileAccess = Pick<ToolAccess, 'readable' | 'writable'> & {
  /** The directory that relative paths begin at. */
  workingDir: string;
};

/** Adds the way to a copy. @param scratch makes the directory of the copy */
export const withCopies = (
  files: FileAccess,
  reader: Pick<FileReader, 'read'>,
  scratch: () => Promise<string>,
): Omit<ToolAccess, 'scratch'> => ({
  ...files,
  async copied(file) {
    const path = await files.readable(file);
    const bytes = await reader.read(path);
    const copy = join(await scratch(), basename(path));
    await writeFile(copy, bytes);
    return copy;
  },
});

/** @param typed the directories as the user named them; none: the working directory */
export async function openFileAccess(workingDir: string, typed: readonly string[]): Promise<FileAccess> {
  const roots = await Promise.all(
    (typed.length > 0 ? typed : ['.']).map((path) => realRoot(workingDir, path)),
  );
  const [first = workingDir] = roots;
  const written = (path: string): string => {
    const whole = resolve(first, path);
    if (path.includes('\0')) throw pathWithNul(path);
    if (!isBelow(roots, whole)) throw fileOutside(path, roots);
    return whole;
  };
  const mustBeBelow = (path: string, real: string): string => {
    if (!isBelow(roots, real)) throw fileOutside(path, roots);
    return real;
  };
  return {
    workingDir: first,
    async readable(file) {
      const path = String(file);
      const real = await realpath(written(path)).catch(() => {
        throw fileNotFound(path);
      });
      return mustBeBelow(path, real);
    },
    async writable(path) {
      const whole = written(path);
      // The command makes a missing directory, but none above it.
      const real = await realpath(whole).catch(async () =>
        join(await realpath(dirname(whole)).catch(() => dirname(whole)), basename(whole)),
      );
      return mustBeBelow(path, real);
    },
  };
}

const realRoot = (workingDir: string, path: string): Promise<string> =>
  realpath(resolve(workingDir, path)).catch(() => {
    throw cliError('root_unusable', {
      sentence: `The directory "${path}" of --root does not exist, or cannot be read.`,
      hint: 'Create it, or name another directory with --root.',
    });
  });

const fileOutside = (path: string, roots: readonly string[]) =>
  cliError('file_outside', {
    sentence: `The path "${path}" is outside of the directories of the MCP server: ${roots.join(', ')}.`,
    hint: 'Use a file below them, or start the server with `esign mcp --root DIR`.',
  });

const isBelow = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => {
    const way = relative(root, path);
    return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[/\\]/.test(way));
  });
