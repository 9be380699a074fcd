// `esign tx send`: from files at hand to somebody being asked to sign.
import type { App, Connection } from '../../app.ts';
import { defineCommand, type Input } from '../../command.ts';
import { usageError } from '../../errors.ts';
import type { Outcome } from '../../outcome.ts';
import { TEXT_OPTIONS } from './text-options.ts';

const ARGUMENTS = [
  {
    name: 'file',
    repeat: true,
    optional: true,
    completes: 'file',
    summary: 'what is to be signed; - is standard input',
  },
] as const;

const OPTIONS = {
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    summary: 'who is asked, in this order: "Name <email>[;role=proxy]"',
  },
  sender: { value: 'PERSON', summary: 'who sends: "Name <email>", the user of the service' },
  template: {
    value: 'ID',
    repeat: true,
    completes: 'template',
    summary: 'begin with the content of this template',
  },
  ...TEXT_OPTIONS,
  name: { value: 'TEXT', summary: 'name of the transaction (otherwise that of the first file or template)' },
  notify: { value: 'URL', summary: 'address that is told about this transaction' },
  field: {
    value: 'SPEC',
    repeat: true,
    summary: 'what is filled in where: TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]',
  },
  fields: { value: 'FILE', completes: 'file', summary: 'fields as JSON' },
  draft: { summary: 'do everything but start it' },
  'dry-run': { summary: 'print the plan; send nothing' },
  open: { summary: 'open the address at which the first recipient signs' },
  wait: { summary: 'wait until everybody has signed; see `esign tx wait`' },
  timeout: { value: 'DURATION', summary: 'with --wait: how long, as 30s, 10m, 2h, 1d' },
  'url-output': { summary: 'in GitHub Actions: the signing address as the output url as well' },
  resume: { value: 'PLAN', summary: 'go on with a plan that was cut off' },
} as const;

export type SendInput = Input<typeof ARGUMENTS, typeof OPTIONS>;

export const command = defineCommand({
  summary: 'send files for signature',
  details:
    'Uploads the files, creates a transaction with them, sets recipients and fields, and starts it. Everything that ' +
    'can be checked here is checked before the first request. Whoever signs and has no field gets a signature box at ' +
    'the foot of the last page of the last file. See `esign help fields`. What no option says, ' +
    'esign.config.json of this folder may say (`esign help config`). At a terminal it asks for what is missing.',
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
  async run(app, input) {
    await checkAfterwards(input.options);
    return input.options.resume === undefined ? sendNow(app, input) : goOn(app, input, input.options.resume);
  },
});

/** What every plan does. */
const STEPS = ['file.upload', 'transaction.create', 'transaction.update', 'transaction.detail'] as const;

/** Files, the service and the rest of the program are read at the same time: each waits for the disk. */
async function sendNow(app: App, typed: SendInput): Promise<Outcome> {
  const [{ interpretChecks }, { readDocuments }] = await Promise.all([
    import('../../interpreted-checks.ts'),
    import('../../input/local-file.ts'),
  ]);
  interpretChecks();
  const { withProject } = await import('../../flows/project.ts');
  const given = await withProject(app, typed);
  const input = isComplete(given) ? given : await completed(app, given);
  const [files, connecting] = [readDocuments(input.args.file, app), app.connect()];
  for (const one of [files, connecting]) one.catch(() => undefined); // awaited below, in the order of what to say first
  const { readSendInput } = await import('../../flows/send-input.ts');
  const read = await readSendInput(app, input, files);
  const connection = await connecting;
  const { mustBeGranted } = await import('../../flows/granted.ts');
  mustBeGranted(connection, STEPS);
  const { plan, contents } = await read.planFor(connection);
  if (input.options['dry-run']) {
    const { planOutcome } = await import('../../views/plan.ts');
    return planOutcome(plan, connection);
  }
  if (input !== given) {
    const { confirmSending } = await import('../../flows/send-wizard.ts');
    await confirmSending(app, plan, connection);
  }
  const { sendNew } = await import('../../flows/send.ts');
  return sentOutcome(
    app,
    connection,
    { planId: plan.id, options: input.options },
    await sendNew(app, connection, plan, contents),
  );
}

