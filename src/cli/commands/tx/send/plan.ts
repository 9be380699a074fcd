// The plan of `tx send`: what will be sent, checked as far as it can be checked here. Makes no request.
import { LIMITS } from '../../../../api/contract/limits.ts';
import { codePoints, sameEmail } from '../../../../api/contract/values.ts';
import { usageError } from '../../../command/errors.ts';
import type { PlacedField } from '../../../input/field-spec.ts';
import type { LocalFile, PageSize } from '../../../input/local-file.ts';
import type { Addressee, Person } from '../../../input/person.ts';
import type { PlannedRecipient } from '../../../transactions/bodies.ts';
import { boxOf, type Pages } from '../../../transactions/placement.ts';
import { checkTexts, type Texts } from '../../../transactions/texts.ts';

export type PlannedFile = {
  path: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  pages: PageSize[] | null;
};

/** A field whose document is one of the files, by position from 0; its recipient is an e-mail. */
export type PlannedField = PlacedField & { document: number; recipient: string };

export type Plan = {
  id: string;
  files: PlannedFile[];
  templates: string[];
  /** Absent when a template brings the sender. */
  sender: Person | null;
  /** In the order in which they act; with the sender when known. */
  recipients: PlannedRecipient[];
  fields: PlannedField[];
  /** Who gets a signature box at the foot of the last page. */
  boxesFor: string[];
  texts: Texts;
  notify: string | null;
  draft: boolean;
};

export type PlanParts = {
  id: string;
  files: readonly LocalFile[];
  templates: readonly string[];
  sender: Person | undefined;
  to: readonly Addressee[];
  fields: readonly PlacedField[];
  texts: Texts;
  notify: string | undefined;
  draft: boolean;
};

/** @throws CliError exit 2 with the first thing that is wrong */
export function makePlan(parts: PlanParts): Plan {
  const { files, templates, to, sender } = parts;
  if (files.length === 0 && templates.length === 0)
    throw usageError(
      'file_missing',
      'There is nothing to sign.',
      'Name a FILE, or a template with --template.',
    );
  if (to.length === 0 && templates.length === 0)
    throw usageError(
      'recipient_missing',
      'Nobody is asked to sign.',
      'Name somebody with --to "Name <email>".',
    );
  if (files.length > LIMITS.documentsPerTransaction)
    throw usageError(
      'files_too_many',
      `${files.length} files are more than ${LIMITS.documentsPerTransaction}.`,
      'Send fewer at a time.',
    );
  checkDistinct(to);
  const recipients = orderOf(to, sender);
  const fields = parts.fields.map((field) => plannedField(field, parts));
  const plan: Plan = {
    id: parts.id,
    files: files.map(({ path, name, bytes, sha256, pages }) => ({
      path,
      name,
      sizeBytes: bytes.length,
      sha256,
      pages: pages ?? null,
    })),
    templates: [...templates],
    sender: sender ?? null,
    recipients,
    fields,
    boxesFor:
      files.length === 0
        ? []
        : to
            .map(({ email }) => email)
            .filter((email) => !fields.some((field) => sameEmail(field.recipient, email))),
    texts: { ...parts.texts, name: parts.texts.name ?? defaultName(files) },
    notify: parts.notify ?? null,
    draft: parts.draft,
  };
  checkTexts(plan);
  for (const field of fields)
    boxOf(field, pagesOf(plan.files[field.document]), plan.files[field.document]?.name ?? 'the document');
  return plan;
}

export const pagesOf = (file: PlannedFile | undefined): Pages =>
  file?.pages ? { sizes: file.pages } : undefined;

function checkDistinct(to: readonly Addressee[]): void {
  for (const [index, { email }] of to.entries())
    if (to.findIndex((other) => sameEmail(other.email, email)) < index)
      throw usageError('recipient_twice', `--to names ${email} twice.`, 'Name every recipient once.');
}

/** A recipient with the sender's address is the sender, and signs; otherwise the sender stands first and does not act. */
function orderOf(to: readonly Addressee[], sender: Person | undefined): PlannedRecipient[] {
  if (!sender) return to.map(({ name, email, role }) => ({ name, email, role }));
  const signs = to.some(({ email }) => sameEmail(email, sender.email));
  const others = to.map(({ name, email, role }) => ({
    name,
    email,
    role: sameEmail(email, sender.email) ? ('sender' as const) : role,
  }));
  return signs ? others : [{ ...sender, role: 'sender' }, ...others];
}

/** `contract.final.pdf` → `contract.final`; never longer than a name may be. */
function defaultName(files: readonly LocalFile[]): string | undefined {
  const [first] = files;
  if (!first) return undefined;
  const stem = first.name.replace(/(?<=.)\.[^.]*$/, '').trim() || first.name;
  return codePoints(stem) <= LIMITS.transactionNameLength
    ? stem
    : [...stem].slice(0, LIMITS.transactionNameLength).join('');
}

function plannedField(field: PlacedField, { files, to, templates }: PlanParts): PlannedField {
  if (files.length === 0)
    throw usageError(
      'field_without_file',
      `"${field.source}" has no FILE to stand on.`,
      'Fields stand on files at hand; use `esign tx fields` for the documents of a template.',
    );
  const document = (field.document ?? 1) - 1;
  if (!files[document])
    throw usageError(
      'field_invalid',
      `"${field.source}" names document ${field.document}, but there are ${files.length}.`,
      'Documents count from 1, in the order of the files.',
    );
  return { ...field, document, recipient: recipientOf(field, to, templates.length > 0) };
}

function recipientOf(
  { recipient, source }: PlacedField,
  to: readonly Addressee[],
  mayBeInTemplate: boolean,
): string {
  const [only, another] = to;
  if (recipient === undefined) {
    if (only && !another) return only.email;
    throw usageError(
      'field_recipient_missing',
      `"${source}" does not say who fills it in, and there is more than one who could.`,
      'Add =EMAIL or =POSITION of the recipient.',
    );
  }
  const named = /^\d+$/.test(recipient)
    ? to[Number(recipient) - 1]
    : to.find(({ email }) => sameEmail(email, recipient));
  if (named) return named.email;
  if (mayBeInTemplate && recipient.includes('@')) return recipient;
  throw usageError(
    'field_recipient_unknown',
    `"${source}" is for "${recipient}", who is not among the --to.`,
    'Name one of the --to, by e-mail or by position from 1.',
  );
}
