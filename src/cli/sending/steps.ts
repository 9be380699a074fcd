// The steps of a plan: the request that each one sends, what it keeps of the answer, and how to find out
// whether it happened when the answer was lost.

import type { CallOptions } from '../../api/client.ts';
import type { OperationId } from '../../api/contract/operations.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Connection } from '../connection/connection.ts';
import { fieldsOfPlan, recipientSpecOf, updateBody } from './bodies.ts';
import { placeConverted } from './place.ts';
import type { Plan } from './plan.ts';
import { preparationBody, preparationOf, prepareUpload } from './preparations.ts';
import type { RecipientSpec } from './recipients.ts';
import { type DocumentRemarks, type FieldWarning, readDocumentRemarks, remarksIn } from './remarks.ts';
import { startWhenChecked } from './start.ts';
import { mustAskAsPlanned, recipientsOfPlan } from './templates.ts';
import { contentOfTransaction } from './view.ts';

/** The service as the steps use it. */
export type PlanService = Pick<Connection, 'client' | 'takesPreparations'>;

/** What every step of a plan has from the start. */
export type PlanContext = {
  connection: PlanService;
  plan: Plan;
  documents: DocumentEngine;
  /** Prints a sentence for the person at the terminal. */
  note(sentence: string): void;
  /** Bytes of each file that may still have to be uploaded. */
  contents: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
};

/** What the answers of the steps so far, new ones and those in the journal, contain for later steps. Each answer adds to it. */
export type PlanResults = {
  /** Undefined until it is created. */
  transactionId: string | undefined;
  /** The token of each file that was uploaded. */
  tokens: ReadonlyMap<number, string>;
  /** How many documents the templates brought. */
  templateDocuments: number;
  /** The signing address without its token; undefined for a draft. */
  signingPage: string | undefined;
  /** Remarks about documents, in the order of the answers. */
  remarks: readonly DocumentRemarks[];
  /** Warnings about the places of fields. */
  warnings: readonly FieldWarning[];
};

export const resultsOfNoStep = ({ warnings = [] }: Plan): PlanResults => ({
  transactionId: undefined,
  tokens: new Map(),
  templateDocuments: 0,
  signingPage: undefined,
  remarks: [],
  warnings,
});

export type StepAnswer = Record<string, unknown>;

