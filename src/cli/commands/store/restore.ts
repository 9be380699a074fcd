import { defineCommand } from '../../command/command.ts';
import { COPIED_JSON } from './copied.ts';

export const command = defineCommand({
  summary: 'Restore a backup to an empty place',
  details:
    'Restores a file of `esign store backup` to an empty database or a new directory, whichever of them it was made of. The whole file is verified ' +
    'first, and nothing is written if any byte of it was changed. A backup of an earlier version is restored and updated. The key of the store is ' +
    'needed: from --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY, or as the file "key" in the directory. An interrupted restore cannot be ' +
    'used, and the same command finishes it.',
  arguments: [{ name: 'file', summary: 'File of a backup', completes: 'file' }],
  options: {
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
    {
      line: 'esign store restore esign.zip --to postgres://esign@db.example.com/esign --key-file esign.key',
      about: 'Restore a team server',
    },
    { line: 'esign store restore esign.zip --to restored --key-file key', about: 'Restore a sandbox' },
  ],
  async run(context, { args: { file }, options: { to, 'to-blobs': blobs, 'key-file': keyFile } }) {
    const copies = await context.connections.storeCopies();
    const copied = await copies.restore(file, { to, blobs }, keyFile);
    const { copiedOutcome, howToOpen, STOP_ONE } = await import('./copied.ts');
    return copiedOutcome('Restored the backup.', copied, [...howToOpen(copied), STOP_ONE]);
  },
});
