// `tx send --edit`: opens the editor of the draft, starts it when the sender is done there, and reports it as sent.
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { editInBrowser } from '../../../transactions/edit-in-browser.ts';
import { startOnce } from '../../../transactions/start-once.ts';
import { signingUrlOf } from '../../../transactions/view.ts';
import type { SentPlan } from './execute-plan.ts';
import { type ReportOptions, reportSent } from './report.ts';

type EditContext = Uses<'connections' | 'history' | 'process' | 'settings' | 'terminal'>;

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
  const edited = await editInBrowser(context, connection, id, true);
  if (edited.kind === 'opened') return edited.shown;
  const answered = report.options.draft ? undefined : await startOnce(connection, id, note);
  const transaction = await connection.client['transaction.detail']({ params: { transactionId: id } });
  const url = answered ?? signingUrlOf(transaction, connection.appUrl);
  return reportSent(context, connection, report, { ...sent, transaction, url });
}
