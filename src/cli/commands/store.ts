import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { list, nullable, number, object, prints, text } from '../command/json-output.ts';
import type { Entry, Outcome } from '../command/outcome.ts';
import type { StoreCopyResult } from '../connection/connection.ts';
import { refuseExistingFile } from '../input/files.ts';
import { contentsEntries, contentsTables } from '../terminal/store-contents.ts';

/** The shape of what `--json` prints. */
const COPIED_JSON = prints(
  object({
    from: text,
    to: text,
    installation: nullable(text),
    key: text,
    tables: list(object({ name: text, rows: number, sha256: text })),
    blobs: object({ count: number, bytes: number, sha256: text }),
  }),
  '; key is the fingerprint of the key',
);

/** Where `copy` and `restore` write to. */
const INTO = {
  to: {
    short: 't',
    value: 'DIR|URL',
    completes: 'file',
    required: true,
    summary: 'Empty database, or directory that does not exist',
  },
  'to-blobs': {
    value: 's3://BUCKET',
    summary: 'Bucket for the files of a database, reached by ESIGN_SERVE_S3_* (default: the database itself)',
  },
  'key-file': {
    value: 'FILE',
    completes: 'file',
    summary: 'File with the key of the store: 64 hexadecimal digits, or the file "key" of a sandbox',
  },
} as const;

export const commands = {
  copy: defineCommand({
    summary: 'Copy a sandbox or a team server to another place',
    details:
      'Copies everything that is stored, documents included, between the directory of a sandbox (SQLite) and a PostgreSQL database, in any ' +
      'direction. The target must be empty. All rows and files are counted and hashed on both sides. The source may be in use: one state of it is ' +
      'copied. An interrupted copy cannot be used, and the same command finishes it. The copy has the same key, and is the same installation in ' +
      'another place: stop the first one before you use the second.',
    manual:
      'The key of a sandbox is the file "key" in its directory. A database does not contain its key, so a copy from a database to a directory needs ' +
      'it: from --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY. The key is never printed; its fingerprint is.',
    arguments: [],
    options: {
      from: {
        value: 'DIR|URL',
        completes: 'file',
        summary:
          'Directory or database to copy (default: ESIGN_SERVE_DATABASE, or the sandbox of this machine)',
      },
      ...INTO,
    },
    json: COPIED_JSON,
    examples: [
      { line: 'esign store copy --to sandbox-copy', about: 'Copy the sandbox of this machine' },
      {
        line: 'esign store copy --from ~/.local/share/esign/sandbox --to postgres://esign@db.example.com/esign',
        about: 'Make a sandbox a team server',
      },
    ],
    async run(context, { options: { from, to, 'to-blobs': blobs, 'key-file': keyFile } }) {
      const copies = await context.connections.storeCopies();
      const copied = await copies.copy(from, { to, blobs }, keyFile);
      return copiedOutcome('Copied the store.', copied, [...howToOpen(copied), STOP_ONE]);
    },
  }),

  backup: defineCommand({
    summary: 'Back up a sandbox or a team server to a file',
    details:
      'Writes one state of everything that is stored, documents included, to a ZIP file, while the server runs. The file has no key, only its ' +
      'fingerprint: keep the key apart from it, because a backup cannot be restored without it. For a sandbox, the key is the file "key" in its ' +
      'directory. Two backups of the same state have the same bytes.',
    manual:
      'The entries of the file are store.json (format, version, migrations, fingerprint of the key), a file for each stored document and image under ' +
      'blobs/, a file with one JSON object a line for each table under tables/, and contents.json (rows and SHA-256 of each table; number, bytes and ' +
      'SHA-256 of all blobs). They are not compressed. The file contains personal data, and hashes of tokens and passwords.',
    arguments: [{ name: 'file', summary: 'File to write, such as backup.zip', completes: 'file' }],
    options: {
      from: {
        value: 'DIR|URL',
        completes: 'file',
        summary:
          'Directory or database to back up (default: ESIGN_SERVE_DATABASE, or the sandbox of this machine)',
      },
    },
    json: COPIED_JSON,
    examples: [
      { line: 'esign store backup backup.zip', about: 'Back up the sandbox of this machine' },
      {
        line: 'esign store backup backup.zip --from postgres://esign@db.example.com/esign',
        about: 'Back up a team server that runs',
      },
    ],
    async run(context, { args: { file }, options: { from } }) {
      return writeBackupFile(context, file, from);
    },
  }),

  restore: defineCommand({
    summary: 'Restore a backup to an empty place',
    details:
      'Restores a file of `esign store backup` to an empty database or a new directory, whichever of them it was made of. The whole file is verified ' +
      'first, and nothing is written if any byte of it was changed. A backup of an earlier version is restored and updated. The key of the store is ' +
      'needed: from --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY, or as the file "key" in the directory. An interrupted restore cannot be ' +
      'used, and the same command finishes it.',
    arguments: [{ name: 'file', summary: 'File of a backup', completes: 'file' }],
    options: {
      ...INTO,
    },
    json: COPIED_JSON,
    examples: [
      {
        line: 'esign store restore esign.zip --to postgres://esign@db.example.com/esign --key-file esign.key',
        about: 'Restore a team server',
      },
      { line: 'esign store restore esign.zip --to restored --key-file key', about: 'Restore a sandbox' },
    ],
    async run(context, { args: { file }, options: { to, 'to-blobs': blobs, 'key-file': keyFile } }) {
      const copies = await context.connections.storeCopies();
      const copied = await copies.restore(file, { to, blobs }, keyFile);
      return copiedOutcome('Restored the backup.', copied, [...howToOpen(copied), STOP_ONE]);
    },
  }),
};

async function writeBackupFile(
  context: Uses<'connections' | 'process' | 'settings'>,
  file: string,
  from: string | undefined,
): Promise<Outcome> {
  await refuseExistingFile(context, file);
  const copies = await context.connections.storeCopies();
  const copied = await copies.backUp(from, file);
  return copiedOutcome('Wrote the backup.', copied, [
    `The key is not in the file. Without the key whose fingerprint is ${copied.key}, the backup cannot be restored.`,
  ]);
}

function copiedOutcome(
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
const howToOpen = ({ isToDatabase, to, installation, key }: StoreCopyResult): string[] =>
  isToDatabase
    ? [
        `To serve it, set ESIGN_SERVE_KEY_FILE to the file with the key whose fingerprint is ${key}. For a sandbox, this is the file "key" of its directory.`,
        `  export ESIGN_SERVE_INSTALLATION=${installation}`,
      ]
    : [
        `The key is in ${to}. To use this sandbox, make it the directory "data/sandbox" of ESIGN_HOME; \`esign config path\` prints the paths in use.`,
      ];

/** Both places would send the same events and emails. */
const STOP_ONE =
  'It is the same installation in another place. Stop the first one before you use the second: both would send the events and emails that wait.';
