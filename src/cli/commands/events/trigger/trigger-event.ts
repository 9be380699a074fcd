// `events trigger`: brings a transaction to an event by the same operations that a program or a person would
// use. It works in the sandbox only: elsewhere it would ask real people to sign.
import type { EventType } from '../../../../api/contract/events.ts';
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import { transactionOperations } from '../../../../api/contract/transactions.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError, PartialFailure } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import { eventTypeIn } from '../../../events/event-type.ts';
import { parseWith } from '../../../input/parse-input.ts';
import { fieldBody, updateBody } from '../../../sending/bodies.ts';
import type { PlannedRecipient } from '../../../sending/recipients.ts';
import { contentOfTransaction, currentRecipient, outcomeOf, toneOf } from '../../../sending/view.ts';
import { overridesIn, refuseUnused, type Values, valuesWith } from './overrides.ts';
import { onePagePdf } from './page.ts';
import { type TriggerStep, triggerSteps } from './trigger-steps.ts';

export type TriggerOptions = {
  transaction: string | undefined;
  override: readonly string[];
  notify: string | undefined;
};

export async function triggerEvent(
  context: Uses<'connections' | 'terminal'>,
  typeText: string,
  { transaction, override, notify }: TriggerOptions,
): Promise<Outcome> {
  const type = eventTypeIn('TYPE', typeText);
  const overrides = overridesIn(override);
  if (transaction !== undefined && notify !== undefined)
    throw cliError('options_conflict', {
      option: '--notify',
      conflictsWith: '--transaction',
      why: 'The notification URL is set when a transaction is created.',
    });
  await refuseRemote(context);
  const connection = await context.connections.connect();
  const { client } = connection;
  const there = transaction === undefined ? undefined : await detailOf(connection, transaction);
  const steps = triggerSteps(type, there && transactionStateOf(there));
  refuseUnused(overrides, type, steps);
  const values = valuesWith(overrides);
  checkBodies(values, notify);
  const before = there ? await eventsOf(connection, there.id) : [];
  const walk: TriggerContext = { connection, type, values, notify, id: there?.id ?? '' };
  try {
    for (const step of steps) await context.terminal.progress.step(LABELS[step], () => STEPS[step](walk));
  } catch (error) {
    throw walk.id === '' ? error : new PartialFailure(error, { partial: { id: walk.id } });
  }
  const events = (await eventsOf(connection, walk.id)).slice(before.length);
  const now = await client['transaction.detail']({ params: { transactionId: walk.id } });
  return triggerOutcome(type, now, events);
}

async function refuseRemote({ connections }: Uses<'connections'>): Promise<void> {
  const { name, remote } = await connections.profile();
  if (!remote) return;
  throw cliError('sandbox_only', { profile: name, service: remote.baseUrl });
}

const detailOf = ({ client }: Connection, transactionId: string): Promise<ReceivedTransaction> =>
  client['transaction.detail']({ params: { transactionId } });

function transactionStateOf(transaction: ReceivedTransaction) {
  const { documents, recipients } = contentOfTransaction(transaction);
  return {
    id: transaction.id,
    outcome: outcomeOf(transaction),
    isBare: documents.length === 0 || recipients.length === 0,
  };
}

const FLAGS = {
  name: '--override transaction.name',
  cancelled_reason: '--override reason',
  notification_endpoint: '--notify',
  expiration_days: '--override transaction.expiration_days',
};

/** Checks the values against the contract before anything is made. The service checks the rest. */
function checkBodies(values: Values, notify: string | undefined): void {
  const name = values['transaction.name'];
  const create = { name, ...(notify !== undefined && { notification_endpoint: notify }) };
  parseWith(transactionOperations['transaction.create'].body, create, FLAGS);
  parseWith(
    transactionOperations['transaction.update'].body,
    {
      name,
      documents: [{ id: 'D', index: 0 }],
      recipients: [
        { role: 'signer', index: 0, name: values['recipient.name'], email: values['recipient.email'] },
      ],
      ...textsOf(values),
    },
    { ...FLAGS, recipients: '--override recipient' },
  );
  parseWith(transactionOperations['transaction.cancel'].body, { cancelled_reason: values.reason }, FLAGS);
}

function textsOf(values: Values) {
  const days = values['transaction.expiration_days'];
  const subject = values['transaction.subject'];
  const message = values['transaction.message'];
  return {
    ...(subject !== undefined && { email_subject: subject }),
    ...(message !== undefined && { email_body: message }),
    ...(days !== undefined && { expiration_days: Number(days) }),
  };
}

type EventSeen = { id: string; type: string; created: string };

/** Lists the events of the transaction in the order in which they happened. */
async function eventsOf({ client }: Connection, transaction_id: string): Promise<EventSeen[]> {
  const { items } = await client['sandbox.events']({ query: { transaction_id } });
  return items.map(({ id, type, created }) => ({ id, type, created }));
}