export type PlanStep = {
  /** The key in the journal. */
  name: string;
  label: string;
  operation: OperationId;
  /** @param call its key is undefined where the service knows no such keys */
  send(context: PlanContext, results: PlanResults, call: CallOptions): Promise<StepAnswer>;
  /** Adds what later steps need of the answer. */
  withAnswer(results: PlanResults, answer: StepAnswer): PlanResults;
  /**
   * Finds out what became of a request that was sent in an earlier run and not answered. `again` when repeating it does no harm,
   * an answer when it happened, `unknown` when the service cannot tell.
   */
  findOutcome(context: PlanContext, results: PlanResults): Promise<'again' | 'unknown' | StepAnswer>;
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

const hasFields = ({ fields, boxesFor, data = [] }: Plan): boolean =>
  fields.length + boxesFor.length + data.length > 0;

/** Whether the plan makes the ids of recipients. Then one request can set recipients and their fields (assumed: A20). */
const makesIds = ({ recipients }: Plan): boolean =>
  recipients.length > 0 && recipients.every(({ id }) => id !== undefined);

const repeatStep = async (): Promise<'again'> => 'again';

export const fetchTransaction = (
  { connection }: PlanContext,
  results: PlanResults,
): Promise<ReceivedTransaction> => connection.client['transaction.detail'](at(results));

/** The transaction, for the steps after the one that creates it. */
function at({ transactionId }: PlanResults) {
  if (transactionId === undefined) throw new Error('The transaction is not created yet.');
  return { params: { transactionId } };
}

/** Uploads a file. It may be repeated, because the service forgets an upload that is not used (assumed: A29). */
const upload = (name: string, index: number): PlanStep => ({
  name: `upload:${index}`,
  label: `upload ${name}`,
  operation: 'file.upload',
  async send({ connection, contents, plan, documents }, _, call) {
    const original = { name, bytes: contents.get(index) ?? new Uint8Array() };
    const { content, remarks } = await prepareUpload(preparationOf(plan, index), original, documents);
    const file = { name, content };
    const uploaded = await connection.client['file.upload']({ form: { name }, file }, call);
    return { token: uploaded.token, remarks: [...remarks, ...remarksIn(uploaded)] };
  },
  withAnswer: (results, answer) => ({
    ...results,
    tokens: new Map([...results.tokens, [index, String(answer.token)]]),
    remarks: [...results.remarks, { name, remarks: remarksIn(answer) }],
  }),
  findOutcome: repeatStep,
});

const create = (plan: Plan): PlanStep => ({
  name: 'create',
  label: 'create the transaction',
  operation: 'transaction.create',
  async send({ connection }, _, call) {
    const { name } = plan.texts;
    const body = {
      ...(name !== undefined && { name }),
      ...(plan.notify !== null && { notification_endpoint: plan.notify }),
    };
    const { id } = await connection.client['transaction.create']({ body }, call);
    return { id };
  },
  withAnswer: (results, { id }) => ({ ...results, transactionId: String(id) }),
  // The API has no list: a draft whose id was lost cannot be found again.
  findOutcome: async () => 'unknown',
});

const applyTemplates = (plan: Plan): PlanStep => ({
  name: 'use_templates',
  label: 'add the content of the templates',
  operation: 'transaction.use_templates',
  async send({ connection }, results, call) {
    const body = { templates: plan.templates.map((id) => ({ id })) };
    const transaction = await connection.client['transaction.use_templates']({ ...at(results), body }, call);
    return { documents: contentOfTransaction(transaction).documents.length };
  },
  withAnswer: (results, { documents }) => ({ ...results, templateDocuments: Number(documents) }),
  async findOutcome(context, results) {
    const { documents, recipients } = contentOfTransaction(await fetchTransaction(context, results));
    return documents.length + recipients.length > 0 ? { documents: documents.length } : 'again';
  },
});

const addDocument = (name: string, index: number): PlanStep => ({
  name: `add_document:${index}`,
  label: `add ${name}`,
  operation: 'transaction.add_document',
  async send({ connection, plan }, results, call) {
    const file = plan.files[index];
    const preparation =
      file && connection.takesPreparations ? preparationBody(preparationOf(plan, index), file) : undefined;
    const body = { token: results.tokens.get(index) ?? '', ...(preparation && { preparation }) };
    await connection.client['transaction.add_document']({ ...at(results), body }, call);
    return {};
  },
  withAnswer: (results) => results,
  async findOutcome(context, results) {
    const { documents } = contentOfTransaction(await fetchTransaction(context, results));
    return documents.length > results.templateDocuments + index ? {} : 'again';
  },
});

const update = (plan: Plan): PlanStep => ({
  name: 'update',
  label: hasFields(plan) && makesIds(plan) ? 'set texts, recipients and fields' : 'set texts and recipients',
  operation: 'transaction.update',
  async send(context, results) {
    const transaction = await fetchTransaction(context, results);
    const recipients = plan.templates.length > 0 ? withPeopleOfTemplates(plan, transaction) : plan.recipients;
    mustAskAsPlanned(plan, recipients);
    const body = updateBody(transaction, { texts: plan.texts, recipients });
    const isWithFields = hasFields(plan) && makesIds(plan);
    const placed = isWithFields ? await placeFields(context, transaction) : undefined;
    if (placed) body.fields = fieldsOfPlan(placed, transaction, body.recipients);
    await context.connection.client['transaction.update']({ ...at(results), body });
    return {
      ofTemplates: readDocumentRemarks(
        contentOfTransaction(transaction).documents.slice(0, results.templateDocuments),
      ),
      warnings: newWarnings(plan, placed),
    };
  },
  withAnswer(results, { ofTemplates, warnings }) {
    const remarks = Array.isArray(ofTemplates) ? (ofTemplates as DocumentRemarks[]) : [];
    return withWarnings({ ...results, remarks: [...results.remarks, ...remarks] }, warnings);
  },
  findOutcome: repeatStep,
});

function withPeopleOfTemplates(plan: Plan, transaction: ReceivedTransaction): RecipientSpec[] {
  const { recipients, fields } = contentOfTransaction(transaction);
  const places = recipients.map((recipient) => ({
    ...recipientSpecOf(recipient),
    fields: fields.filter(({ recipient_id: id }) => id === recipient.id),
  }));
  return recipientsOfPlan(plan, places);
}

const setFields: PlanStep = {
  name: 'fields',
  label: 'set the fields',
  operation: 'transaction.fields',
  async send(context, results) {
    const transaction = await fetchTransaction(context, results);
    const placed = await placeFields(context, transaction);
    const fields = fieldsOfPlan(placed, transaction);
    await context.connection.client['transaction.fields']({ ...at(results), body: { fields } });
    return { warnings: newWarnings(context.plan, placed) };
  },
  withAnswer: (results, { warnings }) => withWarnings(results, warnings),
  findOutcome: repeatStep,
};

/** Finds places for the signatures on files that the service has converted. */
async function placeFields(context: PlanContext, transaction: ReceivedTransaction): Promise<Plan> {
  if (context.plan.files.every(({ pages }) => pages)) return context.plan;
  return placeConverted(context, transaction);
}

const newWarnings = ({ warnings = [] }: Plan, placed: Plan | undefined): FieldWarning[] =>
  placed?.warnings?.slice(warnings.length) ?? [];

/** Adds the warnings of an answer. An answer from the journal of an earlier run may have none. */
function withWarnings(results: PlanResults, value: unknown): PlanResults {
  const warnings = Array.isArray(value) ? (value as FieldWarning[]) : [];
  const remarks = warnings.map((warning) => ({ name: warning.document, remarks: [warning] }));
  return {
    ...results,
    warnings: [...results.warnings, ...warnings],
    remarks: [...results.remarks, ...remarks],
  };
}

const start: PlanStep = {
  name: 'start',
  label: 'start',
  operation: 'transaction.start',
  async send({ connection, note }, results, call) {
    const { transactionId } = at(results).params;
    const { url } = await startWhenChecked(connection, transactionId, { ...call, note });
    // The journal must not hold a signing token.
    return { page: url.split('?')[0] };
  },
  withAnswer: (results, { page }) => ({
    ...results,
    signingPage: typeof page === 'string' ? page : undefined,
  }),
  async findOutcome(context, results) {
    const { status } = await fetchTransaction(context, results);
    return status === 'draft' ? 'again' : {};
  },
};
