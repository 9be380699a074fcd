// Finds fonts of this machine that have a character which none of ours has: above all Chinese, Japanese and Korean. It searches a bounded number
// of files at its first use, and reads of each only the tables about its characters. A font that cannot be read is skipped.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { FONT_LIMITS } from '../limits.ts';
import {
  type CodePoints,
  codePointsOf,
  covers,
  type FontStyle,
  type FontTables,
  fontFileOf,
  fontOffsets,
  hasOutlines,
  type ReadAt,
  styleOf,
  tableBytes,
  tablesOf,
} from './opentype.ts';

/** The font begins at `offset` in its file, because several share a collection (.ttc). */
export type SystemFace = {
  readonly name: string;
  readonly path: string;
  readonly offset: number;
} & FontStyle;
type WantedFace = { isBold: boolean; isSerif: boolean };

/** Chooses the face that fits best among those that have the character. */
export function systemFaceWith(codePoint: number, wanted: WantedFace): SystemFace | undefined {
  return loadFaces()
    .filter((face) => covers(coverageOfSystem(face), codePoint))
    .sort((a, b) => strangeness(a, wanted) - strangeness(b, wanted))[0];
}

export function systemFaceForMost(codePoints: readonly number[]): SystemFace | undefined {
  const some = codePoints.slice(0, FONT_LIMITS.charactersCompared);
  let best: { face: SystemFace; count: number } | undefined;
  for (const face of [...loadFaces()].sort((a, b) => strangeness(a, PLAIN) - strangeness(b, PLAIN))) {
    const coverage = coverageOfSystem(face);
    const count = some.filter((codePoint) => covers(coverage, codePoint)).length;
    if (count > (best?.count ?? 0)) best = { face, count };
    if (count === some.length) break;
  }
  return best?.face;
}

/** Lists the families that every program of this machine has, by their names in small letters, without spaces. */
export function systemFamilies(): ReadonlyMap<string, string> {
  const folder = fontFolder();
  const shared = loadFaces().filter(
    ({ path }) => folder === undefined || !path.startsWith(join(folder, sep)),
  );
  return new Map(shared.map(({ family }) => [plainName(family), family]));
}

export const plainName = (family: string): string => family.toLowerCase().replaceAll(' ', '');

const PLAIN: WantedFace = { isBold: false, isSerif: false };

/** Measures how far a face is from the wanted one; equal ones stay in the order of the folders. */
function strangeness(face: SystemFace, { isBold, isSerif }: WantedFace): number {
  const isSerifFace = /serif|ming|song|mincho|batang|times/i.test(face.family) && !/sans/i.test(face.family);
  return (
    Math.abs(face.weight - (isBold ? 700 : 400)) +
    (face.isItalic ? 1000 : 0) +
    (face.isFixedPitch ? 200 : 0) +
    (isSerifFace === isSerif ? 0 : 50)
  );
}

// --- The search ---

let cache: { folders: string; faces: SystemFace[] } | undefined;

/** Searches the folders once, and again when other folders have been chosen since. */
function loadFaces(): SystemFace[] {
  const searched = foldersToSearch();
  const folders = JSON.stringify(searched);
  if (cache?.folders !== folders) cache = { folders, faces: findFaces(searched) };
  return cache.faces;
}

function findFaces(folders: readonly string[]): SystemFace[] {
  const paths = folders.flatMap((folder) => fontFiles(folder)).slice(0, FONT_LIMITS.systemFiles);
  return paths.flatMap(facesOfFile);
}

function fontFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ttf|ttc|otf|otc)$/i.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export const hasFonts = (folder: string): boolean =>
  fontFiles(folder)
    .slice(0, FONT_LIMITS.systemFiles)
    .some((path) => facesOfFile(path).length > 0);

function facesOfFile(path: string): SystemFace[] {
  return readFont(path, [], (read) =>
    fontOffsets(read).flatMap((offset) => {
      const tables = tablesOf(read, offset);
      if (!hasOutlines(tables) || sizeOf(tables) > FONT_LIMITS.systemFaceBytes) return [];
      const style = styleOf(read, tables);
      return [{ ...style, name: style.family, path, offset }];
    }),
  );
}

const sizeOf = (tables: FontTables) => [...tables.values()].reduce((sum, { length }) => sum + length, 0);

// --- One font ---

/** Returns a font file with this face alone. It is empty when the file has gone since it was found. */
export function bytesOfSystem(face: SystemFace): Uint8Array {
  return readFont<Uint8Array>(face.path, new Uint8Array(), (read) => {
    const tables = [...tablesOf(read, face.offset)];
    return fontFileOf(new Map(tables.map(([tag, { start, length }]) => [tag, read(start, length)])));
  });
}

const coverages = new Map<SystemFace, CodePoints>();

export function coverageOfSystem(face: SystemFace): CodePoints {
  const cached = coverages.get(face);
  if (cached) return cached;
  const coverage = readFont(face.path, new Uint32Array(), (read) =>
    codePointsOf(tableBytes(read, tablesOf(read, face.offset), 'cmap')),
  );
  coverages.set(face, coverage);
  return coverage;
}

/** Answers with what `parse` reads in the file, or `otherwise` when that cannot be read or is no font. */
function readFont<T>(path: string, otherwise: T, parse: (read: ReadAt) => T): T {
  let file: number | undefined;
  try {
    const opened = openSync(path, 'r');
    file = opened;
    return parse((start, length) => {
      const bytes = Buffer.alloc(length);
      if (readSync(opened, bytes, 0, length, start) !== length)
        throw new RangeError('The font ends too early.');
      return bytes;
    });
  } catch {
    return otherwise;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// --- The folders ---

let chosenFolder: string | undefined;
let chosenSystemFolders: readonly string[] | undefined;

/** Chooses the folder whose fonts come before those of the system, instead of ESIGN_FONTS. */
export function useFontFolder(path: string | undefined): void {
  chosenFolder = path;
}

/** Chooses the folders of the system: none, for a machine without fonts. Undefined stands for those of this machine. */
export function useSystemFontFolders(paths: readonly string[] | undefined): void {
  chosenSystemFolders = paths;
}

/** Returns the folder whose fonts come before those of the system. */
export function fontFolder(): string | undefined {
  const { ESIGN_FONTS } = process.env;
  return chosenFolder ?? (ESIGN_FONTS ? resolve(ESIGN_FONTS) : undefined);
}

function foldersToSearch(): string[] {
  const folder = fontFolder();
  const system = chosenSystemFolders ?? systemFolders();
  return folder === undefined ? [...system] : [folder, ...system];
}

function systemFolders(): string[] {
  const home = homedir();
  if (process.platform === 'darwin')
    return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')];
  if (process.platform === 'win32') return [join(process.env.SystemRoot ?? 'C:\\Windows', 'Fonts')];
  return [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(home, '.local/share/fonts'),
    join(home, '.fonts'),
  ];
}
