import type { EventType } from '../../../api/contract/events.ts';
import { type ReceivedTransaction, transactionOperations } from '../../../api/contract/transactions.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError, PartialFailure } from '../../command/errors.ts';
import { list, object, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { optionsConflict } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { chooseEventType, eventTypeIn } from '../../events/view.ts';
import { checkValue } from '../../input/check-value.ts';
import { fieldBody, updateBody } from '../../sending/bodies.ts';
import type { PlannedRecipient } from '../../sending/recipients.ts';
import { contentOfTransaction, currentRecipient, outcomeOf, toneOf } from '../../sending/view.ts';
import {
  overridesIn,
  refuseUnused,
  type TriggerStep,
  triggerSteps,
  type Values,
  valuesWith,
} from './trigger/steps.ts';

export const command = defineCommand({
  summary: 'Trigger an event in the sandbox',
  details: `Creates a real transaction with a document and a recipient in the sandbox, and advances it until the event
has happened. Earlier events happen too, and a completed transaction has a sealed document. With --transaction, an
existing transaction is advanced instead. Works only in the sandbox; no real person is asked to sign.

PATH of --override is one of:

  transaction.PROPERTY     With name, subject, message or expiration_days
  recipient.PROPERTY       With name or email
  next_recipient.PROPERTY  With name or email; the recipient who is asked after recipient_submitted
  document.name            Name of the document
  reason                   Reason of a rejection or cancellation`,
  arguments: [
    {
      name: 'type',
      optional: true,
      completes: 'event_type',
      summary: 'Event type; without it, the types are listed (see `esign help events`)',
    },
  ],
  options: {
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of an existing transaction to advance',
    },
    override: { value: 'PATH=VALUE', repeat: true, summary: 'Value to use instead of a generated one' },
    notify: { value: 'URL', summary: 'Notification URL of the created transaction' },
  },
  json: prints(
    object({
      id: text,
      status: text,
      outcome: text,
      type: text,
      events: list(object({ id: text, type: text, created: text })),
    }),
  ),
  examples: [
    { line: 'esign events trigger transaction_completed', about: 'Create a signed and sealed transaction' },
    {
      line: 'esign events trigger transaction_rejected --override recipient.email=grace@example.com --override "reason=Wrong price"',
      about: 'Reject a transaction with your own values',
    },
    {
      line: 'esign events trigger transaction_cancelled --transaction @',
      about: 'Advance an existing transaction',
    },
  ],
  async run(context, { args, options }) {
    return triggerEvent(context, await chooseEventType(context, args.type), options);
  },
});

type TriggerOptions = {
  transaction: string | undefined;
  override: readonly string[];
  notify: string | undefined;
};

async function triggerEvent(
  context: Uses<'connections' | 'terminal'>,
  typeText: string,
  { transaction, override, notify }: TriggerOptions,
): Promise<Outcome> {
  const type = eventTypeIn('TYPE', typeText);
  const overrides = overridesIn(override);
  if (transaction !== undefined && notify !== undefined)
    throw optionsConflict('--notify', '--transaction', {
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
  throw cliError('sandbox_only', {
    sentence: `Events can be triggered only in the sandbox. The profile "${name}" uses ${remote.baseUrl}.`,
    hint: 'Add --sandbox. To get events from a service, send a transaction with `esign tx send`.',
  });
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
  checkValue(transactionOperations['transaction.create'].body, create, FLAGS);
  checkValue(
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
  checkValue(transactionOperations['transaction.cancel'].body, { cancelled_reason: values.reason }, FLAGS);
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

const LINES = [
  [16, 'Agreement'],
  [11, 'This document was created by "esign events trigger" to test receivers of events.'],
  [11, 'It has one page and no legal meaning.'],
] as const;

const [LEFT, TOP, LEADING] = [72, 720, 28];

/** Writes the objects one after another, then the table of their offsets (ISO 32000-1, 7.5). */
export function onePagePdf(): Uint8Array<ArrayBuffer> {
  const text = LINES.map(
    ([size, line], index) =>
      `BT /F1 ${size} Tf ${LEFT} ${TOP - index * LEADING} Td (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`,
  ).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  let pdf = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = pdf.length;
  pdf += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`;
  return new TextEncoder().encode(pdf);
}
