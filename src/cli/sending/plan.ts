// Makes the plan of `tx send`: everything that will be sent, checked as far as possible without a request.
import { LIMITS } from '../../api/contract/limits.ts';
import { codePoints } from '../../api/contract/values.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { shellWord } from '../command/shell-word.ts';
import type { LocalFile, PageSize } from '../input/documents.ts';
import type { DataEntry } from '../input/field-file.ts';
import {
  type AnchoredField,
  type GivenField,
  invalidField,
  isAnchored,
  type PlacedField,
} from '../input/field-spec.ts';
import { withRecipient } from '../input/meant-field.ts';
import type { Addressee, Person } from '../input/person.ts';
import { boxesAtFoot, type FieldBox, needsPages, type Pages, resolveBox } from './boxes.ts';
import type { EmptiedForm } from './forms.ts';
import { checkTexts, type Texts } from './options.ts';
import type { DrawnValue } from './preparations.ts';
import { checkDistinct, findRecipientByEmail, type PlannedRecipient, withSender } from './recipients.ts';
import type { FieldWarning } from './remarks.ts';
import type { RemovedTags } from './tags.ts';

export type PlannedFile = {
  path: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  pages: PageSize[] | null;
  /** Remarks that are known before it is sent. */
  remarks?: LocalFile['remarks'];
};

/**
 * A field whose document is one of the files, by position from 0; its recipient is an email. `of` is the position of
 * one of the plan's recipients, absent where only a template has the email.
 */
export type PlannedField = PlannedPlace | (AnchoredField & Planned);
/** A field whose place is known, or follows from the size of its page. */
export type PlannedPlace = PlacedField & Planned;
type Planned = { document: number; recipient: string; of?: number | undefined };

/** The version of the format of plans. It is raised when the meaning of a plan changes; `resume.ts` then reads the earlier ones. */
export const PLAN_VERSION = 1;

export type Plan = {
  version: typeof PLAN_VERSION;
  id: string;
  files: PlannedFile[];
  templates: string[];
  /** Absent when a template brings the sender. */
  sender: Person | null;
  /** In the order in which they act; with the sender when known. */
  recipients: PlannedRecipient[];
  /** Who will be asked, in their order, where the service tells it of the templates; absent otherwise, and for a draft. */
  asked?: Person[];
  /** Which recipients, by position, take the places of the recipients of the templates; absent: these stay. */
  fills?: number[];
  fields: PlannedField[];
  /** Which recipients, by position, get a signature box on the last page. */
  boxesFor: number[];
  /** Where these boxes are, once that is known; otherwise they are at the foot. */
  places?: FieldBox[];
  /** Values that are drawn into the files before they are uploaded. */
  drawn?: DrawnValue[];
  /** Forms whose values are removed from the files before they are uploaded, because fields have them. */
  emptied?: EmptiedForm[];
  /** Tags that are removed from the files before they are uploaded, because fields were made of them. */
  removed?: RemovedTags[];
  /** Values of fields of the templates, which are filled in once the service has added these. */
  data?: DataEntry[];
  /** Warnings about its fields. */
  warnings?: FieldWarning[];
  texts: Texts;
  notify: string | null;
  draft: boolean;
  /** True if a person edits the fields of the draft before it is started. */
  isEdited?: true;
};

export type PlanParts = {
  id: string;
  files: readonly LocalFile[];
  templates: readonly string[];
  sender: Person | undefined;
  to: readonly Addressee[];
  fields: readonly GivenField[];
  drawn?: DrawnValue[];
  emptied?: EmptiedForm[] | undefined;
  removed?: RemovedTags[] | undefined;
  data?: readonly DataEntry[];
  warnings?: FieldWarning[];
  texts: Texts;
  notify: string | undefined;
  draft: boolean;
  isEdited?: boolean;
  /** Makes the ids of recipients, for a service that takes such (assumed: A20). */
  newId?: (() => string) | undefined;
};

export const documentsNotGiven = (): CliError =>
  cliError('file_missing', {
    sentence: 'No documents given.',
    hint: 'Specify a file, or use --template.',
  });

/** Makes a plan. @throws CliError exit 2 with the first error in the input */
export function makePlan(input: PlanParts): Plan {
  const { files, templates, to, sender } = input;
  if (files.length === 0 && templates.length === 0) throw documentsNotGiven();
  if (to.length === 0 && templates.length === 0)
    throw cliError('recipient_missing', {
      sentence: 'No recipients given.',
      hint: 'Add a recipient with --to "Ada <ada@example.com>".',
    });
  if (files.length > LIMITS.documentsPerTransaction)
    throw cliError('files_too_many', {
      sentence: `${files.length} files given; a transaction takes at most ${LIMITS.documentsPerTransaction}.`,
      hint: 'Send them in several transactions.',
    });
  checkCount('recipients', to.length, LIMITS.recipientsPerTransaction);
  checkCount('templates', templates.length, LIMITS.templatesPerUse);
  const planned = withSender(to, sender);
  checkDistinct(planned);
  checkCount('recipients', planned.length, LIMITS.recipientsPerTransaction);
  const recipients = input.newId
    ? planned.map((recipient) => ({ ...recipient, id: input.newId?.() }))
    : planned;
  // A sender who is not a recipient of --to comes first.
  const first = recipients.length - to.length;
  const fields = input.fields.map((field) => plannedField(field, input, first));
  const plan: Plan = {
    version: PLAN_VERSION,
    id: input.id,
    files: files.map(({ path, name, bytes, sha256, pages, remarks }) => ({
      path,
      name,
      sizeBytes: bytes.length,
      sha256,
      pages: pages ?? null,
      remarks,
    })),
    templates: [...templates],
    sender: sender ?? null,
    recipients,
    ...(templates.length > 0 && to.length > 0 && { fills: to.map((_, index) => first + index) }),
    fields,
    boxesFor:
      files.length === 0
        ? []
        : to
            .map((_, index) => first + index)
            .filter((index) => !fields.some((field) => field.of === index && !isInputOnly(field))),
    texts: { ...input.texts, name: input.texts.name ?? defaultName(files) },
    ...(input.drawn && input.drawn.length > 0 && { drawn: input.drawn }),
    ...(input.emptied && input.emptied.length > 0 && { emptied: input.emptied }),
    ...(input.removed && input.removed.length > 0 && { removed: input.removed }),
    ...(input.data && input.data.length > 0 && { data: [...input.data] }),
    ...(input.warnings && input.warnings.length > 0 && { warnings: input.warnings }),
    notify: input.notify ?? null,
    draft: input.draft,
    ...(input.isEdited && { isEdited: true }),
  };
  checkCount('fields', fields.length + plan.boxesFor.length, LIMITS.fieldsPerTransaction);
  checkTexts(plan);
  for (const field of fields) checkPlace(field, plan.files[field.document]);
  checkRoom(plan);
  return plan;
}

