import type { Client } from '../../api/client.ts';
import { EVENT_TYPES } from '../../api/contract/events.ts';
import { webhookOperations } from '../../api/contract/webhooks.ts';
import { defineCommand } from '../command/command.ts';
import { EXIT } from '../command/exit-codes.ts';
import {
  boolean,
  list,
  nameOnly,
  nullable,
  number,
  object,
  prints,
  secret,
  text,
} from '../command/json-output.ts';
import type { RecordOutcome } from '../command/outcome.ts';
import { PAGE_OPTIONS } from '../command/page-options.ts';
import { forPipes, listRecords, showRecord, time } from '../command/record.ts';
import { ATTEMPT, DELIVERY_COUNTS, PAGE_META } from '../command/shared-json.ts';
import { eventTypeIn, resultOf, timeCell } from '../events/view.ts';
import { askFor } from '../input/ask-for.ts';
import { checkValue } from '../input/check-value.ts';
import { readPages } from '../input/parse-input.ts';

const ROTATE_FOR_SECRET =
  'Get a new secret with `esign webhooks rotate ID --env-path FILE`; `esign webhooks list` prints the ID.';

const WEBHOOK_JSON = prints(
  object({
    id: text,
    name: text,
    endpoint: text,
    events: nameOnly(list(text)),
    enabled: boolean,
    created_at: text,
    rotated_at: nullable(text),
    disabled_at: nullable(text),
    disabled_reason: nullable(text),
    deliveries: object(DELIVERY_COUNTS),
    success_rate: nullable(number),
    last_attempts: list(
      object({
        ...ATTEMPT,
        event: object({ id: text, type: text }),
      }),
    ),
  }),
);

