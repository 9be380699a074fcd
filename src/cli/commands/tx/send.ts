// `esign tx send`: uploads files, creates a transaction and asks the recipients to sign: read → place → plan → execute → report (src/cli/sending).
import { optionNeeds, optionsConflict } from '../../command/wrong-input.ts';
import '../../process/zod-interpreter.ts';

import { isScoped } from '../../../api/contract/operation.ts';
import { API_OPERATIONS } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import { mustBeConfirmed } from '../../command/confirmed.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import {
  boolean,
  brief,
  list,
  nameOnly,
  nullable,
  number,
  object,
  only,
  prints,
  text,
} from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { PERSON } from '../../command/shared-json.ts';
import { FIELD_WARNING, REJECTED, REMARK, transaction } from '../../command/transaction-json.ts';
import type { Connection } from '../../connection/connection.ts';
import { readLocalFiles } from '../../input/documents.ts';
import { createFileReader } from '../../input/files.ts';
import { parseDuration } from '../../input/parse-input.ts';
import { checkDownload } from '../../sending/download.ts';
import { showPlan } from '../../sending/dry-run.ts';
import { editAndStart } from '../../sending/edit.ts';
import { type SendPolicy, sendNew } from '../../sending/execute.ts';
import { SEND_ARGUMENTS, SEND_OPTIONS, type SendInput } from '../../sending/options.ts';
import {
  type PlannedSending,
  type ProjectDefaults,
  planSending,
  readSendInput,
  withProject,
} from '../../sending/read-input.ts';
import { rememberRefusal } from '../../sending/recipients.ts';
import { warnOfFields } from '../../sending/remarks.ts';
import { reportSent } from '../../sending/report.ts';
import { readResumable, resumePlan } from '../../sending/resume.ts';
import { answersIn, changeAnswer, confirmSending, runWizard } from '../../sending/wizard.ts';

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
  json: prints(
    transaction(
      { 'url?': text, plan: text, 'recipient?': PERSON, ...REJECTED },
      { warnings: list(brief(FIELD_WARNING)) },
    ),
    '; with --download also ',
    object({
      files: list(object({ path: text, document: text, kind: text, sha256: text, bytes: number })),
    }),
    '; with --dry-run ',
    object({
      dry_run: nameOnly(only(true)),
      profile: text,
      transaction: nameOnly(
        object({
          'name?': text,
          'description?': text,
          'email_subject?': text,
          'email_body?': text,
          'email_alias?': text,
          'expiration_days?': number,
          'edit_navigation?': boolean,
          notification_endpoint: nullable(text),
        }),
      ),
      files: list(
        brief(
          object({
            name: text,
            pages: nullable(number),
            remarks: list(REMARK),
            sha256: text,
            size_bytes: number,
          }),
        ),
      ),
      templates: nameOnly(list(text)),
      recipients: list(
        brief(object({ name: text, email: text, role: text, 'template_fields?': list(text) })),
      ),
      fields: list(
        brief(
          object({
            document: number,
            recipient: text,
            type: text,
            'words?': object({
              text,
              'page?': number,
              'x?': number,
              'y?': number,
              'width?': number,
              'height?': number,
            }),
            'label?': text,
            'value?': text,
            'helper_text?': text,
            'options?': list(text),
            'readonly?': only(true),
            'form_field?': text,
            'tag?': text,
            'page?': number,
            'positionX?': number,
            'positionY?': number,
            'width?': number,
            'height?': number,
          }),
        ),
      ),
      'drawn_values?': list(brief(object({ document: number, page: number, type: text, value: text }))),
      steps: list(brief(object({ operation: text, request: text, what: text }))),
      warnings: list(brief(FIELD_WARNING)),
    }),
  ),
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
    checkAfterwards(input.options);
    if (input.options.edit && !input.options['dry-run'] && !context.terminal.isForPerson)
      throw cliError('edit_without_terminal', {
        sentence: '--edit waits for a person at a terminal, and there is none.',
        hint: 'Create the draft with --draft, and open the URL that `esign tx fields ID --edit` prints.',
      });
    return input.options.resume === undefined
      ? sendFiles(context, input)
      : resumeSend(context, input, input.options.resume);
  },
});

type SendContext = Uses<'connections' | 'history' | 'process' | 'prompts' | 'settings' | 'terminal'>;

async function sendFiles(context: SendContext, typed: SendInput): Promise<Outcome> {
  const prepared = await context.prompts.series(() => prepare(context, typed));
  if ('dryRun' in prepared) return prepared.dryRun;
  const { connection, input, plan, contents } = prepared;
  const { options } = input;
  const policy = policyOf(context, options);
  const sent = await sendNew(context, connection, plan, contents, policy).catch(async (error: unknown) => {
    await rememberRefusal(connection, plan.sender, error);
    throw error;
  });
  return (plan.isEdited ? editAndStart : reportSent)(context, connection, { plan, options }, sent);
}

type Prepared = PlannedSending & { connection: Connection; input: SendInput };

