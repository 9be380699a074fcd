// Shows the clock of the sandbox, and what happened while it was moved.
import type { Client } from '../../../../api/client.ts';
import type { Outcome } from '../../../command/outcome.ts';

type ClockNow = Awaited<ReturnType<Client['sandbox.clock']>>;
type Advanced = Awaited<ReturnType<Client['sandbox.advance_clock']>>;

export const clockOutcome = (clock: ClockNow, headline?: string): Outcome => ({
  kind: 'record',
  json: clock,
  ...(headline !== undefined && { headline }),
  entries: entriesOf(clock),
});

export function advancedOutcome(advanced: Advanced): Outcome {
  const { fired, fired_total } = advanced;
  const columns = ['Time', 'What happened', 'Transaction', { name: 'Result', fit: 'wraps' as const }];
  const rows = fired.map((one) => [{ instant: one.at }, whatOf(one), one.transaction_id, resultOf(one)]);
  const hidden = fired_total - fired.length;
  return {
    kind: 'record',
    json: advanced,
    headline: `Moved the clock of the sandbox. ${fired_total === 0 ? 'Nothing became due.' : ''}`.trim(),
    entries: [
      ...entriesOf(advanced),
      { key: 'fired_total', ...(hidden > 0 && { label: 'In all' }), value: fired_total },
    ],
    ...(rows.length > 0 && { tables: [{ key: 'fired', title: 'What became due', columns, rows }] }),
  };
}

const entriesOf = ({ now, real_time, is_paused }: ClockNow) => [
  { key: 'now', label: 'Sandbox clock', value: { instant: now } },
  { key: 'real_time', label: 'Real time', value: { instant: real_time } },
  { key: 'is_paused', ...(is_paused && { label: 'Paused' }), value: is_paused },
];

type Fired = Advanced['fired'][number];

function whatOf({ attempt }: Fired): string {
  if (!attempt) return 'Transaction expired';
  return attempt.kind === 'mail' ? 'Email sent' : 'Event sent';
}

function resultOf({ attempt }: Fired): string {
  if (!attempt) return '';
  const to = attempt.kind === 'mail' ? '' : ` to ${attempt.endpoint}`;
  return attempt.ok ? `delivered${to}` : `failed${to}: ${attempt.why ?? `status ${attempt.status}`}`;
}
