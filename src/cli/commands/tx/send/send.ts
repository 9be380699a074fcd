// `esign tx send`: uploads files, creates a transaction and asks the recipients to sign.

import { defineCommand } from '../../../command/command.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { parseDuration } from '../../../input/duration.ts';
import { createFileReader, readLocalFiles } from '../../../input/local-file.ts';
import { checkDownload } from '../../../transactions/download.ts';
import { warnOfFields } from '../../../transactions/field-warnings.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { type ProjectDefaults, withProject } from '../../../transactions/project-defaults.ts';
import { rememberRefusal } from '../../../transactions/sender.ts';
import { editAndStart } from './edit-and-start.ts';
import { type Contents, type SendPolicy, sendNew } from './execute-plan.ts';
import { readSendInput } from './input.ts';
import { SEND_ARGUMENTS, SEND_OPTIONS, type SendInput } from './options.ts';
import { showPlan } from './plan-view.ts';
import { reportSent } from './report.ts';
import { mustBeGranted } from './required-scopes.ts';
import { readResumable, resumePlan } from './resume.ts';
import { answersIn, changeAnswer, confirmSending, runWizard } from './wizard.ts';

export const command = defineCommand({
  summary: 'Send documents for signature',
  details: `Uploads the files, creates a transaction, and starts it, which invites the first recipient. A recipient without
a field gets a signature field below the text of the last page of the last FILE; \`esign tx preview\` shows
where. Word documents and images are converted to PDF; one that loses content is named in a warning, and in scripts refused
unless --accept-losses is given.

At a terminal, you are prompted for missing input. Defaults come from \`esign.config.json\` in the current directory
(see \`esign help config\`).`,
  manual: `FILE is required unless --template or --resume is given. A field that covers text is named in a warning. Files, recipients, texts, and the form and place of fields on PDF files are checked before the first
request. The rest is checked on the way, by the service or, once it has converted a document, by esign; if something is
refused, a draft may be left. A document with a page that cannot be displayed is refused. --dry-run converts nothing, so it
does not show what a conversion loses. Without FILE, no field is added to those of a template.
At a terminal, you confirm the recipients of a template before they are asked.`,
  arguments: SEND_ARGUMENTS,
  options: SEND_OPTIONS,
  json: '{id, name, status, outcome, profile, url?, plan, recipient?: {name, email}, reason?, rejected_by?: {name, email}, documents: […], recipients: […], warnings: [{code, message, document, page, type, recipient, words: […]}]}; with --download also {files: [{path, document, kind, sha256, bytes}]}; with --dry-run {dry_run, profile, transaction, files: […], templates, recipients: […], fields: […], steps: […], warnings: […]}',
  examples: [
    { line: 'esign tx send contract.pdf --to "Ada <ada@example.com>"', about: 'Ask Ada for a signature' },
    {
      line: `esign tx send contract.pdf -t "Ada <ada@example.com>" -f 'signature@"For the Customer",at=below'`,
      about: 'Place the signature field at words of the document',
    },
    {
      line: 'esign tx send contract.pdf -t "Ada <ada@example.com>" -w --download signed',
      about: 'Wait for the signature and download the sealed document',
    },
  ],
  async run(context, input) {
    await checkAfterwards(input.options);
    if (input.options.edit && !input.options['dry-run'] && !context.terminal.isForPerson)
      throw cliError('edit_without_terminal');
    return input.options.resume === undefined
      ? sendFiles(context, input)
      : resumeSend(context, input, input.options.resume);
  },
});

/** The operations of every plan. */
const STEPS = ['file.upload', 'transaction.create', 'transaction.update', 'transaction.detail'] as const;

type SendContext = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;

/** Sends files. It reads the files, connects and loads the rest of the program at the same time, because each waits for the disk. */
async function sendFiles(context: SendContext, typed: SendInput): Promise<Outcome> {
  const [{ interpretSchemas }] = await Promise.all([
    import('../../../process/zod-interpreter.ts'),
    import('../../../input/local-file.ts'),
  ]);
  interpretSchemas();
  const prepared = await context.prompts.series(() => prepare(context, typed));
  return 'shown' in prepared ? prepared.shown : execute(context, prepared);
}

/** Asks for what is missing, plans, and lets a person confirm the plan. It sends nothing, because a person can go back and change an answer. */
async function prepare(context: SendContext, typed: SendInput): Promise<Execution | { shown: Outcome }> {
  const { input: completed, unasked, isToBeConfirmed, defaults } = await completeInput(context, typed);
  let input = completed;
  const connecting = context.connections.connect();
  connecting.catch(() => undefined); // awaited below, in the order of what to say first
  for (;;) {
    const files = readLocalFiles(input.args.file, createFileReader(context));
    files.catch(() => undefined);
    const read = await readSendInput(context, input, files, { defaults, isConfirmed: isToBeConfirmed });
    const connection = await connecting;
    mustBeGranted(connection, STEPS);
    const { plan, contents } = await read.planFor(connection);
    if (input.options.download !== undefined) {
      await checkDownload(
        context,
        input.options.download,
        plan.files.map(({ name }) => name),
      );
    }
    if (input.options['dry-run']) {
      return { shown: await showPlan(context, plan, connection, await files) };
    }
    if (plan.warnings && plan.warnings.length > 0) {
      warnOfFields(context, plan.warnings);
    }
    if (isToBeConfirmed) {
      const answers = answersIn(unasked, input);
      const change = await confirmSending(context, plan, connection, answers);
      if (change !== undefined) {
        input = await changeAnswer(context, input, change);
        continue;
      }
    }
    return { connection, input, plan, contents };
  }
}