/** Checks what the service would refuse only after the draft is made. */
function checkCount(kind: 'recipients' | 'templates' | 'fields', count: number, most: number): void {
  if (count > most)
    throw cliError('items_too_many', {
      sentence: `There are ${count} ${kind}. A transaction has at most ${most}.`,
      hint: 'Nothing was sent. Send several transactions.',
    });
}

/** Whether a field was found in the document and is no signature: its recipient has to sign as well. */
const isInputOnly = (field: PlannedField): boolean =>
  field.type !== 'signature' &&
  (field.isSuggested === true || (!isAnchored(field) && field.form !== undefined));

/** Checks the place of a field. The pages of a file that the service converts are not known yet. */
function checkPlace(field: PlannedField, file: PlannedFile | undefined): void {
  if (isAnchored(field)) return;
  const pages = pagesOfFile(file);
  if (pages || !needsPages(field)) resolveBox(field, pages, file?.name ?? 'the document');
}

/** Checks that the signatures without a place have room on the last page, where that is known. */
function checkRoom({ files, boxesFor }: Plan): void {
  const last = files.at(-1);
  const size = last?.pages?.at(-1);
  if (last && size && boxesFor.length > 0) boxesAtFoot(size, 0, boxesFor.length, last.name);
}

export const pagesOfFile = (file: PlannedFile | undefined): Pages =>
  file?.pages ? { sizes: file.pages } : undefined;

/** `contract.final.pdf` → `contract.final`; never longer than a name may be. */
function defaultName(files: readonly LocalFile[]): string | undefined {
  const [first] = files;
  if (!first) return undefined;
  const stem = first.name.replace(/(?<=.)\.[^.]*$/, '').trim() || first.name;
  return codePoints(stem) <= LIMITS.transactionNameLength
    ? stem
    : [...stem].slice(0, LIMITS.transactionNameLength).join('');
}

function plannedField(field: GivenField, { files, to, templates }: PlanParts, first: number): PlannedField {
  if (files.length === 0)
    throw cliError('field_without_file', {
      sentence: `The field "${field.source}" needs a file, but no file is given.`,
      hint: 'Specify a file. To place fields on the documents of a template, use `esign tx fields`.',
    });
  const document = (field.document ?? 1) - 1;
  if (!files[document])
    throw invalidField(
      field.source,
      `is for document ${field.document}, but there ${files.length === 1 ? 'is 1 file' : `are ${files.length} files`}`,
      'Documents are numbered from 1, in the order of the files.',
    );
  const recipient = recipientOf(field, to, templates.length > 0);
  return typeof recipient === 'string'
    ? { ...field, document, recipient }
    : { ...field, document, recipient: recipient.email, of: first + to.indexOf(recipient) };
}

function recipientOf(
  { recipient, source }: GivenField,
  to: readonly Addressee[],
  mayBeInTemplate: boolean,
): Addressee | string {
  const [only, another] = to;
  if (recipient === undefined) {
    if (only && !another) return only;
    throw cliError('field_recipient_missing', {
      sentence: `The field "${source}" has no recipient, and the transaction has more than one.`,
      hint: whereRecipientGoes(source, only?.email ?? 'ada@example.com'),
    });
  }
  const named = /^\d+$/.test(recipient)
    ? to[Number(recipient) - 1]
    : findRecipientByEmail(to, recipient, source);
  if (named) return named;
  if (mayBeInTemplate && recipient.includes('@')) return recipient;
  throw recipientNotGiven(
    source,
    recipient,
    to.map(({ email }) => email),
  );
}

/** @returns the rule, and the field with this recipient where the field is a SPEC */
function whereRecipientGoes(source: string, email: string): string {
  const example = withRecipient(source, email);
  return `Add =EMAIL, or = and the number of the recipient from 1, after the words or the size and before any property${example === undefined ? '' : `: \`${shellWord(example)}\``}.`;
}

/** Makes the error for a field whose recipient --to does not name. */
export const recipientNotGiven = (field: string, recipient: string, emails: readonly string[]): CliError =>
  cliError('field_recipient_unknown', {
    sentence: `The field "${field}" is for "${recipient}", which is not one of the recipients given with --to.`,
    hint: didYouMean(
      nearest(recipient, emails),
      'Use the email address of a recipient given with --to, or its number, starting at 1.',
    ),
  });
