// Asks a person at a terminal for the missing input of `tx send`: what is signed and who signs; and, when anything had to be asked,
// whether to send it. It must not ask for anything that was given.
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';
import type { Connection } from '../connection/connection.ts';
import { readLocalFile } from '../input/documents.ts';
import { createFileReader, signableFiles } from '../input/files.ts';
import { parseTypedPerson } from '../input/person.ts';
import { type AskOptions, missingValuesError, notConfirmed } from '../terminal/prompts.ts';
import type { SendInput } from './options.ts';
import type { Plan } from './plan.ts';
import { checkDistinct } from './recipients.ts';
import { resolveRecipients } from './templates.ts';
import { describeFields, person } from './view.ts';

const hasNoDocuments = ({ args, options }: SendInput): boolean =>
  args.file.length === 0 && options.template.length === 0;

const hasNoRecipients = ({ options }: SendInput): boolean =>
  options.to.length === 0 && options.template.length === 0;

/** Earlier answers to the same questions, which Enter keeps. */
type Earlier = { file: string | undefined; to: readonly string[] };

const NOTHING_EARLIER: Earlier = { file: undefined, to: [] };

/** Asks for missing documents and recipients. @throws CliError exit 2 that names everything missing, where no person can be asked */
export async function runWizard(
  context: Uses<'connections' | 'process' | 'prompts' | 'terminal'>,
  input: SendInput,
  earlier: Earlier = NOTHING_EARLIER,
): Promise<SendInput> {
  const { canAsk } = context.prompts;
  if (!canAsk && hasNoDocuments(input) && hasNoRecipients(input))
    throw missingValuesError([
      { what: 'Documents', flag: 'FILE (or --template ID)' },
      { what: 'Recipients', flag: '--to "Name <email>"' },
    ]);
  if (!canAsk) return input;
  const withContent = hasNoDocuments(input) ? await askForDocuments(context, input, earlier.file) : input;
  return hasNoRecipients(withContent) ? askForRecipients(context, withContent, earlier.to) : withContent;
}

const ANOTHER = Symbol('another file');
const TEMPLATE = Symbol('a template');

async function askForDocuments(
  context: Uses<'connections' | 'process' | 'prompts' | 'terminal'>,
  input: SendInput,
  earlier: string | undefined,
): Promise<SendInput> {
  const here = await signableFiles(context.process.workingDir);
  const withFiles = (file: string[]) => ({ ...input, args: { ...input.args, file } });
  const chosen = await context.prompts.choose<string | symbol>(
    'Document to sign',
    'FILE',
    [
      ...here.map((name) => ({ value: name, name })),
      { value: ANOTHER, name: here.length > 1 ? 'several of these, or another file' : 'Another file' },
      { value: TEMPLATE, name: 'a template' },
    ],
    earlier,
  );
  if (chosen === TEMPLATE)
    return { ...input, options: { ...input.options, template: [await askTemplate(context)] } };
  if (typeof chosen === 'string') return withFiles([chosen]);
  if (here.length > 1) {
    const several = await context.prompts.chooseSeveral<string | symbol>('Files', 'FILE', [
      ...here.map((name) => ({ value: name, name })),
      { value: ANOTHER, name: 'Another file' },
    ]);
    const files = several.filter((choice) => typeof choice === 'string');
    return withFiles(files.length < several.length ? [...files, await askPath(context)] : files);
  }
  return withFiles([await askPath(context)]);
}

/** Asks for a path that names a file which can be sent. */
function askPath(context: Uses<'process' | 'prompts' | 'terminal'>): Promise<string> {
  const reader = createFileReader(context);
  return context.prompts.ask('Path of the file', 'FILE', {
    accept(path) {
      if (path === '-')
        throw invalidValue({
          name: 'the path',
          value: path,
          problem: 'is standard input, which is this terminal',
          use: 'the path of a file',
        });
      return readLocalFile(path, reader);
    },
  });
}

async function askTemplate(context: Uses<'connections' | 'prompts'>): Promise<string> {
  const { client } = await context.connections.connect();
  const { items } = await client['template.list']({ query: { limit: '100', page: '1' } });
  if (items.length === 0)
    throw cliError('template_missing', {
      sentence: 'The service has no templates.',
      hint: 'Specify a file to send.',
    });
  return context.prompts.choose(
    'Template',
    '--template ID',
    items.map(({ id, name }) => ({ value: id, name: name || 'untitled', description: id })),
  );
}

