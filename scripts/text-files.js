// Files that modules import as text. The program is built with them (esbuild), and the tests run with them (Vite).

const ENDINGS = ['.css', '.md'];

/** The loaders that esbuild takes. */
export const TEXT_FILES = Object.fromEntries(ENDINGS.map((ending) => [ending, 'text']));

/** The plugin that Vite takes, which would otherwise make a module of its own of a style. */
export const textFiles = {
  name: 'text-files',
  enforce: 'pre',
  async resolveId(imported, importer) {
    if (!ENDINGS.some((ending) => imported.endsWith(ending))) return undefined;
    const resolved = await this.resolve(imported, importer, { skipSelf: true });
    return resolved && `${resolved.id}?raw`;
  },
};