export const commands = {
  create: defineCommand({
    summary: 'Create a webhook',
    details:
      'Creates a webhook, which sends every event of the given types to the endpoint, signed with the ' +
      'secret. The secret is shown only once. Receivers check the headers webhook-id, webhook-timestamp and webhook-signature as ' +
      'described by Standard Webhooks. A delivery without a 2xx response within 15 seconds is retried, up ' +
      'to ten attempts over three days; see `esign help events`. The endpoint must be an https URL; in the ' +
      'sandbox it has a public address, or is on this machine with a certificate from `esign sandbox ca ' +
      'issue`. You usually do not need a webhook to test a receiver on this machine: use `esign events ' +
      'listen --forward-to URL`.',
    arguments: [],
    options: {
      name: { value: 'TEXT', short: 'n', summary: 'Name of the webhook, up to 255 characters (required)' },
      endpoint: { value: 'URL', summary: 'HTTPS URL that receives the events (required)' },
      event: {
        value: 'TYPE',
        repeat: true,
        summary: 'Event type to subscribe to; see `esign help events` (required)',
        completes: 'event_type',
      },
    },
    json: prints(
      object({ id: text, 'secret?': secret('WEBHOOK_SECRET') }),
      '; secret only if the service returns one',
    ),
    secrets: { again: ROTATE_FOR_SECRET },
    examples: [
      {
        line: 'esign webhooks create --name Orders --endpoint https://hooks.example.com/esign --event transaction_completed',
        about: 'Send an event to your server when everyone has signed',
      },
      {
        line: 'esign webhooks create --name Orders --endpoint https://hooks.example.com/esign --event transaction_completed --env-path .env',
        about: 'Write the secret to .env as WEBHOOK_SECRET instead of printing it',
      },
    ],
    async run(context, { options }) {
      const { body: shape } = webhookOperations['webhook.create'];
      const noEvent = options.event.length === 0;
      const { name, endpoint, events } = await context.prompts.series(async () => {
        const answers = await askFor(
          context,
          {
            name: {
              what: 'Name',
              flag: '--name TEXT',
              value: options.name,
              accept: (text) =>
                checkValue(
                  shape,
                  { name: text, endpoint: 'https://example.com/', events: [EVENT_TYPES[0]] },
                  { name: 'This' },
                ),
            },
            endpoint: {
              what: 'Endpoint (an https URL)',
              flag: '--endpoint URL',
              value: options.endpoint,
              accept: (text) =>
                checkValue(
                  shape,
                  { name: 'x', endpoint: text, events: [EVENT_TYPES[0]] },
                  { endpoint: 'This' },
                ),
            },
          },
          noEvent ? [{ what: 'An event', flag: '--event TYPE' }] : [],
        );
        const events = noEvent
          ? await context.prompts.chooseSeveral('Events', '--event TYPE', EVENT_TYPES.map(named))
          : options.event;
        return { ...answers, events };
      });
      for (const type of options.event) eventTypeIn('--event', type, 'Repeat --event for several');
      const body = { name, endpoint, events };
      checkValue(webhookOperations['webhook.create'].body, body, {
        name: '--name',
        endpoint: '--endpoint',
        events: '--event',
      });
      const { client } = await context.connections.connect();
      const answer = await client['webhook.create']({
        body: body as Parameters<(typeof client)['webhook.create']>[0]['body'],
      });
      return showRecord(
        answer,
        { id: 'Webhook', secret: 'Secret' },
        {
          headline:
            'Created the webhook. The receiver verifies signatures with the secret, which is not shown again.',
        },
      );
    },
  }),

  list: defineCommand({
    summary: 'List webhooks, newest first',
    arguments: [],
    options: PAGE_OPTIONS,
    json: prints(
      object({
        items: list(
          object({ id: text, name: text, endpoint: text, events: nameOnly(list(text)), enabled: boolean }),
        ),
        meta: PAGE_META,
      }),
      '; with --all one object per line',
    ),
    examples: [{ line: 'esign webhooks list', about: 'List the webhooks of your company' }],
    async run(context, { options }) {
      const { items, json, lines } = await readPages(options, async (query) => {
        const { client } = await context.connections.connect();
        return client['webhook.list']({ query });
      });
      return listRecords(
        items,
        'No webhooks.',
        {
          ID: 'id',
          NAME: 'name',
          ENDPOINT: 'endpoint',
          EVENTS: ({ events }) => (events ?? []).join(','),
          ENABLED: ({ enabled }) => (enabled ? 'yes' : 'no'),
        },
        {
          json,
          lines,
          pageTable: {
            columns: ['NAME', 'ENABLED', 'ENDPOINT', 'ID', { name: 'EVENTS', fit: 'wraps' }],
            rows: items.map(({ id, name, endpoint, events, enabled }) => [
              name,
              enabled ? 'yes' : 'no',
              endpoint,
              id,
              (events ?? []).join(', '),
            ]),
          },
        },
      );
    },
  }),

  show: defineCommand({
    summary: 'Show a webhook and its recent deliveries',
    details:
      'Shows whether the webhook is enabled, how many deliveries are waiting, delivered or undelivered, ' +
      'and the results of the last attempts. If the webhook was disabled, the reason is shown; a receiver ' +
      'that responds with 410 disables it.',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: WEBHOOK_JSON,
    examples: [{ line: 'esign webhooks show ID', about: 'Check whether events arrive' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      return webhookPage(await client['webhook.detail']({ params: { webhookId: args.id } }));
    },
  }),

  enable: defineCommand({
    summary: 'Enable a disabled webhook',
    details:
      'The webhook receives events that happen from now on. To send events it missed, use `esign events ' +
      'replay`.',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: WEBHOOK_JSON,
    examples: [{ line: 'esign webhooks enable ID', about: 'Resume sending events to a webhook' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const webhook = await client['webhook.enable']({ params: { webhookId: args.id } });
      const missed = webhook.deliveries?.undelivered ?? 0;
      return {
        ...webhookPage(webhook, 'Enabled the webhook. It receives events that happen from now on.'),
        ...(missed > 0 && {
          notes: [
            `${missed === 1 ? '1 event was' : `${missed} events were`} not delivered. To send ${missed === 1 ? 'it' : 'them'}, run \`esign events replay --since 7d --undelivered --webhook ${webhook.id}\`.`,
          ],
        }),
      };
    },
  }),

  disable: defineCommand({
    summary: 'Disable a webhook',
    details:
      'Stops sending events to the webhook. Waiting deliveries become undelivered; they are kept and can ' +
      'be replayed.',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: WEBHOOK_JSON,
    examples: [
      { line: 'esign webhooks disable ID', about: 'Stop sending events while the receiver is down' },
    ],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const params = { webhookId: args.id };
      const before = await client['webhook.detail']({ params });
      const waiting = before.deliveries?.waiting ?? 0;
      const headline =
        waiting === 0
          ? 'Disabled the webhook. No deliveries were waiting.'
          : `Disabled the webhook. ${waiting} waiting ${waiting === 1 ? 'delivery is' : 'deliveries are'} undelivered now.`;
      return webhookPage(await client['webhook.disable']({ params }), headline);
    },
  }),

  rotate: defineCommand({
    summary: 'Replace the secret of a webhook',
    details:
      'The new secret is shown only once. For one day, deliveries are signed with both the old and the new ' +
      'secret, so that the receiver can switch at any time.',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: prints(object({ id: text, secret: secret('WEBHOOK_SECRET'), previous_valid_until: text })),
    secrets: { again: ROTATE_FOR_SECRET },
    examples: [{ line: 'esign webhooks rotate ID', about: 'Replace a secret that may have leaked' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const rotated = await client['webhook.rotate']({ params: { webhookId: args.id }, body: {} });
      return showRecord(
        rotated,
        { id: 'Webhook', secret: 'Secret', previous_valid_until: time('Previous secret valid until') },
        { headline: 'Replaced the secret of the webhook. The new secret is not shown again.' },
      );
    },
  }),

  ping: defineCommand({
    summary: 'Send a test event to a webhook',
    details:
      'Sends one signed event of type ping immediately and shows the response. Nothing is recorded, and ' +
      'disabled webhooks can be pinged too. The exit code is 0 for a 2xx response and 7 otherwise.',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: prints(
      object({
        id: text,
        endpoint: text,
        ok: boolean,
        status: nullable(number),
        why: nullable(text),
        answer: text,
        duration_ms: number,
      }),
    ),
    examples: [{ line: 'esign webhooks ping ID', about: 'Check whether the receiver responds' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const answer = await client['webhook.ping']({ params: { webhookId: args.id }, body: {} });
      const { ok, status = null, why = null } = answer;
      return {
        kind: 'record',
        headline: ok ? 'The receiver accepted the event.' : 'The receiver did not accept the event.',
        json: answer,
        entries: [
          { key: 'id', label: 'Webhook', value: answer.id },
          { key: 'endpoint', label: 'Endpoint', value: answer.endpoint },
          { key: 'ok', value: ok },
          { key: 'result', label: 'Result', value: resultOf({ status, why }), tone: ok ? 'good' : 'bad' },
          { key: 'duration_ms', label: 'Duration (ms)', value: answer.duration_ms },
          { key: 'answer', label: 'Response', value: answer.answer || undefined },
        ],
        exit: ok ? EXIT.done : EXIT.network,
      };
    },
  }),

  delete: defineCommand({
    summary: 'Delete a webhook',
    arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
    options: {},
    json: prints(object({ id: text, removed: boolean })),
    examples: [{ line: 'esign webhooks delete ID', about: 'Delete a webhook and stop its events' }],
    async run(context, { args }) {
      const { client } = await context.connections.connect();
      const { removed } = await client['webhook.delete']({ params: { webhookId: args.id } });
      return showRecord(
        { id: args.id, removed },
        { id: 'Webhook', removed: forPipes },
        { headline: 'Deleted the webhook.' },
      );
    },
  }),
};

const named = (type: string) => ({ value: type, name: type });

type WebhookDetail = Awaited<ReturnType<Client['webhook.detail']>>;

export function webhookPage(webhook: WebhookDetail, headline?: string): RecordOutcome {
  const { deliveries, success_rate: rate, last_attempts: attempts = [], disabled_at } = webhook;
  return {
    kind: 'record',
    ...(headline !== undefined && { headline }),
    json: webhook,
    entries: [
      { key: 'id', label: 'Webhook', value: webhook.id },
      { key: 'name', label: 'Name', value: webhook.name },
      { key: 'endpoint', label: 'Endpoint', value: webhook.endpoint },
      { key: 'events', label: 'Events', value: (webhook.events ?? []).join(', ') },
      {
        key: 'enabled',
        label: 'Enabled',
        value: webhook.enabled,
        shown: webhook.enabled ? 'yes' : 'no',
        tone: webhook.enabled ? 'good' : 'bad',
      },
      { key: 'disabled_at', label: 'Disabled', value: disabled_at ? { instant: disabled_at } : undefined },
      { key: 'disabled_reason', label: 'Reason', value: webhook.disabled_reason },
      {
        key: 'rotated_at',
        label: 'New secret',
        value: webhook.rotated_at ? { instant: webhook.rotated_at } : undefined,
      },
      { key: 'delivered', label: 'Delivered', value: deliveries?.delivered },
      { key: 'waiting', label: 'Waiting', value: deliveries?.waiting },
      { key: 'undelivered', label: 'Undelivered', value: deliveries?.undelivered },
      {
        key: 'success_rate',
        label: 'Success rate',
        value: rate,
        shown:
          typeof rate === 'number' ? `${percent(rate)} of the last ${attempts.length} attempts` : undefined,
      },
    ],
    tables: [
      {
        key: 'attempt',
        title: 'Last attempts',
        columns: ['TIME', 'EVENT', { name: 'RESULT', fit: 'cuts' }, 'MS', 'ID'],
        rows: attempts.map(({ at, event, status, why, duration_ms }) => [
          timeCell(at),
          event?.type,
          resultOf({ status, why }),
          duration_ms,
          event?.id,
        ]),
      },
    ],
  };
}

/** Rounds down, so that 100 % is shown only when all deliveries succeeded. */
const percent = (rate: number): string => `${Math.floor(rate * 100)} %`;