const REMOVED = '-';

/** Asks for recipients one after another, in the order in which they sign: first for those of an earlier answer, then until nothing is typed. */
async function askForRecipients(
  { prompts }: Uses<'prompts'>,
  input: SendInput,
  earlier: readonly string[],
): Promise<SendInput> {
  const to: string[] = [];
  const check = (typed: string) =>
    checkDistinct(
      [...to, typed].map((text) => parseTypedPerson(text, '--to')),
      { isTyped: true },
    );
  const ask = (hint: string, options: AskOptions) =>
    prompts.ask(
      `${to.length === 0 ? 'First' : 'Next'} signer ("Name <email>"${hint})`,
      '--to "Name <email>"',
      options,
    );
  for (const text of earlier) {
    const answer = await ask('; Enter keeps, - removes', {
      otherwise: text,
      accept: (typed) => typed === REMOVED || check(typed),
    });
    if (answer !== REMOVED) to.push(answer);
  }
  for (;;) {
    const isFirst = to.length === 0;
    const text = await ask(isFirst ? '' : '; leave empty to continue', {
      mayBeEmpty: !isFirst,
      accept: check,
    });
    if (text === '') return { ...input, options: { ...input.options, to } };
    to.push(text);
  }
}

/** The answers of a person that can be changed before anything is sent. */
export type Answers = { documents: boolean; recipients: boolean };

/** @param typed the input before a person was asked */
export const answersIn = (typed: SendInput, answered: SendInput): Answers => ({
  documents: hasNoDocuments(typed) && !hasNoDocuments(answered),
  recipients: typed.options.to.length === 0 && answered.options.to.length > 0,
});

/** Asks for these answers again. */
export async function changeAnswer(
  context: Uses<'connections' | 'process' | 'prompts' | 'terminal'>,
  { args, options }: SendInput,
  answer: keyof Answers,
): Promise<SendInput> {
  const changed =
    answer === 'documents'
      ? { args: { ...args, file: [] }, options: { ...options, template: [] } }
      : { args, options: { ...options, to: [] } };
  return runWizard(context, changed, { file: args.file[0], to: options.to });
}

/** Shows what will be sent, and asks. @returns the answer that the person wants to change; undefined to send it */
export async function confirmSending(
  context: Uses<'prompts' | 'settings' | 'terminal'>,
  plan: Plan,
  connection: Connection,
  answers: Answers,
): Promise<keyof Answers | undefined> {
  await showSending(context, plan, connection);
  const where = connection.isSandbox
    ? 'in the sandbox'
    : `with ${connection.profile} (${connection.service})`;
  const question = plan.draft ? `Create this draft ${where}?` : `Send this ${where}?`;
  const { prompts, settings } = context;
  if (!answers.documents && !answers.recipients) {
    if (!(await prompts.confirm(question))) throw notConfirmed();
    return undefined;
  }
  if (settings.yes) return undefined;
  const chosen = await prompts.choose<'yes' | 'no' | keyof Answers>(question, '--yes', [
    { value: 'yes', name: 'Yes' },
    ...(answers.documents ? [{ value: 'documents' as const, name: 'Change the documents' }] : []),
    ...(answers.recipients ? [{ value: 'recipients' as const, name: 'Change the signers' }] : []),
    { value: 'no', name: 'No' },
  ]);
  if (chosen === 'no') throw notConfirmed();
  return chosen === 'yes' ? undefined : chosen;
}

async function showSending(
  context: Uses<'settings' | 'terminal'>,
  plan: Plan,
  connection: Connection,
): Promise<void> {
  const { recipients, unknown } = await resolveRecipients(plan, connection);
  const lines = [
    '',
    ...plan.files.map(
      ({ name, pages }) => `${name}${pages ? `, ${pages.length} page${pages.length === 1 ? '' : 's'}` : ''}`,
    ),
    ...plan.templates.map((id) => `template ${id}`),
    ...recipients
      .filter(({ role }) => role !== 'sender')
      .map(({ fields = [], ...recipient }, index) => {
        const held = fields.length === 0 ? '' : ` (${describeFields(fields)})`;
        return `${index + 1}. ${person(recipient)}${held}`;
      }),
    ...unknown,
    '',
  ];
  const { progress, showAlways } = context.terminal;
  if (context.settings.yes) for (const line of lines) progress.note(line);
  // A person who confirms must see what will be sent.
  else showAlways(lines);
}
