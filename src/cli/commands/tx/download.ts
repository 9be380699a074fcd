import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { list, nullable, number, object, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { type DownloadOptions, download } from '../../sending/download.ts';
import { chooseTransaction, contentOfTransaction } from '../../sending/view.ts';

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
  json: prints(
    object({
      id: text,
      name: nullable(text),
      files: list(object({ path: text, document: text, kind: text, sha256: text, bytes: number })),
    }),
    '; kind is sealed, original or evidence',
  ),
  examples: [
    { line: 'esign tx download @', about: 'Download the sealed PDFs to the current directory' },
    {
      line: 'esign tx download @ -o signed --evidence',
      about: 'Download the sealed PDFs and the evidence record',
    },
  ],
  async run(context, { args, options }) {
    // A started transaction may have been completed since this machine has seen it.
    const id = await chooseTransaction(
      context,
      args.id,
      options.original ? undefined : ['started', 'completed'],
    );
    const connection = await context.connections.connect();
    return downloadDocuments(context, connection, id, options);
  },
});

async function downloadDocuments(
  context: Uses<'process' | 'settings' | 'terminal'>,
  connection: Connection,
  transactionId: string,
  options: DownloadOptions,
): Promise<Outcome> {
  if (options.original && options.evidence)
    throw optionsConflict('--original', '--evidence', { why: 'Only sealed documents contain evidence.' });
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const files = await download(context, connection, transaction, options);
  return {
    kind: 'list',
    json: { id: transaction.id, name: contentOfTransaction(transaction).name ?? null, files },
    table: {
      columns: ['FILE', 'DOCUMENT', 'KIND', 'SHA-256'],
      rows: files.map(({ path, document, kind, sha256 }) => [path, document, kind, sha256]),
    },
    empty: 'No files.',
    notes: options.original ? [] : ['To verify the signatures, run `esign verify FILE`.'],
  };
}
