// Writes the types of the published entry, dist/service.d.ts. The source declares all of them itself, so that one
// file is enough; a type from another file would be missing in the installed package, and is refused.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Reuses the file of an earlier build if the source has not changed: loading TypeScript takes a quarter of a second.
 *
 * @param earlier folder of the earlier build
 */
export async function writeDeclarations(source, target, earlier) {
  const text = await readFile(source, 'utf8');
  const mark = `// ${createHash('sha256').update(text).digest('hex')}`;
  const before = await readFile(join(earlier, basename(target)), 'utf8').catch(() => '');
  await writeFile(
    target,
    before.startsWith(mark) ? before : `${mark}\n${declarationsOf(source, text, await typescript())}`,
  );
}

const typescript = async () => (await import('typescript')).default;

function declarationsOf(source, text, { flattenDiagnosticMessageText, transpileDeclaration }) {
  const { outputText, diagnostics = [] } = transpileDeclaration(text, {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: { strict: true, isolatedDeclarations: true, declaration: true, target: 'es2023' },
  });
  const wrong = diagnostics.map(({ messageText }) => flattenDiagnosticMessageText(messageText, '\n'));
  if (/^(?:import|export .* from)\b/m.test(outputText)) wrong.push('It takes types from other files.');
  if (wrong.length > 0) throw new Error(`${source} cannot be published: ${wrong.join(' ')}`);
  return outputText;
}
