// `esign tx send`: from files at hand to somebody being asked to sign.

import { defineCommand } from '../../../command/command.ts';
import type { Uses } from '../../../command/context.ts';
import { usageError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { ARGUMENTS, OPTIONS, type SendInput } from './options.ts';

export const command = defineCommand({
  summary: 'send files for signature',
  details:
    'Uploads the files, creates a transaction with them, sets recipients and fields, and starts it. Everything that ' +
    'can be checked here is checked before the first request. Whoever signs and has no field gets a signature box at ' +
    'the foot of the last page of the last file. See `esign help fields`. What no option says, ' +
    'esign.config.json of this folder may say (`esign help config`). At a terminal it asks for what is missing. What the service ' +
    'could not keep or show of a file is told before anybody is asked to sign.',
  arguments: ARGUMENTS,
  options: OPTIONS,
  json: '{id, name, status, outcome, profile, url, plan, recipient: {name, email}, documents: […], recipients: […]}; with --dry-run {dry_run, profile, transaction, files: […], templates, recipients: […], fields: […], steps: […]}',
  examples: [
    { line: 'esign tx send contract.pdf --to "Ada <ada@example.com>"', about: 'ask Ada for a signature' },
    {
      line: 'esign tx send contract.pdf --to "Ada <ada@example.com>" --field "signature@last:60%,80%,30%x6%" --field "date@last:60%,88%,30%x3%"',
      about: 'say what is filled in where',
    },
  ],
  async run(context, input) {
    await checkAfterwards(input.options);
    return input.options.resume === undefined
      ? sendNow(context, input)
      : goOn(context, input, input.options.resume);
  },
});

/** What every plan does. */
const STEPS = ['file.upload', 'transaction.create', 'transaction.update', 'transaction.detail'] as const;

/** Files, the service and the rest of the program are read at the same time: each waits for the disk. */
async function sendNow(
  context: Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>,
  typed: SendInput,
): Promise<Outcome> {
  const [{ interpretSchemas }, { createFileReader, readDocuments }] = await Promise.all([
    import('../../../process/zod-interpreter.ts'),
    import('../../../input/local-file.ts'),
  ]);
  interpretSchemas();
  const { withProject } = await import('../../../transactions/project-defaults.ts');
  const { input: given, decidesWhoIsAsked } = await withProject(context, typed);
  const input = isComplete(given) ? given : await completed(context, given);
  const [files, connecting] = [
    readDocuments(input.args.file, createFileReader(context)),
    context.connections.connect(),
  ];
  for (const one of [files, connecting]) one.catch(() => undefined); // awaited below, in the order of what to say first
  const { readSendInput } = await import('./input.ts');
  const read = await readSendInput(context, input, files);
  const connection = await connecting;
  const { mustBeGranted } = await import('./required-scopes.ts');
  mustBeGranted(connection, STEPS);
  const { plan, contents } = await read.planFor(connection);
  if (input.options['dry-run']) {
    const { planOutcome } = await import('./plan-view.ts');
    const { everybodyAsked } = await import('./template-recipients.ts');
    const { withForeseenRemarks } = await import('./foreseen-remarks.ts');
    const foreseen = await withForeseenRemarks(context, plan, connection, await files);
    return planOutcome(foreseen, connection, await everybodyAsked(plan, connection));
  }
  if (input !== given || (decidesWhoIsAsked && context.prompts.canAsk)) {
    const { confirmSending } = await import('./wizard.ts');
    await confirmSending(context, plan, connection);
  }
  const { sendNew } = await import('./run-plan.ts');
  return sentOutcome(
    context,
    connection,
    { planId: plan.id, options: input.options },
    await sendNew(context, connection, plan, contents),
  );
}

/** Something to sign, and somebody who does. */
const isComplete = ({ args, options }: SendInput): boolean =>
  options.template.length > 0 || (args.file.length > 0 && options.to.length > 0);

async function completed(
  context: Uses<'connections' | 'process' | 'prompts' | 'terminal'>,
  given: SendInput,
): Promise<SendInput> {
  const wizard = await import('./wizard.ts');
  return wizard.completed(context, given);
}

async function goOn(
  context: Uses<'connections' | 'history' | 'process' | 'settings' | 'terminal'>,
  { args, options }: SendInput,
  planId: string,
): Promise<Outcome> {
  const { resume: _, open, wait, timeout, download, 'url-output': __, ...others } = options;
  const another =
    args.file.length > 0 ? 'a FILE' : Object.entries(others).find(([, value]) => isGiven(value))?.[0];
  if (another !== undefined)
    throw usageError(
      'resume_with_more',
      `--resume goes on with the plan as it was; ${another === 'a FILE' ? another : `--${another}`} does not go with it.`,
      'Leave it out, or send anew.',
    );
  const { readResumable } = await import('./resume.ts');
  const { resume } = await import('./run-plan.ts');
  const { resumable, connection, contents } = await readResumable(context, planId);
  return sentOutcome(
    context,
    connection,
    { planId, options },
    await resume(context, connection, resumable, contents),
  );
}

/** What is to happen once it is sent. */
async function checkAfterwards(options: SendInput['options']): Promise<void> {
  const { draft, wait, open, timeout, download } = options;
  if (download !== undefined && !wait)
    throw usageError(
      'options_conflict',
      'The documents can be downloaded when everybody has signed.',
      'Give --wait as well, or download them later with `esign tx download`.',
    );
  if (timeout !== undefined && !wait)
    throw usageError('options_conflict', '--timeout says how long to wait.', 'Give --wait as well.');
  if (draft && (wait || open))
    throw usageError(
      'options_conflict',
      `Nobody signs a draft: --${wait ? 'wait' : 'open'} and --draft do not go together.`,
      'Leave one of them out.',
    );
  if (timeout !== undefined) (await import('../../../input/duration.ts')).parseDuration('--timeout', timeout);
}

async function browse(context: Uses<'connections' | 'terminal'>, connection: Connection, url: string) {
  const { browseTo } = await import('../../../transactions/browse.ts');
  return browseTo(context, connection, url);
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

type Sent = Awaited<ReturnType<typeof import('./run-plan.ts').sendNew>>;

async function sentOutcome(
  context: Uses<'connections' | 'process' | 'settings' | 'terminal'>,
  connection: Connection,
  { planId, options }: { planId: string; options: SendInput['options'] },
  { transaction, url }: Sent,
): Promise<Outcome> {
  const { currentRecipient, outcomeOf, person, summaryOutcome } = await import(
    '../../../transactions/view.ts'
  );
  const current = currentRecipient(transaction);
  const outcome = outcomeOf(transaction);
  const headline = current
    ? `${person(current)} is asked to sign now.`
    : outcome === 'draft'
      ? 'The draft is ready.'
      : `The transaction is ${outcome}.`;
  const forActions = { summary: true, url: options['url-output'] };
  const browsed = options.open && url !== undefined ? await browse(context, connection, url) : undefined;
  if (options.wait) {
    context.terminal.actions?.mask([url]);
    context.terminal.progress.note(headline);
    if (url !== undefined) context.terminal.progress.note(`address: ${url}`);
    for (const note of browsed?.notes ?? []) context.terminal.progress.note(note);
    const { timeoutOf, waitFor } = await import('../../../transactions/wait.ts');
    const wish = { target: 'completed', timeoutMs: timeoutOf(options.timeout) } as const;
    const waited = await waitFor(context, connection, transaction.id, wish, { plan: planId, url });
    const done = { ...waited, actions: forActions };
    if (options.download === undefined || waited.exit !== 0) return done;
    const { withDownloads } = await import('../../../transactions/download.ts');
    return withDownloads(context, connection, transaction.id, done, options.download);
  }
  return {
    ...summaryOutcome(transaction, connection, {
      url,
      headline,
      entries: [{ key: 'plan', value: planId }],
      json: { plan: planId },
    }),
    actions: forActions,
    notes:
      browsed?.notes ??
      (await notes(context, connection, { draftId: outcome === 'draft' ? transaction.id : undefined, url })),
  };
}

/** What to do next: start the draft, or have the address answered. */
async function notes(
  context: Uses<'connections'>,
  { isSandbox, appUrl }: Connection,
  known: { draftId: string | undefined; url: string | undefined },
): Promise<string[]> {
  if (known.draftId !== undefined) return [`start it with: esign tx start ${known.draftId}`];
  if (!isSandbox || known.url === undefined || (await context.connections.isAnswering(appUrl))) return [];
  const { SERVE_FIRST } = await import('../../../transactions/browse.ts');
  return [SERVE_FIRST];
}
