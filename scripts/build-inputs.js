// Names what a build is made from, so that `npm test` builds nothing again that `npm ci` has just built.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The lock file stands for the packages that are bundled. */
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
const FOLDERS = ['scripts', 'src'];

/** @returns the hash of all source files, which the build keeps in `dist/built-from` */
export async function hashInputs(root) {
  const inFolders = await Promise.all(
    FOLDERS.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  );
  const paths = inFolders
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));
  const hash = createHash('sha256');
  for (const path of [...FILES, ...paths.sort()]) {
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
