// Shows what a file of a sandbox contains, after it was written or imported.
import type { Outcome } from '../../command/outcome.ts';
import type { SandboxFileResult } from '../../connection/connection.ts';
import { contentsEntries, contentsTables } from '../../terminal/store-contents.ts';

/** The shape of what `--json` prints. */
export const SANDBOX_FILE_JSON =
  '{file, secrets, tables: [{name, rows, sha256}], blobs: {count, bytes, sha256}}';

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

/** What an import had to make. */
export const importNotes = ({ secrets }: SandboxFileResult): string[] =>
  secrets
    ? []
    : [
        'The file has no secrets. Signing links and secrets of webhooks were made anew; users have no passwords, and applications no client secrets.',
      ];
