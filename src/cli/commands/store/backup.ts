import { defineCommand } from '../../command/command.ts';
import { COPIED_JSON } from './copied.ts';

export const command = defineCommand({
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
    const { writeBackupFile } = await import('./back-up.ts');
    return writeBackupFile(context, file, from);
  },
});
