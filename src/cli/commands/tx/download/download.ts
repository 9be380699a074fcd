// `esign tx download`: the sealed documents of a completed transaction, into a folder.
import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'download the sealed documents of a completed transaction',
  details:
    'Writes the sealed PDF of every document into a folder and checks its SHA-256 first, where the service tells it. ' +
    'A file that exists is left alone if it has the same content; otherwise it is overwritten only with --yes. ' +
    'With --original, the documents are written as they were sent, as PDF: that works at any time. ' +
    'Check what you received with `esign verify`.',
  arguments: [{ name: 'id', optional: true, summary: 'id of the transaction', completes: 'transaction' }],
  options: {
    output: {
      value: 'DIR',
      short: 'o',
      completes: 'folder',
      summary: 'the folder for the files (otherwise the current one)',
    },
    original: { summary: 'the documents before signing instead of the sealed ones' },
    evidence: { summary: 'the evidence as well: what happened, as JSON' },
  },
  json: '{id, name, files: [{path, document, kind, sha256, bytes}]}; kind is sealed, original or evidence',
  examples: [
    { line: 'esign tx download ID', about: 'the sealed PDFs, into this folder' },
    { line: 'esign tx download ID -o signed --evidence', about: 'with the record of what happened' },
  ],
  async run(context, { args, options }) {
    const { downloadDocuments } = await import('./download-documents.ts');
    const { whichTransaction } = await import('../../../transactions/which-transaction.ts');
    const id = await whichTransaction(context, args.id);
    const connection = await context.connections.connect();
    return downloadDocuments(context, connection, id, options);
  },
});
