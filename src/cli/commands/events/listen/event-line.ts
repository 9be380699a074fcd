// Writes one received event on one line: for a person, for a pipe, and as an object.
import type { ReceivedEvent } from '../../../../api/contract/event-log.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { lineOf } from '../../../events/line.ts';
import type { Forwarded } from '../../../events/receiver.ts';
import { eventEnvelope, resultOf, transactionOf } from '../../../events/view.ts';

/** The request of the webhook that delivered the event. */
export type Original = { headers: Record<string, string>; body: Uint8Array };

export type Arrived = {
  event: ReceivedEvent;
  original?: Original;
  /** Whether its signature was right; null where the service gave no secret. Absent where events are not signed. */
  verified?: boolean | null;
};

export function eventLine(
  { settings, terminal }: Uses<'settings' | 'terminal'>,
  { event, forwarded, verified }: Arrived & { forwarded: Forwarded | undefined },
): Outcome {
  const json = {
    ...eventEnvelope(event),
    ...(forwarded && { forwarded }),
    ...(verified !== undefined && { verified }),
  };
  if (!settings.json && terminal.streams.out.isTerminal)
    return { kind: 'text', json, text: lineOf(event, forwarded ? [outcomeOf(forwarded)] : []) };
  const result = forwarded && [
    forwarded.status,
    forwarded.duration_ms,
    forwarded.attempts,
    forwarded.why ?? '',
  ];
  return {
    kind: 'list',
    json,
    lines: [json],
    empty: '',
    table: {
      columns: [],
      rows: [[event.created, event.type, transactionOf(event), event.id, ...(result ?? [])]],
    },
  };
}

function outcomeOf({ status, why, duration_ms, attempts }: Forwarded): string {
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  return `${why === null ? '→' : '✗'} ${resultOf({ status, why })} in ${duration_ms} ms${tries}`;
}
