import { defineCommand } from '../../command/command.ts';
import { COPIED_JSON } from './copied.ts';

export const command = defineCommand({
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
    to: {
      short: 't',
      value: 'DIR|URL',
      completes: 'file',
      required: true,
      summary: 'Empty database, or directory that does not exist',
    },
    'to-blobs': {
      value: 's3://BUCKET',
      summary:
        'Bucket for the files of a database, reached by ESIGN_SERVE_S3_* (default: the database itself)',
    },
    'key-file': {
      value: 'FILE',
      completes: 'file',
      summary: 'File with the key of the store: 64 hexadecimal digits, or the file "key" of a sandbox',
    },
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
    const { copiedOutcome, howToOpen, STOP_ONE } = await import('./copied.ts');
    return copiedOutcome('Copied the store.', copied, [...howToOpen(copied), STOP_ONE]);
  },
});
