// Downloads documents, and lists the written files.
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type DownloadOptions, download } from '../../../transactions/download.ts';
import { contentOfTransaction } from '../../../transactions/view.ts';

export async function downloadDocuments(
  context: Uses<'process' | 'settings' | 'terminal'>,
  connection: Connection,
  transactionId: string,
  wish: DownloadOptions,
): Promise<Outcome> {
  if (wish.original && wish.evidence)
    throw cliError('options_conflict', {
      option: '--original',
      conflictsWith: '--evidence',
      why: 'Only sealed documents contain evidence.',
    });
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const files = await download(context, connection, transaction, wish);
  return {
    kind: 'list',
    json: { id: transaction.id, name: contentOfTransaction(transaction).name ?? null, files },
    table: {
      columns: ['FILE', 'DOCUMENT', 'KIND', 'SHA-256'],
      rows: files.map(({ path, document, kind, sha256 }) => [path, document, kind, sha256]),
    },
    empty: 'No files.',
    notes: wish.original ? [] : ['To verify the signatures, run `esign verify FILE`.'],
  };
}
