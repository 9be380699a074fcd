// Determines the folders from which fonts are read besides those of esign. ESIGN_FONTS applies to every process: the one that draws,
// and the one that refuses a value whose characters cannot be drawn.
import { resolve } from 'node:path';
import process from 'node:process';

let folder: string | undefined;
let system: readonly string[] | undefined;

/** Names the folder whose fonts come before those of the system, instead of ESIGN_FONTS. */
export function useFontFolder(path: string | undefined): void {
  folder = path;
}

export function fontFolder(): string | undefined {
  const { ESIGN_FONTS } = process.env;
  return folder ?? (ESIGN_FONTS ? resolve(ESIGN_FONTS) : undefined);
}

/** Names the folders that count as those of the system: none, for a machine without fonts. Undefined: those of this machine. */
export function useSystemFontFolders(paths: readonly string[] | undefined): void {
  system = paths;
}

export const systemFontFolders = (): readonly string[] | undefined => system;
