import type { EventType } from '../../../../api/contract/events.ts';
import { nearest } from '../../../../common/nearest.ts';
import { type CliError, cliError } from '../../../command/errors.ts';
import { invalidValue } from '../../../command/wrong-input.ts';
import { outcomePhrase } from '../../../sending/view.ts';

export type TriggerStep = 'create' | 'fill' | 'start' | 'sign' | 'sign_all' | 'reject' | 'cancel' | 'expire';

/** A started transaction needs this step to cause the event. */
const FINAL_STEP: Partial<Record<EventType, TriggerStep>> = {
  recipient_submitted: 'sign',
  transaction_completed: 'sign_all',
  transaction_rejected: 'reject',
  transaction_cancelled: 'cancel',
  transaction_expired: 'expire',
};

/** A draft is bare when it lacks documents or recipients. */
export type TransactionState = { id: string; outcome: string; isBare: boolean };

/**
 * Lists the steps to an event.
 * @param from the transaction; undefined to make a new one
 * @throws CliError with exit 6 when no steps lead from its state to the event
 */
export function triggerSteps(type: EventType, from: TransactionState | undefined): TriggerStep[] {
  const last = FINAL_STEP[type];
  const end = last ? [last] : [];
  if (!from) return type === 'transaction_created' ? ['create'] : ['create', 'fill', 'start', ...end];
  if (type === 'transaction_created') throw unreachable(type, from);
  if (from.outcome === 'draft') return [...(from.isBare ? (['fill'] as const) : []), 'start', ...end];
  if (from.outcome === 'started' && last) return end;
  throw unreachable(type, from);
}

function unreachable(type: EventType, { id, outcome }: TransactionState): CliError {
  return cliError('event_unreachable', {
    sentence: `Transaction ${id} is ${outcomePhrase(outcome)}, so the event ${type} cannot occur any more.`,
    hint: 'Leave out --transaction. The event is then triggered with a new transaction.',
    next: [{ command: `esign events trigger ${type}`, when: 'to use a new transaction' }],
  });
}

const EXAMPLE_VALUES = {
  'transaction.name': 'Triggered transaction',
  'transaction.subject': undefined,
  'transaction.message': undefined,
  'transaction.expiration_days': undefined,
  'recipient.name': 'Ada Lovelace',
  'recipient.email': 'ada@example.com',
  'next_recipient.name': 'Grace Hopper',
  'next_recipient.email': 'grace@example.com',
  'document.name': 'agreement.pdf',
  reason: 'Created by esign events trigger',
} as const;

type Path = keyof typeof EXAMPLE_VALUES;

/** `undefined` where there is no example value. */
export type Values = { [P in Path]: (typeof EXAMPLE_VALUES)[P] extends string ? string : string | undefined };

const PATHS = Object.keys(EXAMPLE_VALUES) as Path[];

const USED_BY: Record<Path, readonly TriggerStep[]> = {
  'transaction.name': ['create'],
  'transaction.subject': ['fill'],
  'transaction.message': ['fill'],
  'transaction.expiration_days': ['fill'],
  'recipient.name': ['fill'],
  'recipient.email': ['fill'],
  'next_recipient.name': ['fill'],
  'next_recipient.email': ['fill'],
  'document.name': ['fill'],
  reason: ['reject', 'cancel'],
};

/** Reads `PATH=VALUE`; a wrong path is refused with the nearest one. */
export function overridesIn(texts: readonly string[]): Map<Path, string> {
  return new Map(
    texts.map((text) => {
      const equals = text.indexOf('=');
      const path = equals < 0 ? text : text.slice(0, equals);
      const match = PATHS.find((candidate) => candidate === path);
      if (!match)
        throw invalidValue({
          name: '--override',
          value: path,
          problem: 'is not a known path',
          meant: nearest(path, PATHS),
          use: `one of ${PATHS.join(', ')}`,
        });
      if (equals < 0)
        throw invalidValue({
          name: '--override',
          value: text,
          problem: 'has no value',
          use: `"${match}=VALUE"`,
        });
      return [match, text.slice(equals + 1)] as const;
    }),
  );
}

/** Refuses overrides that the steps to this event do not use. @throws CliError with exit 2 */
export function refuseUnused(
  overrides: ReadonlyMap<Path, string>,
  type: EventType,
  steps: readonly TriggerStep[],
): void {
  for (const path of overrides.keys()) {
    const isUsed = USED_BY[path].some((step) => steps.includes(step));
    if (isUsed && (!path.startsWith('next_recipient.') || type === 'recipient_submitted')) continue;
    throw cliError('override_unused', {
      sentence: `--override ${path} has no effect on ${type}${steps.includes('create') ? '' : ' for this transaction'}.`,
      hint: 'Leave out this option.',
    });
  }
}

export const valuesWith = (overrides: ReadonlyMap<Path, string>): Values =>
  ({ ...EXAMPLE_VALUES, ...Object.fromEntries(overrides) }) as Values;
