// Shows faults of the sandbox.
import type { Client } from '../../../../api/client.ts';
import type { Outcome } from '../../../command/outcome.ts';

type Fault = Awaited<ReturnType<Client['sandbox.add_fault']>>;

export const faultOutcome = (fault: Fault): Outcome => ({
  kind: 'record',
  headline: 'Added the fault. To remove all faults, run `esign sandbox faults clear`.',
  json: fault,
  entries: [
    { key: 'id', label: 'Fault', value: fault.id },
    { key: 'operation', label: 'Operation', value: fault.operation },
    { key: 'kind', label: 'Kind', value: fault.kind },
    { key: 'count', label: 'Applies', value: howOften(fault) },
  ],
});

export const faultsOutcome = (items: readonly Fault[]): Outcome => ({
  kind: 'list',
  json: items,
  empty: 'There are no faults. To add one, run `esign sandbox faults add`.',
  table: {
    columns: ['Operation', 'Kind', 'Values', 'Applies', 'Applied'],
    rows: items.map((fault) => [
      fault.operation,
      fault.kind,
      valuesOf(fault),
      howOften(fault),
      String(fault.hits),
    ]),
  },
});

function howOften({ count, probability, seed }: Fault): string {
  if (typeof count === 'number') return count === 1 ? 'once' : `${count} times`;
  return typeof probability === 'number' ? `with probability ${probability}, seed ${seed}` : 'each time';
}

const valuesOf = ({ latency, jitter, retry_after, bytes }: Fault): string =>
  [
    ...(typeof latency === 'number' ? [`${latency} ms`] : []),
    ...(typeof jitter === 'number' && jitter > 0 ? [`± ${jitter} ms`] : []),
    ...(typeof retry_after === 'number' ? [`Retry-After: ${retry_after}`] : []),
    ...(typeof bytes === 'number' ? [`${bytes} bytes`] : []),
  ].join(' ');
