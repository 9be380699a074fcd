// Uploads files and adds each to a draft. It reads and checks all of them before it sends the first one.
import type { Uses } from '../../../command/context.ts';
import { cliError, PartialFailure } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { createFileReader, readLocalFiles } from '../../../input/local-file.ts';
import { remarksIn, warnOfRemarks } from '../../../transactions/remarks.ts';
import { summaryOutcome } from '../../../transactions/view.ts';

export async function uploadFiles(
  context: Uses<'connections' | 'process' | 'terminal'>,
  transactionId: string,
  paths: readonly string[],
): Promise<Outcome> {
  if (paths.filter((path) => path === '-').length > 1) throw cliError('stdin_twice');
  const files = await readLocalFiles(paths, createFileReader(context));
  const connection = await context.connections.connect();
  const { client } = connection;
  const params = { transactionId };
  for (const { name, bytes } of files) {
    try {
      context.process.checkpoint();
      const uploaded = await context.terminal.progress.step(`upload ${name}`, (onSent) =>
        client['file.upload']({ form: { name }, file: { name, content: bytes } }, { onSent }),
      );
      warnOfRemarks(context, { name, remarks: remarksIn(uploaded) });
      const { token } = uploaded;
      await context.terminal.progress.step(`add ${name}`, () =>
        client['transaction.add_document']({ params, body: { token } }),
      );
    } catch (error) {
      throw new PartialFailure(error, {
        partial: { id: transactionId },
        next: [{ command: `esign tx show ${transactionId}`, when: 'to see its documents' }],
      });
    }
  }
  return summaryOutcome(await client['transaction.detail']({ params }), connection, {
    headline: 'Added the files.',
  });
}
