// Uploads files and adds each to a draft. All are read and checked before the first one leaves.
import type { App } from '../app.ts';
import { StoppedOnTheWay, usageError } from '../errors.ts';
import { readDocuments } from '../input/local-file.ts';
import type { Outcome } from '../outcome.ts';
import { summaryOutcome } from '../views/transaction.ts';

export async function uploadTo(app: App, transactionId: string, paths: readonly string[]): Promise<Outcome> {
  if (paths.filter((path) => path === '-').length > 1)
    throw usageError('stdin_twice', 'Standard input can be read once only.', 'Name - once.');
  const files = await readDocuments(paths, app);
  const connection = await app.connect();
  const { client } = connection;
  const params = { transactionId };
  for (const { name, bytes } of files) {
    try {
      app.checkpoint();
      const { token } = await app.talk.step(`upload ${name}`, (onSent) =>
        client['file.upload']({ form: { name }, file: { name, content: bytes } }, { onSent }),
      );
      await app.talk.step(`add ${name}`, () =>
        client['transaction.add_document']({ params, body: { token } }),
      );
    } catch (error) {
      throw new StoppedOnTheWay(error, {
        partial: { id: transactionId },
        next: [{ command: `esign tx show ${transactionId}`, when: 'to see which documents it has' }],
      });
    }
  }
  return summaryOutcome(await client['transaction.detail']({ params }), connection, { headline: 'Added.' });
}