/** Asks for what is missing, plans, and lets a person confirm the plan. It sends nothing, because a person can go back and change an answer. */
async function prepare(context: SendContext, typed: SendInput): Promise<Prepared | { dryRun: Outcome }> {
  const { input: completed, unasked, isConfirmed, defaults } = await completeInput(context, typed);
  let input = completed;
  const connecting = context.connections.connect();
  connecting.catch(() => undefined); // It is awaited below: errors of the input come first.
  for (;;) {
    const { args, options } = input;
    const reading = readLocalFiles(args.file, createFileReader(context));
    reading.catch(() => undefined);
    const read = await readSendInput(context, input, reading, { defaults, isConfirmed });
    const connection = await connecting;
    checkScopes(connection);
    const { plan, contents } = await planSending(context, connection, options, read);
    const names = plan.files.map(({ name }) => name);
    if (options.download !== undefined) await checkDownload(context, options.download, names);
    const preview = async () => showPlan(context, plan, connection, await reading);
    if (options['dry-run']) return { dryRun: await preview() };
    await mustBeConfirmed(context.settings, async () => (await preview()).json);
    warnOfFields(context, plan.warnings ?? []);
    const change = isConfirmed
      ? await confirmSending(context, plan, connection, answersIn(unasked, input))
      : undefined;
    if (change === undefined) return { connection, input, plan, contents };
    input = await changeAnswer(context, input, change);
  }
}

type CompleteInput = {
  input: SendInput;
  /** The input before a person answered anything. */
  unasked: SendInput;
  /** True if a person decided who is asked: they are shown the plan before it is sent. */
  isConfirmed: boolean;
  defaults: ProjectDefaults;
};

/** Adds the defaults of the project file, and asks a person at a terminal for what is missing. */
async function completeInput(context: SendContext, typed: SendInput): Promise<CompleteInput> {
  // The documents of a template have its fields; a missing file will be asked for.
  const takesFields = typed.args.file.length > 0 || typed.options.template.length === 0;
  const takes = (option: string) => option !== 'field' || takesFields;
  const { input, decidesWhoIsAsked, defaults } = await withProject(context, typed, takes);
  const { template, to, draft, edit, 'dry-run': isDryRun } = input.options;
  // Recipients of a template were not typed here. A draft asks nobody.
  const asksOthers = template.length > 0 && !draft && !edit && !isDryRun;
  const isConfirmed = (decidesWhoIsAsked || asksOthers) && context.prompts.canAsk;
  const isComplete = template.length > 0 || (input.args.file.length > 0 && to.length > 0);
  if (isComplete) return { input, unasked: input, isConfirmed, defaults };
  const answered = await runWizard(context, input);
  return { input: answered, unasked: input, isConfirmed: answered !== input || isConfirmed, defaults };
}

/** Every plan needs these operations. */
const STEPS = ['file.upload', 'transaction.create', 'transaction.update', 'transaction.detail'] as const;

/** Refuses the command before it sends anything. @throws CliError with exit 4 when the login did not ask for a scope that a plan needs */
function checkScopes({ scopes, profile }: Connection): void {
  if (!scopes) return;
  const needed = STEPS.flatMap((id) => {
    const { access } = API_OPERATIONS[id];
    return isScoped(access) ? [access.scope] : [];
  });
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    throw cliError('insufficient_scope', {
      sentence: `The login of the profile "${profile}" lacks the scope ${missing.join(', ')}. Nothing was sent.`,
      hint: 'Log in again with this scope.',
      next: [
        {
          command: `esign login --profile ${profile} --scopes ${[...scopes, ...missing].join(',')}`,
          when: 'to log in with this scope',
        },
      ],
    });
}

/** Accepts lost content at a terminal, where a person reads the warning. */
const policyOf = ({ prompts }: Uses<'prompts'>, options: SendInput['options']): SendPolicy => ({
  acceptsLosses: options['accept-losses'] === true || prompts.canAsk,
});

/** Options that can be given again with --resume, because a plan does not have them. */
const OF_EACH_RUN = ['resume', 'open', 'wait', 'timeout', 'download', 'url-output', 'accept-losses'];

async function resumeSend(
  context: SendContext,
  { args, options }: SendInput,
  planId: string,
): Promise<Outcome> {
  const other = Object.entries(options).find(
    ([name, value]) => !OF_EACH_RUN.includes(name) && isGiven(value),
  );
  const more = args.file.length > 0 ? 'a file' : other && `--${other[0]}`;
  if (more !== undefined)
    throw cliError('resume_with_more', {
      sentence: `--resume and ${more} cannot be used together. The plan is resumed unchanged.`,
      hint: `Leave out ${more}, or send a new transaction without --resume.`,
    });
  const { resumable, connection, contents } = await readResumable(context, planId);
  const sent = await resumePlan(context, connection, resumable, contents, policyOf(context, options));
  return reportSent(context, connection, { plan: resumable.plan, options }, sent);
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Checks the options for what happens after sending. */
function checkAfterwards({ draft, wait, open, timeout, download }: SendInput['options']): void {
  if (download !== undefined && !wait) throw optionNeeds('--download', '--wait');
  if (timeout !== undefined && !wait) throw optionNeeds('--timeout', '--wait');
  if (draft && (wait || open))
    throw optionsConflict(`--${wait ? 'wait' : 'open'}`, '--draft', { why: 'A draft cannot be signed.' });
  if (timeout !== undefined) parseDuration('--timeout', timeout);
}
