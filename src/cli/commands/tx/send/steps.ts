// The steps of a plan: the request that each one sends, what it keeps of the answer, and how to find out
// whether it happened when the answer was lost.
import type { CallOptions } from '../../../../api/client.ts';
import type { OperationId } from '../../../../api/contract/operations.ts';
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { AnsweredStep } from '../../../../history/journal.ts';
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Connection } from '../../../connection/connection.ts';
import { mergeRecipients, recipientSpecOf, updateBody } from '../../../transactions/bodies.ts';
import type { FieldWarning } from '../../../transactions/field-warnings.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { fieldsOfPlan } from '../../../transactions/plan-fields.ts';
import { type DocumentRemarks, readDocumentRemarks, remarksIn } from '../../../transactions/remarks.ts';
import { startWhenChecked } from '../../../transactions/start-when-checked.ts';
import { contentOfTransaction } from '../../../transactions/view.ts';

/** The state of a plan that is being executed. It is built from answers, new ones and those in the journal. */
export type PlanProgress = {
  connection: Connection;
  plan: Plan;
  documents: DocumentEngine;
  /** Prints a sentence for the person at the terminal. */
  note(sentence: string): void;
  /** Bytes of each file that may still have to be uploaded. */
  contents: Map<number, Uint8Array<ArrayBuffer>>;
  transactionId: string;
  tokens: Map<number, string>;
  /** How many documents the templates brought. */
  templateDocuments: number;
  /** The signing address without its token. */
  signingPage: string | undefined;
  /** The signing address, when `start` was answered in this run. */
  url: string | undefined;
  /** Remarks about documents that have not been printed in this run. */
  pendingRemarks: DocumentRemarks[];
  /** Warnings about the places of fields. */
  warnings: FieldWarning[];
  /** The step whose answer the journal does not have yet. */
  unrecordedAnswer: AnsweredStep | undefined;
};

export type StepAnswer = Record<string, unknown>;

export type PlanStep = {
  /** The key in the journal. */
  name: string;
  label: string;
  operation: OperationId;
  /** @param call its key is undefined where the service knows no such keys */
  send(progress: PlanProgress, call: CallOptions): Promise<StepAnswer>;
  /** Stores what later steps need of an answer. */
  applyAnswer(progress: PlanProgress, answer: StepAnswer): void;
  /**
   * Finds out what became of a request that was sent in an earlier run and not answered. `again` when repeating it does no harm,
   * an answer when it happened, `unknown` when the service cannot tell.
   */
  findOutcome(progress: PlanProgress): Promise<'again' | 'unknown' | StepAnswer>;
};

export function planSteps(plan: Plan): PlanStep[] {
  return [
    ...plan.files.map(({ name }, index) => upload(name, index)),
    create(plan),
    ...(plan.templates.length > 0 ? [applyTemplates(plan)] : []),
    ...plan.files.map(({ name }, index) => addDocument(name, index)),
    update(plan),
    ...(hasFields(plan) && !makesIds(plan) ? [setFields] : []),
    ...(plan.draft ? [] : [start]),
  ];
}

const hasFields = ({ fields, boxesFor }: Plan): boolean => fields.length + boxesFor.length > 0;

/** Whether the plan makes the ids of recipients. Then one request can set recipients and their fields (assumed: A20). */
const makesIds = ({ recipients }: Plan): boolean =>
  recipients.length > 0 && recipients.every(({ id }) => id !== undefined);

const repeatStep = async (): Promise<'again'> => 'again';
const doNothing = (): void => undefined;

export const fetchTransaction = ({ connection, transactionId }: PlanProgress): Promise<ReceivedTransaction> =>
  connection.client['transaction.detail']({ params: { transactionId } });

const at = ({ transactionId }: PlanProgress) => ({ params: { transactionId } });

/** Uploads a file. It may be repeated, because the service forgets an upload that is not used (assumed: A29). */
const upload = (name: string, index: number): PlanStep => ({
  name: `upload:${index}`,
  label: `upload ${name}`,
  operation: 'file.upload',
  async send({ connection, contents }, call) {
    const file = { name, content: contents.get(index) ?? new Uint8Array() };
    const uploaded = await connection.client['file.upload']({ form: { name }, file }, call);
    return { token: uploaded.token, remarks: remarksIn(uploaded) };
  },
  applyAnswer({ tokens, pendingRemarks }, answer) {
    tokens.set(index, String(answer.token));
    pendingRemarks.push({ name, remarks: remarksIn(answer) });
  },
  findOutcome: repeatStep,
});

const create = (plan: Plan): PlanStep => ({
  name: 'create',
  label: 'create the transaction',
  operation: 'transaction.create',
  async send({ connection }, call) {
    const { name } = plan.texts;
    const body = {
      ...(name !== undefined && { name }),
      ...(plan.notify !== null && { notification_endpoint: plan.notify }),
    };
    const { id } = await connection.client['transaction.create']({ body }, call);
    return { id };
  },
  applyAnswer(progress, { id }) {
    progress.transactionId = String(id);
  },
  // The API has no list: a draft whose id was lost cannot be found again.
  findOutcome: async () => 'unknown',
});

