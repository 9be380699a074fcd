// Shows what a copy of a store contains, as it was counted on both sides.
import type { Entry, Outcome } from '../../command/outcome.ts';
import type { StoreCopyResult } from '../../connection/connection.ts';
import { contentsEntries, contentsTables } from '../../terminal/store-contents.ts';

/** The shape of what `--json` prints. */
export const COPIED_JSON =
  '{from, to, installation, key, tables: [{name, rows, sha256}], blobs: {count, bytes, sha256}}; key is the fingerprint of the key';

export function copiedOutcome(
  headline: string,
  { isToDatabase, ...copied }: StoreCopyResult,
  notes: readonly string[],
): Outcome {
  const { from, to, installation = null, key, tables, blobs } = copied;
  return {
    kind: 'record',
    headline,
    json: { from, to, installation, key, tables, blobs },
    entries: [
      { key: 'from', label: 'From', value: from },
      { key: 'to', label: 'To', value: to },
      ...(installation === null
        ? []
        : ([{ key: 'installation', label: 'Installation', value: installation }] satisfies Entry[])),
      { key: 'key', label: 'Key fingerprint', value: key },
      ...contentsEntries(copied),
    ],
    ...contentsTables(copied),
    notes,
  };
}

/** How the target of a copy is opened. */
export const howToOpen = ({ isToDatabase, to, installation, key }: StoreCopyResult): string[] =>
  isToDatabase
    ? [
        `To serve it, set ESIGN_SERVE_KEY_FILE to the file with the key whose fingerprint is ${key}. For a sandbox, this is the file "key" of its directory.`,
        `  export ESIGN_SERVE_INSTALLATION=${installation}`,
      ]
    : [
        `The key is in ${to}. To use this sandbox, make it the directory "data/sandbox" of ESIGN_HOME; \`esign config path\` prints the paths in use.`,
      ];

/** Both places would send the same events and emails. */
export const STOP_ONE =
  'It is the same installation in another place. Stop the first one before you use the second: both would send the events and emails that wait.';
