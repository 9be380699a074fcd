// Editors lead from a method of the client to the row of its operation, and from there to the handler of the service.
import { relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { OPERATION_IDS } from '../../src/api/contract/operations.ts';
import { SLOW } from '../support/tier.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const CALLS = 'src/calls-for-a-test.ts';
const CALLS_TEXT = [
  "import type { Client } from './api/client.ts';",
  ...OPERATION_IDS.map(
    (id) => `export const call_${id.replace('.', '_')} = (client: Client) => client['${id}'];`,
  ),
].join('\n');

const textOf = (path: string): string | undefined =>
  path === `${ROOT}${CALLS}` ? CALLS_TEXT : ts.sys.readFile(path);

function createLanguageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  return ts.createLanguageService({
    getScriptFileNames: () => [`${ROOT}${CALLS}`, `${ROOT}src/service/operations/handlers.ts`],
    getScriptVersion: () => '1',
    getScriptSnapshot(path) {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === `${ROOT}${CALLS}` || ts.sys.fileExists(path),
    readFile: textOf,
  });
}

test.runIf(SLOW)('leads from each method of the client to its operation and its handler', () => {
  const service = createLanguageService();
  for (const id of OPERATION_IDS) {
    const at = CALLS_TEXT.indexOf(`client['${id}']`) + `client['`.length;
    const linesOf = (found: readonly ts.DocumentSpan[] = []) =>
      found.map(({ fileName, textSpan }) => {
        const [line = ''] = (textOf(fileName) ?? '').slice(textSpan.start).split('\n');
        // Some places begin with the quote, others with the name.
        return `${relative(ROOT, fileName)} ${line.replace(/^'/, '')}`;
      });
    const path = `${ROOT}${CALLS}`;
    expect(linesOf(service.getDefinitionAtPosition(path, at))).toEqual([
      expect.stringMatching(new RegExp(`^src/api/contract/[a-z/-]+\\.ts ${id}': `)),
    ]);
    const handlers = linesOf(service.getImplementationAtPosition(path, at));
    expect(handlers).toContainEqual(
      expect.stringMatching(new RegExp(`^src/service/operations/[a-z/-]+\\.ts ${id}': `)),
    );
  }
});