// ── the steps ───────────────────────────────────────────────────────────────────────────────────────────────────

/** @property id of the transaction, once there is one */
type TriggerContext = {
  connection: Connection;
  type: EventType;
  values: Values;
  notify: string | undefined;
  id: string;
};

const LABELS: Record<TriggerStep, string> = {
  create: 'create a transaction',
  fill: 'add a document, a recipient and a signature field',
  start: 'start it',
  sign: 'sign as the recipient whose turn it is',
  sign_all: 'sign as every recipient',
  reject: 'reject as the recipient whose turn it is',
  cancel: 'cancel it',
  expire: 'let it expire',
};

const at = ({ id }: TriggerContext) => ({ params: { transactionId: id } });

const STEPS: Record<TriggerStep, (walk: TriggerContext) => Promise<unknown>> = {
  async create(walk) {
    const { values, notify } = walk;
    const body = {
      name: values['transaction.name'],
      ...(notify !== undefined && { notification_endpoint: notify }),
    };
    walk.id = (await walk.connection.client['transaction.create']({ body })).id;
  },
  fill,
  start: (walk) => walk.connection.client['transaction.start'](at(walk)),
  sign: (walk) => walk.connection.client['sandbox.sign']({ ...at(walk), body: { values: {} } }),
  async sign_all(walk) {
    const { client } = walk.connection;
    let { status } = await client['sandbox.sign']({ ...at(walk), body: { values: {} } });
    while (status === 'started')
      ({ status } = await client['sandbox.sign']({ ...at(walk), body: { values: {} } }));
  },
  reject: (walk) =>
    walk.connection.client['sandbox.reject']({ ...at(walk), body: { reason: walk.values.reason } }),
  cancel: (walk) =>
    walk.connection.client['transaction.cancel']({
      ...at(walk),
      body: { cancelled_reason: walk.values.reason },
    }),
  expire: (walk) => walk.connection.client['sandbox.expire']({ ...at(walk), body: {} }),
};

const SIGNATURE = { page: 0, positionX: 72, width: 200, height: 50 } as const;
const FIRST_ROW = 650;
const ROW = 70;

/** Adds documents and recipients to a draft that has none, and a signature field for each recipient that it adds. */
async function fill(walk: TriggerContext): Promise<void> {
  const { client } = walk.connection;
  if (contentOfTransaction(await detailOf(walk.connection, walk.id)).documents.length === 0) {
    const name = walk.values['document.name'];
    const content = new Blob([onePagePdf()]);
    const { token } = await client['file.upload']({ form: { name }, file: { name, content } });
    await client['transaction.add_document']({ ...at(walk), body: { token } });
  }
  const draft = await detailOf(walk.connection, walk.id);
  const isAlone = contentOfTransaction(draft).recipients.length === 0;
  const body = updateBody(draft, {
    texts: textsOf(walk.values),
    ...(isAlone && { recipients: recipientsOf(walk) }),
  });
  await client['transaction.update']({ ...at(walk), body });
  if (!isAlone) return;
  const { documents, recipients } = contentOfTransaction(await detailOf(walk.connection, walk.id));
  const fields = recipients
    .filter(({ role }) => role !== 'sender')
    .map(({ id }, index) =>
      fieldBody({
        document_id: documents[0]?.id ?? '',
        recipient_id: id,
        type: 'signature',
        box: { ...SIGNATURE, positionY: FIRST_ROW - index * ROW },
      }),
    );
  await client['transaction.fields']({ ...at(walk), body: { fields } });
}

/** For `recipient_submitted` there are two recipients: with one, the transaction would be completed. */
function recipientsOf({ connection, type, values }: TriggerContext): PlannedRecipient[] {
  const { name, email } = connection.ownUser ?? { name: '', email: '' };
  return [
    { role: 'sender', name, email },
    { role: 'signer', name: values['recipient.name'], email: values['recipient.email'] },
    ...(type === 'recipient_submitted'
      ? [
          {
            role: 'signer' as const,
            name: values['next_recipient.name'],
            email: values['next_recipient.email'],
          },
        ]
      : []),
  ];
}

function triggerOutcome(
  type: EventType,
  transaction: ReceivedTransaction,
  events: readonly EventSeen[],
): Outcome {
  const outcome = outcomeOf(transaction);
  const current = currentRecipient(transaction);
  return {
    kind: 'record',
    headline: `Triggered ${type}.`,
    json: { id: transaction.id, status: transaction.status, outcome, type, events },
    entries: [
      { key: 'id', label: 'Transaction', value: transaction.id },
      { key: 'status', value: transaction.status },
      { key: 'outcome', label: 'Status', value: outcome, tone: toneOf(outcome) },
      { key: 'current', label: 'Current recipient', value: current?.email },
    ],
    tables: [
      {
        key: 'event',
        columns: ['TIME', 'EVENT', 'ID'],
        rows: events.map(({ id, type, created }) => [{ instant: created }, type, id]),
      },
    ],
  };
}
