// Which folders fonts are read from beside those of esign. It is said once, at the edge of the process that draws.

let folder: string | undefined;
let system: readonly string[] | undefined;

/** Names the folder whose fonts come before those of the system. */
export function useFontFolder(path: string | undefined): void {
  folder = path;
}

export const fontFolder = (): string | undefined => folder;

/** Names the folders that count as those of the system: none, for a machine without fonts. Undefined: those of this machine. */
export function useSystemFontFolders(paths: readonly string[] | undefined): void {
  system = paths;
}

export const systemFontFolders = (): readonly string[] | undefined => system;
