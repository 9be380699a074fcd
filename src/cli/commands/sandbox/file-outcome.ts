// Shows what a file of a sandbox contains, after it was written or imported.
import type { Outcome } from '../../command/outcome.ts';
import type { SandboxFileResult } from '../../connection/connection.ts';
import { contentsEntries, contentsTables } from '../../terminal/store-contents.ts';

/** The shape of what `--json` prints of an export. */
export const EXPORTED_JSON = '{file, secrets, tables: [{name, rows, sha256}], blobs: {count, bytes, sha256}}';

/** The same of an import. `authority` is `imported`, `kept`, or `not_imported` where the file has another one. */
export const IMPORTED_JSON =
  '{file, secrets, tables: [{name, rows, sha256}], blobs: {count, bytes, sha256}, authority}';

export function sandboxFileOutcome(
  headline: string,
  result: SandboxFileResult,
  notes: readonly string[],
): Outcome & { kind: 'record'; json: object } {
  const { file, secrets, tables, blobs } = result;
  return {
    kind: 'record',
    headline,
    json: { file, secrets, tables, blobs },
    entries: [
      { key: 'file', label: 'File', value: file },
      { key: 'secrets', label: 'Secrets', value: secrets, shown: secrets ? 'yes' : 'no' },
      ...contentsEntries(result),
    ],
    ...contentsTables(result),
    notes,
  };
}
