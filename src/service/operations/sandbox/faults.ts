// Lists, adds and removes the faults of the sandbox.
import { LIMITS } from '../../../api/contract/limits.ts';
import { needsAccessToken } from '../../../api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../api/contract/operations.ts';
import {
  EVERY_OPERATION,
  type FaultKind,
  type FaultValue,
  faultKindRow,
  faultMsOf,
} from '../../../api/contract/sandbox/faults.ts';
import { didYouMean, nearest } from '../../../common/nearest.ts';
import { type Handlers, ok, refuse } from '../../context.ts';
import type { StoredFault } from '../../store/sandbox/faults.ts';

export const faultHandlers = {
  'sandbox.list_faults': async ({ faults }) => ok({ items: (await faults.list()).map(shown) }),

  'sandbox.add_fault': async ({ faults, storeDeps }, { body }) => {
    const wrong = wrongOperation(body.operation, body.kind);
    if (wrong !== undefined) return refuseFault('body.operation', wrong);
    const { operation, kind, count = null, probability = null } = body;
    const takes = (name: FaultValue) => faultKindRow(kind).values.includes(name);
    const fault: StoredFault = {
      id: storeDeps.newId(),
      operation,
      kind,
      count,
      probability,
      seed: probability === null ? null : (body.seed ?? randomSeed(storeDeps.random)),
      latency: takes('latency')
        ? body.latency === undefined
          ? LATENCY_MS[kind as keyof typeof LATENCY_MS]
          : faultMsOf(body.latency)
        : null,
      jitter: takes('jitter') ? faultMsOf(body.jitter) : null,
      retry_after: takes('retry_after') ? (body.retry_after ?? RETRY_AFTER_SECONDS) : null,
      bytes: body.bytes ?? null,
      hits: 0,
      chances: 0,
    };
    let isAdded = false;
    await faults.change((stored) => {
      isAdded = stored.length < LIMITS.faults;
      return isAdded ? [...stored, fault] : undefined;
    });
    return isAdded
      ? ok(shown(fault))
      : refuseFault(
          'body',
          `is one fault more than the ${LIMITS.faults} that a sandbox can have. Remove them first`,
        );
  },

  'sandbox.clear_faults': async ({ faults }) => {
    let removed = 0;
    await faults.change((stored) => {
      removed = stored.length;
      return [];
    });
    return ok({ removed });
  },
} satisfies Partial<Handlers<'sandbox'>>;

const LATENCY_MS = { latency: 1000, 'slow-body': 1000, 'webhook-delay': 60_000 } as const;
const RETRY_AFTER_SECONDS = 1;

const shown = ({ chances: _, ...fault }: StoredFault) => fault;

/** Operations under `/_sandbox/` never fail on purpose, because faults are removed with them. */
export const FAULTED_OPERATIONS: readonly string[] = OPERATION_IDS.filter(
  (id) => OPERATIONS[id].access !== 'control',
);

/** @returns what is wrong with the operation of a fault, as the end of a sentence; undefined where nothing is */
export function wrongOperation(operation: string, kind: FaultKind): string | undefined {
  if (operation === EVERY_OPERATION) return undefined;
  if (faultKindRow(kind).meets === 'sending')
    return `must be "*" for the fault ${kind}, which meets what the service sends`;
  const match = OPERATION_IDS.find((id) => id === operation && OPERATIONS[id].access !== 'control');
  if (match === undefined) return unknownOperation(operation);
  return kind === 'expired-token' && !needsAccessToken(OPERATIONS[match].access)
    ? `"${operation}" needs no access token, so that the fault ${kind} cannot meet it`
    : undefined;
}

function unknownOperation(operation: string): string {
  const shortened = operation.slice(0, 100);
  const meant = nearest(operation, FAULTED_OPERATIONS);
  const use = didYouMean(meant) || 'Use "*", or an operation such as transaction.create';
  return `"${shortened}" is not an operation of the API. ${use}`;
}

const randomSeed = (random: (bytes: number) => Uint8Array): number => Buffer.from(random(4)).readUInt32BE();

const refuseFault = (path: string, message: string) =>
  refuse('validation_failed', { summary: `${path} ${message}${message.endsWith('?') ? '' : '.'}` }, [
    { path, message },
  ]);
