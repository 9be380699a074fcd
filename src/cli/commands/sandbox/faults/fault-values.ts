// Reads a fault from what a user typed, and checks everything before the sandbox is opened.
import { OPERATION_IDS, OPERATIONS } from '../../../../api/contract/operations.ts';
import {
  EVERY_OPERATION,
  FAULT_KIND_NAMES,
  type FaultKind,
} from '../../../../api/contract/sandbox/fault-kinds.ts';
import { faultsOperations } from '../../../../api/contract/sandbox/faults.ts';
import { durationOf } from '../../../../common/instant.ts';
import { nearest } from '../../../../common/nearest.ts';
import { cliError } from '../../../command/errors.ts';
import { parseWith } from '../../../input/parse-input.ts';

type Typed = {
  count: string | undefined;
  probability: string | undefined;
  seed: string | undefined;
  latency: string | undefined;
  jitter: string | undefined;
  'retry-after': string | undefined;
  bytes: string | undefined;
};

const NAMES = {
  operation: 'OPERATION',
  kind: 'KIND',
  count: '--count',
  probability: '--probability',
  seed: '--seed',
  latency: '--latency',
  jitter: '--jitter',
  retry_after: '--retry-after',
  bytes: '--bytes',
};

/** @returns the body of `sandbox.add_fault`. @throws value_invalid for what the sandbox would refuse */
export function faultOf({ operation, kind }: { operation: string; kind: string }, options: Typed) {
  checkOperation(operation);
  const body = {
    operation,
    // The parser has checked it.
    kind: FAULT_KIND_NAMES.find((one) => one === kind) as FaultKind,
    ...numberFrom('count', '--count', options.count),
    ...numberFrom('probability', '--probability', options.probability),
    ...numberFrom('seed', '--seed', options.seed),
    ...durationFrom('latency', '--latency', options.latency),
    ...durationFrom('jitter', '--jitter', options.jitter),
    ...numberFrom('retry_after', '--retry-after', options['retry-after']),
    ...numberFrom('bytes', '--bytes', options.bytes),
  };
  parseWith(faultsOperations['sandbox.add_fault'].body, body, NAMES);
  return body;
}

function checkOperation(operation: string): void {
  const known = OPERATION_IDS.filter((id) => OPERATIONS[id].access !== 'control');
  if (operation === EVERY_OPERATION || known.some((id) => id === operation)) return;
  throw cliError('value_invalid', {
    name: 'OPERATION',
    value: operation,
    problem: 'is not an operation of the API',
    meant: nearest(operation, known),
    use: '"*" for all, or the ID of an operation such as transaction.create. `esign api routes` lists them',
  });
}

function numberFrom<K extends string>(key: K, name: string, text: string | undefined): { [P in K]?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,15}(\.\d{1,9})?$/.test(text))
    throw cliError('value_invalid', { name, value: text, use: 'a number' });
  return { [key]: Number(text) } as { [P in K]?: number };
}

function durationFrom<K extends string>(
  key: K,
  name: string,
  text: string | undefined,
): { [P in K]?: number } {
  if (text === undefined) return {};
  const ms = durationOf(text);
  if (ms === undefined)
    throw cliError('value_invalid', { name, value: text, use: 'a duration such as 0.5s, 2s or 10m' });
  return { [key]: ms } as { [P in K]?: number };
}
