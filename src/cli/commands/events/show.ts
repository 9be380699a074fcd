import { defineCommand } from '../../command/command.ts';
import { brief, list, nullable, object, open, prints, text } from '../../command/json-output.ts';
import type { Cell, Entry, Outcome } from '../../command/outcome.ts';
import { ATTEMPT, DELIVERY_STATE } from '../../command/shared-json.ts';
import { type EventDetail, resultOf, timeCell, transactionOf } from '../../events/view.ts';
import { safeText } from '../../terminal/safe-text.ts';

export const command = defineCommand({
  summary: 'Show an event and its delivery attempts',
  arguments: [{ name: 'id', completes: 'event', summary: 'ID of the event' }],
  options: {},
  json: prints(
    object({
      created: text,
      id: text,
      type: text,
      data: brief(open(object({}))),
      deliveries: list(
        object({
          id: text,
          kind: text,
          webhook_id: nullable(text),
          endpoint: nullable(text),
          state: DELIVERY_STATE,
          reason: nullable(text),
          created: text,
          next_at: nullable(text),
          attempts: list(object(ATTEMPT)),
        }),
      ),
    }),
  ),
  examples: [
    { line: 'esign events show ID', about: 'Show each attempt, the response and the time of the next retry' },
  ],
  async run(context, { args }) {
    const { client } = await context.connections.connect();
    return eventPage(await client['event.detail']({ params: { eventId: args.id } }));
  },
});

/** More properties than any event of the specification has. */
const MOST_PROPERTIES = 60;
const ANSWER_LENGTH = 60;

export function eventPage(event: EventDetail): Outcome {
  const deliveries = event.deliveries ?? [];
  return {
    kind: 'record',
    json: event,
    entries: [
      { key: 'id', label: 'Event', value: event.id },
      { key: 'type', label: 'Type', value: event.type },
      { key: 'created', label: 'Time', value: { instant: event.created } },
      { key: 'transaction', label: 'Transaction', value: transactionOf(event) || undefined },
      ...propertiesOf(event.data),
    ],
    tables: [
      {
        key: 'delivery',
        columns: ['RECEIVER', 'STATE', 'NEXT ATTEMPT', 'REASON', 'DELIVERY'],
        rows: deliveries.map((delivery) => [
          receiverOf(delivery),
          delivery.state,
          timeCell(delivery.next_at),
          delivery.reason,
          delivery.id,
        ]),
      },
      {
        key: 'attempt',
        columns: ['TIME', 'RECEIVER', 'RESULT', 'MS', { name: 'RESPONSE', fit: 'cuts' }, 'NEXT ATTEMPT'],
        rows: deliveries.flatMap(({ endpoint, kind, attempts }) =>
          (attempts ?? []).map(({ at, status, why, duration_ms, answer, next_at }): Cell[] => [
            timeCell(at),
            receiverOf({ endpoint, kind }),
            resultOf({ status, why }),
            duration_ms,
            (answer ?? '').slice(0, ANSWER_LENGTH),
            timeCell(next_at),
          ]),
        ),
      },
    ],
    ...(deliveries.length === 0 && {
      notes: ['No webhook subscribes to this event, and its transaction has no notification URL.'],
    }),
  };
}

type Delivery = Pick<NonNullable<EventDetail['deliveries']>[number], 'endpoint' | 'kind'>;

/** Names the receiver of a delivery, whose webhook may have been deleted since. */
const receiverOf = ({ endpoint, kind }: Delivery): string | undefined =>
  endpoint ?? (kind ? `deleted ${kind}` : undefined);

/** Lists the values of the event, one a line: `data.recipient.email  ada@example.com`. */
function propertiesOf(data: unknown): Entry[] {
  const entries: Entry[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (entries.length >= MOST_PROPERTIES) return;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
      return;
    }
    const key = safeText(path.join('.'));
    const text = typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
    entries.push({ key, label: key, value: text });
  };
  walk(data ?? {}, ['data']);
  return entries;
}
