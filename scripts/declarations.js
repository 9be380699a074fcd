// Writes the types of the published entries, dist/index.d.ts, dist/service.d.ts and dist/testing.d.ts, each as one file that needs no other. The sources
// of an entry declare all of them; a type from another file would be missing in the installed package, and is refused.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The sources of the types of each entry, in the order in which they are read. Everything that they export is public. */
export const PUBLISHED_TYPES = {
  index: [
    'src/client/create-client.ts',
    'src/client/options.ts',
    'src/client/errors.ts',
    'src/client/verify-webhook.ts',
    'src/client/contract.ts',
  ],
  service: ['src/service/published-types.ts', 'src/service/published.ts'],
  testing: ['src/testing/contract.ts', 'src/testing/sandbox.ts', 'src/testing/published.ts'],
};

/**
 * Reuses the file of an earlier build if the sources have not changed: loading TypeScript takes a quarter of a second.
 *
 * @param earlier folder of the earlier build
 */
export async function writeDeclarations(sources, target, earlier) {
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));
  const mark = `// ${createHash('sha256').update(texts.join('\n')).digest('hex')}`;
  const before = await readFile(join(earlier, basename(target)), 'utf8').catch(() => '');
  await writeFile(
    target,
    before.startsWith(mark) ? before : `${mark}\n${declarationsOf(sources, texts, await typescript())}`,
  );
}

/** @returns all that an entry exports, without comments: what programs depend on */
export async function readSurface(sources) {
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));
  return declarationsOf(sources, texts, await typescript(), { removeComments: true });
}

const typescript = async () => (await import('typescript')).default;

function declarationsOf(sources, texts, compiler, options = {}) {
  const own = new Set(sources.map((source) => basename(source)));
  return sources
    .map((source, at) => withoutImports(source, declare(source, texts[at], compiler, options), own))
    .join('\n');
}

/** Types of the other sources of the same entry need no import. */
function withoutImports(source, text, own) {
  const rest = text.replaceAll(/^import type [^;]* from '\.\/([\w-]+\.ts)';\n/gm, (whole, name) =>
    own.has(name) ? '' : whole,
  );
  if (/^(?:import|export .* from)\b/m.test(rest)) throw new Error(`${source} takes types from other files.`);
  return rest.replaceAll(/^export \{\};\n/gm, '');
}

function declare(source, text, { flattenDiagnosticMessageText, transpileDeclaration }, options) {
  const { outputText, diagnostics = [] } = transpileDeclaration(text, {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: {
      strict: true,
      isolatedDeclarations: true,
      declaration: true,
      target: 'es2023',
      ...options,
    },
  });
  const wrong = diagnostics.map(({ messageText }) => flattenDiagnosticMessageText(messageText, '\n'));
  if (wrong.length > 0) throw new Error(`${source} cannot be published: ${wrong.join(' ')}`);
  return outputText;
}
