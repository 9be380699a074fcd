// Reports what was sent, after the steps that the options ask for: open the signing page, wait, download, serve.

import type { Uses } from '../command/context.ts';
import type { ForActions, Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { browseServed, SERVE_FIRST } from './browse.ts';
import { downloadAfterWait } from './download.ts';
import type { SentPlan } from './execute.ts';
import type { SendInput } from './options.ts';
import type { Plan } from './plan.ts';
import { currentRecipient, outcomeOf, person, summaryOutcome } from './view.ts';
import { serveUntilSigned, serveWhile, timeoutOf, waitFor } from './wait.ts';

type ReportContext = Uses<'connections' | 'history' | 'process' | 'settings' | 'terminal'>;

export type ReportOptions = { plan: Plan; options: SendInput['options'] };

export async function reportSent(
  context: ReportContext,
  connection: Connection,
  { plan, options }: ReportOptions,
  sent: SentPlan,
): Promise<Outcome> {
  const { transaction, url, warnings } = sent;
  const browsed = options.open && url !== undefined ? await browse(context, connection, url) : undefined;
  if (options.wait) return reportSigned(context, connection, { plan, options, browsed }, sent);
  const shown: Outcome = {
    ...summaryOutcome(transaction, connection, {
      url,
      headline: headlineOf(sent),
      entries: [{ key: 'plan', value: plan.id }],
      json: { plan: plan.id, warnings },
    }),
    actions: actionsOf(connection, { plan, options }),
    notes: browsed?.notes ?? (await nextSteps(context, connection, sent)),
  };
  if (!browsed?.serving) return shown;
  return serveUntilSigned(context, connection, { transaction, serving: browsed.serving, shown });
}

async function browse(context: Uses<'connections' | 'terminal'>, connection: Connection, url: string) {
  return browseServed(context, connection, url);
}

/** Waits until all recipients have signed, and downloads the documents if --download is given. */
async function reportSigned(
  context: ReportContext,
  connection: Connection,
  { plan, options, browsed }: ReportOptions & { browsed: Awaited<ReturnType<typeof browse>> | undefined },
  sent: SentPlan,
): Promise<Outcome> {
  const { transaction, url, warnings } = sent;
  const { actions, progress } = context.terminal;
  actions?.mask([url]);
  progress.note(headlineOf(sent));
  if (url !== undefined) progress.note(`Signing URL: ${url}`);
  for (const note of browsed?.notes ?? []) progress.note(note);
  const waitOptions = { target: 'completed', timeoutMs: timeoutOf(options.timeout) } as const;
  const waited = await serveWhile(context, browsed?.serving, () =>
    waitFor(context, connection, transaction.id, waitOptions, { plan: plan.id, url, warnings }),
  );
  const done = { ...waited, actions: actionsOf(connection, { plan, options }) };
  if (options.download === undefined || waited.exit !== 0) return done;
  return downloadAfterWait(context, connection, transaction.id, done, options.download);
}

function headlineOf({ transaction }: SentPlan): string {
  const current = currentRecipient(transaction);
  if (current) return `Sent to ${person(current)}.`;
  const outcome = outcomeOf(transaction);
  return outcome === 'draft' ? 'Created the draft.' : `The transaction is ${outcome}.`;
}

/** What a job of GitHub Actions shows in its summary. */
const actionsOf = (connection: Connection, { plan, options }: ReportOptions): ForActions => ({
  summary: true,
  url: options['url-output'],
  sent: plan.files,
  dashboard: connection.isSandbox ? undefined : connection.dashboardUrl,
});

/** Says what to do next: start the draft, or serve the signing page. */
async function nextSteps(
  context: Uses<'connections'>,
  { isSandbox, appUrl }: Connection,
  { transaction, url }: SentPlan,
): Promise<string[]> {
  if (outcomeOf(transaction) === 'draft') return [`To start it, run \`esign tx start ${transaction.id}\`.`];
  if (!isSandbox || url === undefined || (await context.connections.isAnswering(appUrl))) return [];
  return [SERVE_FIRST];
}
