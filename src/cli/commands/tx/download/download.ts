// `esign tx download`: writes the sealed documents of a completed transaction into a folder.
import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Download the sealed documents of a transaction',
  details:
    'Writes the sealed PDF of every document of a completed transaction to a directory, after checking its ' +
    'SHA-256 where the service provides one. Existing files with the same content are kept; other ' +
    'existing files are overwritten only with --yes. With --original, the documents are downloaded as ' +
    'they were sent (converted to PDF), at any time. Use `esign verify` to check the signatures.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {
    output: {
      value: 'DIR',
      short: 'o',
      completes: 'folder',
      summary: 'Directory for the files (default: the current directory)',
    },
    original: { summary: 'Download the documents from before signing instead of the sealed ones' },
    evidence: { summary: 'Download the evidence record (JSON) as well' },
  },
  json: '{id, name, files: [{path, document, kind, sha256, bytes}]}; kind is sealed, original or evidence',
  examples: [
    { line: 'esign tx download @', about: 'Download the sealed PDFs to the current directory' },
    {
      line: 'esign tx download @ -o signed --evidence',
      about: 'Download the sealed PDFs and the evidence record',
    },
  ],
  async run(context, { args, options }) {
    const { downloadDocuments } = await import('./download-documents.ts');
    const { chooseTransaction: whichTransaction } = await import(
      '../../../transactions/which-transaction.ts'
    );
    // A started transaction may have been completed since this machine has seen it.
    const id = await whichTransaction(
      context,
      args.id,
      options.original ? undefined : ['started', 'completed'],
    );
    const connection = await context.connections.connect();
    return downloadDocuments(context, connection, id, options);
  },
});
