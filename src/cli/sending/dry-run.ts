// Shows a plan that is not executed, for `tx send --dry-run`, with the remarks that the sandbox will make about files which it has to convert. The
// sandbox is the same program on the same machine; of another service nothing is known.

import { remarkOf } from '../../api/contract/documents.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { OPERATIONS } from '../../api/contract/operations.ts';
import { variable } from '../../config/environment.ts';
import { findOffice } from '../../pdf/engine/office.ts';
import type { Uses } from '../command/context.ts';
import type { Outcome, RecordOutcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import type { LocalFile } from '../input/documents.ts';
import { isAnchored, type PlacedField } from '../input/field-spec.ts';
import { signatureBoxes } from './bodies.ts';
import { type FieldBox, resolveBox } from './boxes.ts';
import { type Plan, pagesOfFile } from './plan.ts';
import { remarkTable } from './remarks.ts';
import { planSteps } from './steps.ts';
import { type ResolvedRecipients, resolveRecipients } from './templates.ts';
import { describeFields } from './view.ts';

type ShownField = {
  document: number;
  recipient: string;
  type: string;
  box: FieldBox | null;
  /** The words that the field is at, and where they are, once that is known. */
  words?: { text: string } & Partial<NonNullable<PlacedField['words']>>;
  /** The name of the form field that the field was made of. */
  form_field?: string;
  /** The tag that the field was made of, which is removed. */
  tag?: string;
} & FieldTexts;

/** What a recipient reads in a field or beside it. */
type FieldTexts = {
  label?: string;
  value?: string;
  helper_text?: string;
  options?: string[];
  readonly?: true;
};

/** Shows the plan with what the sandbox would say of its files, and the recipients that its templates bring. */
export async function showPlan(
  context: Uses<'process'>,
  plan: Plan,
  connection: Connection,
  files: readonly LocalFile[],
): Promise<Outcome> {
  const foreseen = await withForeseenRemarks(context, plan, connection, files);
  return planOutcome(foreseen, connection, await resolveRecipients(plan, connection));
}

function planOutcome(
  plan: Plan,
  connection: Connection,
  { recipients, unknown }: ResolvedRecipients,
): RecordOutcome & Outcome {
  const steps = planSteps(plan).map(({ label, operation }) => {
    const { method, path }: Operation = OPERATIONS[operation];
    return { operation, request: `${method} ${path}`, what: label };
  });
  const fields = shownFields(plan);
  const { warnings = [], drawn = [] } = plan;
  const hasTemplates = plan.templates.length > 0;
  const hasWords = fields.some(({ words }) => words);
  const hasTags = fields.some(({ tag }) => tag !== undefined);
  const hasForm = fields.some(({ form_field: name }) => name !== undefined);
  return {
    kind: 'record',
    headline: 'Nothing was sent. The command would do the following:',
    json: {
      dry_run: true,
      profile: connection.profile,
      transaction: { ...plan.texts, notification_endpoint: plan.notify },
      files: plan.files.map(({ name, sizeBytes, sha256, pages, remarks = [] }) => ({
        name,
        size_bytes: sizeBytes,
        sha256,
        pages: pages?.length ?? null,
        remarks,
      })),
      templates: plan.templates,
      recipients: recipients.map(({ name, email, role, fields: held }) => ({
        ...{ name, email, role },
        ...(hasTemplates && { template_fields: (held ?? []).map((field) => describeFields([field])) }),
      })),
      fields: fields.map(({ box, ...field }) => ({ ...field, ...box })),
      ...(drawn.length > 0 && {
        drawn_values: drawn.map(({ document, field: { page, type, value } }) => ({
          ...{ document, page, type, value },
        })),
      }),
      steps,
      warnings,
    },
    entries: [
      { key: 'name', label: 'Name', value: plan.texts.name },
      { key: 'profile', label: 'Profile', value: connection.profile },
    ],
    tables: [
      {
        key: 'file',
        columns: ['FILE', 'BYTES', 'PAGES'],
        rows: plan.files.map(({ name, sizeBytes, pages }) => [name, sizeBytes, pages?.length]),
      },
      remarkTable([
        ...plan.files.map(({ name, remarks = [] }) => ({ name, remarks })),
        ...warnings.map((warning) => ({ name: warning.document, remarks: [warning] })),
      ]),
      {
        key: 'recipient',
        columns: ['RECIPIENT', 'EMAIL', 'ROLE', ...(hasTemplates ? ['FIELDS OF TEMPLATE'] : [])],
        rows: recipients.map(({ name, email, role, fields: held = [] }) => [
          ...[name, email, role],
          ...(hasTemplates ? [describeFields(held)] : []),
        ]),
      },
      {
        key: 'field',
        columns: [
          'FIELD',
          'FOR',
          ...(hasForm ? ['FORM FIELD'] : []),
          ...(hasTags ? ['TAG'] : []),
          ...(hasWords ? ['WORDS'] : []),
          ...['PAGE', 'X', 'Y', 'WIDTH', 'HEIGHT'],
        ],
        rows: fields.map(({ type, recipient, words, form_field: formField, tag, box }) => [
          type,
          recipient,
          ...(hasForm ? [formField] : []),
          ...(hasTags ? [tag] : []),
          ...(hasWords ? [words?.text] : []),
          ...(box ? [box.page + 1, box.positionX, box.positionY, box.width, box.height] : []),
        ]),
      },
      { key: 'step', columns: ['STEP', 'REQUEST'], rows: steps.map(({ what, request }) => [what, request]) },
    ],
    notes: unknown,
  };
}

/** Lists the fields. A box on a page that only the service will know has no numbers yet. */
function shownFields(plan: Plan): ShownField[] {
  const named = plan.fields.map((field) => {
    const { document, recipient, type } = field;
    const texts = textsOf(field.properties);
    if (isAnchored(field))
      return { document, recipient, type, ...texts, words: { text: field.anchor.text }, box: null };
    const pages = pagesOfFile(plan.files[document]);
    const box = pages ? resolveBox(field, pages, plan.files[document]?.name ?? '') : null;
    const source = {
      ...(field.words && { words: field.words }),
      ...(field.form && { form_field: field.form.name }),
      ...(field.tag !== undefined && { tag: field.tag }),
    };
    return { document, recipient, type, ...texts, ...source, box };
  });
  const last = plan.files.length - 1;
  const pages = pagesOfFile(plan.files[last]);
  const boxes = pages ? signatureBoxes(plan, pages) : [];
  const signatures = plan.boxesFor.map((of, index) => ({
    document: last,
    recipient: plan.recipients[of]?.email ?? '',
    type: 'signature',
    box: boxes[index] ?? null,
  }));
  return [...named, ...signatures];
}

function textsOf({
  label,
  value,
  helper_text: help,
  options,
  readonly,
}: Readonly<Record<string, unknown>>): FieldTexts {
  const isText = (text: unknown) => text !== undefined && text !== null && text !== '';
  return {
    ...(isText(label) && { label: String(label) }),
    ...(isText(value) && { value: String(value) }),
    ...(isText(help) && { helper_text: String(help) }),
    ...(Array.isArray(options) && options.length > 0 && { options: options.map(String) }),
    ...(readonly === true && { readonly }),
  };
}

/** Adds these remarks to the plan. @param files those of the plan, in their order */
export async function withForeseenRemarks(
  { process }: Uses<'process'>,
  plan: Plan,
  { isSandbox }: Pick<Connection, 'isSandbox'>,
  files: readonly LocalFile[],
): Promise<Plan> {
  if (!isSandbox || !files.some(({ type }) => type === 'docx')) return plan;
  if (await findOffice(variable(process.environment.variables, 'ESIGN_SOFFICE'))) return plan;
  const approximate = remarkOf({ code: 'approximate_layout' });
  return {
    ...plan,
    files: plan.files.map((file, index) =>
      files[index]?.type === 'docx' ? { ...file, remarks: [...(file.remarks ?? []), approximate] } : file,
    ),
  };
}
