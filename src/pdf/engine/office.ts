// Finds LibreOffice on this machine by the names of files; nothing is started. Every engine loads this file, so it stays small.
import process from 'node:process';

// The library that draws formulas, beside the program or where macOS has libraries.
const MATH = ['libsmlo.so', '../Frameworks/libsmlo.dylib'];

/**
 * Returns true if this LibreOffice has its part for formulas. It is a package of its own on many systems, and without it formulas are
 * missing from the PDF, without a word.
 */
export async function drawsFormulas(program: string): Promise<boolean> {
  const [{ access, realpath }, { dirname, join }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const folder = dirname(await realpath(program).catch(() => program));
  const libraries = MATH.map((name) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(libraries)).includes(true);
}

/** It is `off`, the path of `soffice`, or undefined: then the program is looked for where programs are. */
export type OfficeSetting = string | undefined;

const NAMES = ['soffice', 'libreoffice'];
const ON_MACOS = '/Applications/LibreOffice.app/Contents/MacOS/soffice';

/** Returns undefined where there is no program, or none is wanted. On Windows nothing would end it with all it started. */
export async function findOffice(setting: OfficeSetting): Promise<string | undefined> {
  if (setting === 'off' || process.platform === 'win32') return undefined;
  const [{ access, constants }, { delimiter, join, resolve }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const isProgram = (path: string) =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const places =
    setting === undefined
      ? [...onPath, ...(process.platform === 'darwin' ? [ON_MACOS] : [])]
      : [resolve(setting)];
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}
