// Shows a plan that is not executed, for `tx send --dry-run`.
import type { Operation } from '../../../../api/contract/operation.ts';
import { OPERATIONS } from '../../../../api/contract/operations.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome, RecordOutcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { isAnchored, type PlacedField } from '../../../input/field-spec.ts';
import type { LocalFile } from '../../../input/local-file.ts';
import { describeFields } from '../../../transactions/field-names.ts';
import { type FieldBox, resolveBox } from '../../../transactions/placement.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { pagesOfFile } from '../../../transactions/plan.ts';
import { signatureBoxes } from '../../../transactions/plan-fields.ts';
import { planSteps } from '../../../transactions/plan-steps.ts';
import { remarkTable } from '../../../transactions/remarks.ts';
import { withForeseenRemarks } from './foreseen-remarks.ts';
import { type ResolvedRecipients, resolveRecipients } from './template-recipients.ts';

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
  const { warnings = [] } = plan;
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
    if (isAnchored(field))
      return { document, recipient, type, words: { text: field.anchor.text }, box: null };
    const pages = pagesOfFile(plan.files[document]);
    const box = pages ? resolveBox(field, pages, plan.files[document]?.name ?? '') : null;
    const source = {
      ...(field.words && { words: field.words }),
      ...(field.form && { form_field: field.form.name }),
      ...(field.tag !== undefined && { tag: field.tag }),
    };
    return { document, recipient, type, ...source, box };
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
