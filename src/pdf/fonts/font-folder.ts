// The folder whose fonts come before those of the system. It is said once, at the edge of the process that draws.

let folder: string | undefined;

export function useFontFolder(path: string | undefined): void {
  folder = path;
}

export const fontFolder = (): string | undefined => folder;
