// Finds LibreOffice on this machine. Looks at names of files only; nothing is started. Light: whatever makes an engine loads it.
import process from 'node:process';

/** `off`, the path of `soffice`, or undefined: then it is looked for where programs are. */
export type OfficeSetting = string | undefined;

const NAMES = ['soffice', 'libreoffice'];
const ON_MACOS = '/Applications/LibreOffice.app/Contents/MacOS/soffice';

/** The program; undefined where there is none, or none is wanted. On Windows nothing would end it with all it started. */
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