/** Something to sign, and somebody who does. */
const isComplete = ({ args, options }: SendInput): boolean =>
  options.template.length > 0 || (args.file.length > 0 && options.to.length > 0);

async function completed(app: App, given: SendInput): Promise<SendInput> {
  const wizard = await import('../../flows/send-wizard.ts');
  return wizard.completed(app, given);
}

async function goOn(app: App, { args, options }: SendInput, planId: string): Promise<Outcome> {
  const { resume: _, open, wait, timeout, 'url-output': __, ...others } = options;
  const another =
    args.file.length > 0 ? 'a FILE' : Object.entries(others).find(([, value]) => isGiven(value))?.[0];
  if (another !== undefined)
    throw usageError(
      'resume_with_more',
      `--resume goes on with the plan as it was; ${another === 'a FILE' ? another : `--${another}`} does not go with it.`,
      'Leave it out, or send anew.',
    );
  const { readResumable } = await import('../../flows/resume-input.ts');
  const { resume } = await import('../../flows/send.ts');
  const { resumable, connection, contents } = await readResumable(app, planId);
  return sentOutcome(
    app,
    connection,
    { planId, options },
    await resume(app, connection, resumable, contents),
  );
}

/** What is to happen once it is sent. */
async function checkAfterwards({ draft, wait, open, timeout }: SendInput['options']): Promise<void> {
  if (timeout !== undefined && !wait)
    throw usageError('options_conflict', '--timeout says how long to wait.', 'Give --wait as well.');
  if (draft && (wait || open))
    throw usageError(
      'options_conflict',
      `Nobody signs a draft: --${wait ? 'wait' : 'open'} and --draft do not go together.`,
      'Leave one of them out.',
    );
  if (timeout !== undefined) (await import('../../input/duration.ts')).parseDuration('--timeout', timeout);
}

async function browse(app: App, connection: Connection, url: string) {
  const { browseTo } = await import('../../flows/browse.ts');
  return browseTo(app, connection, url);
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

type Sent = Awaited<ReturnType<typeof import('../../flows/send.ts').sendNew>>;

async function sentOutcome(
  app: App,
  connection: Connection,
  { planId, options }: { planId: string; options: SendInput['options'] },
  { transaction, url }: Sent,
): Promise<Outcome> {
  const { currentRecipient, outcomeOf, person, summaryOutcome } = await import('../../views/transaction.ts');
  const current = currentRecipient(transaction);
  const outcome = outcomeOf(transaction);
  const headline = current
    ? `${person(current)} is asked to sign now.`
    : outcome === 'draft'
      ? 'The draft is ready.'
      : `The transaction is ${outcome}.`;
  const forActions = { summary: true, url: options['url-output'] };
  const browsed = options.open && url !== undefined ? await browse(app, connection, url) : undefined;
  if (options.wait) {
    app.actions?.mask([url]);
    app.talk.note(headline);
    if (url !== undefined) app.talk.note(`address: ${url}`);
    for (const note of browsed?.notes ?? []) app.talk.note(note);
    const { timeoutOf, waitFor } = await import('../../flows/wait.ts');
    const wish = { target: 'completed', timeoutMs: timeoutOf(options.timeout) } as const;
    const waited = await waitFor(app, connection, transaction.id, wish, { plan: planId, url });
    return { ...waited, actions: forActions };
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
      (await notes(app, connection, { draftId: outcome === 'draft' ? transaction.id : undefined, url })),
  };
}

/** What to do next: start the draft, or have the address answered. */
async function notes(
  app: App,
  { isSandbox, appUrl }: Connection,
  known: { draftId: string | undefined; url: string | undefined },
): Promise<string[]> {
  if (known.draftId !== undefined) return [`start it with: esign tx start ${known.draftId}`];
  if (!isSandbox || known.url === undefined || (await app.isAnswering(appUrl))) return [];
  const { SERVE_FIRST } = await import('../../flows/browse.ts');
  return [SERVE_FIRST];
}