type Execution = { connection: Connection; input: SendInput; plan: Plan; contents: Contents };

async function execute(
  context: SendContext,
  { connection, input, plan, contents }: Execution,
): Promise<Outcome> {
  const execution = { plan, contents, policy: policyOf(context, input) };
  const sent = await executeNew(context, connection, execution);
  if (plan.isEdited) {
    return editAndStart(context, connection, { plan, options: input.options }, sent);
  }
  return reportSent(context, connection, { plan, options: input.options }, sent);
}

type CompleteInput = {
  input: SendInput;
  /** The input before a person answered anything. */
  unasked: SendInput;
  /** Whether a person decided who is asked, and is shown the plan before it is sent. */
  isToBeConfirmed: boolean;
  defaults: ProjectDefaults;
};

/** Adds the defaults of the project file, and asks a person at a terminal for what is missing. */
async function completeInput(context: SendContext, typed: SendInput): Promise<CompleteInput> {
  const { input, decidesWhoIsAsked, defaults } = await withProject(
    context,
    typed,
    (option) => option !== 'field' || hasPlaceForFields(typed),
  );
  const { template, draft, edit, 'dry-run': isDryRun } = input.options;
  // Recipients of a template were not typed here. A draft asks nobody.
  const asksOthers = template.length > 0 && !draft && !edit && !isDryRun;
  const isAsked = (decidesWhoIsAsked || asksOthers) && context.prompts.canAsk;
  if (isComplete(input)) return { input, unasked: input, isToBeConfirmed: isAsked, defaults };
  const answered = await runWizard(context, input);
  return { input: answered, unasked: input, isToBeConfirmed: answered !== input || isAsked, defaults };
}

/** Whether there are documents and recipients. */
const isComplete = ({ args, options }: SendInput): boolean =>
  options.template.length > 0 || (args.file.length > 0 && options.to.length > 0);

/** Whether fields of a project file apply: the documents of a template have its fields; a missing file will be asked for. */
const hasPlaceForFields = ({ args, options }: SendInput): boolean =>
  args.file.length > 0 || options.template.length === 0;

/** Accepts lost content at a terminal, where a person reads the warning. */
const policyOf = ({ prompts }: Uses<'prompts'>, { options }: Pick<SendInput, 'options'>): SendPolicy => ({
  acceptsLosses: options['accept-losses'] === true || prompts.canAsk,
});

async function executeNew(
  context: SendContext,
  connection: Connection,
  { plan, contents, policy }: { plan: Plan; contents: Contents; policy: SendPolicy },
) {
  try {
    return await sendNew(context, connection, plan, contents, policy);
  } catch (error) {
    await rememberRefusal(connection, plan.sender, error);
    throw error;
  }
}

async function resumeSend(
  context: SendContext,
  { args, options }: SendInput,
  planId: string,
): Promise<Outcome> {
  const {
    resume: _,
    open,
    wait,
    timeout,
    download,
    'url-output': __,
    'accept-losses': ___,
    ...others
  } = options;
  const another =
    args.file.length > 0 ? 'a FILE' : Object.entries(others).find(([, value]) => isGiven(value))?.[0];
  if (another !== undefined)
    throw cliError('resume_with_more', { other: another === 'a FILE' ? 'a file' : `--${another}` });
  const { resumable, connection, contents } = await readResumable(context, planId);
  const policy = policyOf(context, { options });
  const sent = await resumePlan(context, connection, resumable, contents, policy);
  return reportSent(context, connection, { plan: resumable.plan, options }, sent);
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Checks the options for what happens after sending. */
async function checkAfterwards(options: SendInput['options']): Promise<void> {
  const { draft, wait, open, timeout, download } = options;
  if (download !== undefined && !wait)
    throw cliError('options_conflict', { option: '--download', needs: '--wait' });
  if (timeout !== undefined && !wait)
    throw cliError('options_conflict', { option: '--timeout', needs: '--wait' });
  if (draft && (wait || open))
    throw cliError('options_conflict', {
      option: `--${wait ? 'wait' : 'open'}`,
      conflictsWith: '--draft',
      why: 'A draft cannot be signed.',
    });
  if (timeout !== undefined) parseDuration('--timeout', timeout);
}
