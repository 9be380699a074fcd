import { defineCommand } from '../../command/command.ts';
import { SANDBOX_FILE_JSON } from './file-outcome.ts';

export const command = defineCommand({
  summary: 'Import an exported sandbox',
  details:
    'The sandbox must be empty; `esign sandbox reset --to FILE` replaces everything in one that is not. The whole file is verified first, and nothing is ' +
    'changed if any byte of it was. The URL, the key and the access token of the sandbox stay, and links in emails lead to its URL. The sandbox may be served ' +
    'meanwhile. A file of an earlier version is updated; one of a newer version is refused. Import only files that you trust: events and emails that wait are sent.',
  arguments: [{ name: 'file', summary: 'File of `esign sandbox export`', completes: 'file' }],
  options: {},
  json: SANDBOX_FILE_JSON,
  examples: [{ line: 'esign sandbox import leases.zip', about: 'Use the state of another sandbox' }],
  async run(context, { args: { file } }) {
    const copies = await context.connections.storeCopies();
    const imported = await copies.importSandbox(file, { replaces: false });
    const { importNotes, sandboxFileOutcome } = await import('./file-outcome.ts');
    return sandboxFileOutcome('Imported the file into the sandbox.', imported, importNotes(imported));
  },
});
