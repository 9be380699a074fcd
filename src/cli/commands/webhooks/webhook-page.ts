// Shows a webhook with its last attempts, for `show`, `enable` and `disable`.
import type { Client } from '../../../api/client.ts';
import type { RecordOutcome } from '../../command/outcome.ts';
import { resultOf, timeCell } from '../../events/view.ts';

export type WebhookDetail = Awaited<ReturnType<Client['webhook.detail']>>;

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
