import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { refuseExistingFile } from '../../input/files.ts';
import { EXPORTED_JSON, sandboxFileOutcome } from './exported-file.ts';

export const command = defineCommand({
  summary: 'Export the sandbox to a file',
  details:
    'Writes everything that is stored in the sandbox, documents, clock and faults included, to a ZIP file, while it is used. The file needs no key: ' +
    'encrypted data is not encrypted in it, so that it contains private keys, signing links and secrets of webhooks, and only you can read it. With ' +
    '--without-secrets, it contains none of them, and can be committed to a repository with the tests that begin with it. Two exports of the same state have the same ' +
    'bytes. An existing file is replaced only with --yes.',
  manual:
    'The entries of the file are store.json (format, version, migrations, whether there are secrets), a file for each stored document and image under ' +
    'blobs/, a file with one JSON object a line for each table under tables/, and contents.json (rows and SHA-256 of each table; number, bytes and ' +
    'SHA-256 of all blobs). They are not compressed. The URL, the key and the access token of the sandbox are not in the file, and neither are its snapshots. Without secrets, it has no ' +
    'private keys, passwords, sessions, tokens, client secrets, secrets of webhooks, signing links and stored responses; names, email addresses, documents and what recipients filled in are in it.',
  arguments: [{ name: 'file', summary: 'File to write, such as sandbox.zip', completes: 'file' }],
  options: {
    'without-secrets': { summary: 'Skip secrets, so that the file can be shared' },
  },
  json: EXPORTED_JSON,
  examples: [
    { line: 'esign sandbox export sandbox.zip', about: 'Export everything, secrets included' },
    {
      line: 'esign sandbox export leases.zip --without-secrets --yes',
      about: 'Replace a file in a repository, which tests begin with',
    },
  ],
  async run(context, { args: { file }, options }) {
    return exportToFile(context, file, { secrets: !options['without-secrets'] });
  },
});

export async function exportToFile(
  context: Uses<'connections' | 'process' | 'settings'>,
  file: string,
  options: { secrets: boolean },
): Promise<Outcome> {
  await refuseExistingFile(context, file);
  const copies = await context.connections.storeCopies();
  const exported = await copies.exportSandbox(file, options);
  return sandboxFileOutcome('Exported the sandbox.', exported, [
    exported.secrets
      ? 'The file contains secrets: private keys, signing links, and hashes of tokens and passwords. To share it, export it again with --without-secrets.'
      : 'The file contains no secrets. It contains documents, names and email addresses.',
  ]);
}