const applyTemplates = (plan: Plan): PlanStep => ({
  name: 'use_templates',
  label: 'add the content of the templates',
  operation: 'transaction.use_templates',
  async send(progress, call) {
    const body = { templates: plan.templates.map((id) => ({ id })) };
    const transaction = await progress.connection.client['transaction.use_templates'](
      { ...at(progress), body },
      call,
    );
    return { documents: contentOfTransaction(transaction).documents.length };
  },
  applyAnswer(progress, { documents }) {
    progress.templateDocuments = Number(documents);
  },
  async findOutcome(progress) {
    const { documents, recipients } = contentOfTransaction(await fetchTransaction(progress));
    return documents.length + recipients.length > 0 ? { documents: documents.length } : 'again';
  },
});

const addDocument = (name: string, index: number): PlanStep => ({
  name: `add_document:${index}`,
  label: `add ${name}`,
  operation: 'transaction.add_document',
  async send(progress, call) {
    const body = { token: progress.tokens.get(index) ?? '' };
    await progress.connection.client['transaction.add_document']({ ...at(progress), body }, call);
    return {};
  },
  applyAnswer: doNothing,
  async findOutcome(progress) {
    const { documents } = contentOfTransaction(await fetchTransaction(progress));
    return documents.length > progress.templateDocuments + index ? {} : 'again';
  },
});

const update = (plan: Plan): PlanStep => ({
  name: 'update',
  label: hasFields(plan) && makesIds(plan) ? 'set texts, recipients and fields' : 'set texts and recipients',
  operation: 'transaction.update',
  async send(progress) {
    const transaction = await fetchTransaction(progress);
    const recipients = mergeRecipients(
      contentOfTransaction(transaction).recipients.map(recipientSpecOf),
      plan.recipients,
    );
    const body = updateBody(transaction, {
      texts: plan.texts,
      recipients: plan.templates.length > 0 ? recipients : plan.recipients,
    });
    const isWithFields = hasFields(plan) && makesIds(plan);
    const placed = isWithFields ? await placeFields(progress, transaction) : undefined;
    if (placed) body.fields = fieldsOfPlan(placed, transaction, body.recipients);
    await progress.connection.client['transaction.update']({ ...at(progress), body });
    return {
      ofTemplates: readDocumentRemarks(
        contentOfTransaction(transaction).documents.slice(0, progress.templateDocuments),
      ),
      warnings: newWarnings(plan, placed),
    };
  },
  applyAnswer(progress, { ofTemplates, warnings }) {
    if (Array.isArray(ofTemplates)) progress.pendingRemarks.push(...(ofTemplates as DocumentRemarks[]));
    applyWarnings(progress, warnings);
  },
  findOutcome: repeatStep,
});

const setFields: PlanStep = {
  name: 'fields',
  label: 'set the fields',
  operation: 'transaction.fields',
  async send(progress) {
    const transaction = await fetchTransaction(progress);
    const placed = await placeFields(progress, transaction);
    const fields = fieldsOfPlan(placed, transaction);
    await progress.connection.client['transaction.fields']({ ...at(progress), body: { fields } });
    return { warnings: newWarnings(progress.plan, placed) };
  },
  applyAnswer(progress, { warnings }) {
    applyWarnings(progress, warnings);
  },
  findOutcome: repeatStep,
};

/** Finds places for the signatures on files that the service has converted. */
async function placeFields(progress: PlanProgress, transaction: ReceivedTransaction): Promise<Plan> {
  if (progress.plan.files.every(({ pages }) => pages)) return progress.plan;
  const { placeConverted } = await import('./place-converted.ts');
  return placeConverted(progress, transaction);
}

const newWarnings = ({ warnings = [] }: Plan, placed: Plan | undefined): FieldWarning[] =>
  placed?.warnings?.slice(warnings.length) ?? [];

/** Stores the warnings of an answer. An answer from the journal of an earlier run may have none. */
function applyWarnings({ warnings, pendingRemarks }: PlanProgress, found: unknown): void {
  for (const warning of Array.isArray(found) ? (found as FieldWarning[]) : []) {
    warnings.push(warning);
    pendingRemarks.push({ name: warning.document, remarks: [warning] });
  }
}

const start: PlanStep = {
  name: 'start',
  label: 'start',
  operation: 'transaction.start',
  async send(progress, call) {
    const { url } = await startWhenChecked(progress.connection, progress.transactionId, {
      ...call,
      note: progress.note,
    });
    progress.url = url;
    // The journal must not hold a signing token.
    return { page: url.split('?')[0] };
  },
  applyAnswer(progress, { page }) {
    progress.signingPage = typeof page === 'string' ? page : undefined;
  },
  async findOutcome(progress) {
    const { status } = await fetchTransaction(progress);
    return status === 'draft' ? 'again' : {};
  },
};
