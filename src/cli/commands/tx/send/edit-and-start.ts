// `tx send --edit`: opens the editor of the draft, starts it when the sender is done there, and reports it as sent.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { editInBrowser } from '../../../transactions/edit-in-browser.ts';
import { withSigningPages } from '../../../transactions/signing-pages.ts';
import { startOnce } from '../../../transactions/start-once.ts';
import { signingUrlOf, withoutSignature, withoutSignatureSentence } from '../../../transactions/view.ts';
import type { SentPlan } from './execute-plan.ts';
import { type ReportOptions, reportSent } from './report.ts';

type EditContext = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;

/** @param sent the draft. What was saved in the editor stays, also where the command is interrupted meanwhile. */
export async function editAndStart(
  context: EditContext,
  connection: Connection,
  report: ReportOptions,
  sent: SentPlan,
): Promise<Outcome> {
  const { id } = sent.transaction;
  const { note } = context.terminal.progress;
  note(
    `The draft is ${id}. If you interrupt this command, continue with \`esign tx fields ${id} --edit\` and \`esign tx start ${id}\`.`,
  );
  const edited = await editInBrowser(context, connection, id, {
    waits: true,
    sends: !report.options.draft,
  });
  if (edited.kind === 'opened') return edited.shown;
  const detail = () => connection.client['transaction.detail']({ params: { transactionId: id } });
  const isToBeStarted = !report.options.draft && (await isComplete(context, await detail()));
  const answered = isToBeStarted ? await startOnce(connection, id, note) : undefined;
  const transaction = await detail();
  const url = answered ?? signingUrlOf(transaction, (await withSigningPages(connection, transaction)).appUrl);
  // Nobody can sign what stays a draft.
  const options = isToBeStarted ? report.options : { ...report.options, wait: false, open: false };
  return reportSent(context, connection, { ...report, options }, { ...sent, transaction, url });
}

/** Returns true if all signers have a field for a signature, or the person sends it nevertheless. Otherwise it stays a draft. */
async function isComplete(
  { prompts, terminal }: Pick<EditContext, 'prompts' | 'terminal'>,
  transaction: ReceivedTransaction,
): Promise<boolean> {
  const people = withoutSignature(transaction);
  if (people.length === 0) return true;
  terminal.progress.warn(withoutSignatureSentence(people));
  return prompts.canAsk && prompts.confirm('Send it nevertheless?');
}
