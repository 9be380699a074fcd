import type { Client } from '../../../api/client.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../api/contract/operations.ts';
import {
  EVERY_OPERATION,
  FAULT_KIND_NAMES,
  type FaultKind,
  faultsOperations,
} from '../../../api/contract/sandbox/faults.ts';
import { durationOf } from '../../../common/instant.ts';
import { nearest } from '../../../common/nearest.ts';
import { defineCommand } from '../../command/command.ts';
import { list, nullable, number, object, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { listRecords, showRecord } from '../../command/record.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import { checkValue } from '../../input/check-value.ts';
import { wholeUnits } from '../../input/parse-input.ts';

const FAULT = object({
  id: text,
  operation: text,
  kind: text,
  count: nullable(number),
  probability: nullable(number),
  seed: nullable(number),
  latency: nullable(number),
  jitter: nullable(number),
  retry_after: nullable(number),
  bytes: nullable(number),
  hits: number,
});

export const commands = {
  add: defineCommand({
    summary: 'Make requests or deliveries of the sandbox fail',
    details:
      'A fault applies to every process that uses the sandbox, from the next request on, until it has applied --count times or is ' +
      'removed. A response that it broke has the header X-Esign-Fault, and `esign sandbox serve` logs it. Without --count and ' +
      '--probability, it applies each time.\n\n' +
      'These kinds do nothing before they fail: rate-limit, expired-token, error-before-commit. With the other kinds for requests, ' +
      'the request is processed and only its response is late, broken or lost. The kinds timestamps-unavailable, smtp-unavailable and ' +
      'webhook-… apply to what the sandbox sends; their operation is "*".',
    arguments: [
      {
        name: 'operation',
        summary: 'ID of an operation, such as transaction.create (see `esign api routes`), or "*" for all',
      },
      { name: 'kind', choices: FAULT_KIND_NAMES, summary: 'What goes wrong' },
    ],
    options: {
      count: { value: 'N', summary: 'How many times it applies' },
      probability: {
        value: 'P',
        summary: 'Share of the requests or deliveries that it applies to, such as 0.2',
      },
      seed: {
        value: 'S',
        summary:
          'Number that decides, with --probability, which of them it applies to (default: a random number)',
      },
      latency: {
        value: 'DURATION',
        summary: 'Time for latency, slow-body (default: 1s) and webhook-delay (default: 1m)',
      },
      jitter: { value: 'DURATION', summary: 'How much latency varies, in both directions' },
      'retry-after': {
        value: 'SECONDS',
        summary: 'Retry-After of rate-limit, in seconds or with a unit such as 2m (default: 1)',
      },
      bytes: { value: 'N', summary: 'How much of the body limit_data sends (default: half)' },
    },
    json: prints(FAULT),
    examples: [
      {
        line: 'esign sandbox faults add transaction.create error-after-commit --count 1',
        about: 'Lose one response after the transaction was created',
      },
      {
        line: "esign sandbox faults add '*' rate-limit --probability 0.2 --seed 7",
        about: 'Refuse a fifth of all requests, the same ones in each run',
      },
      {
        line: "esign sandbox faults add '*' latency --latency 2s --jitter 0.5s",
        about: 'Slow down all requests',
      },
      {
        line: "esign sandbox faults add '*' webhook-duplicate --count 1",
        about: 'Send the next event twice',
      },
    ],
    async check(_, { args, options }) {
      faultOf(args, options);
    },
    async run(context, { args, options }) {
      const body = faultOf(args, options);
      const { client } = await context.connections.sandbox();
      return faultOutcome(await client['sandbox.add_fault']({ body }));
    },
  }),

  list: defineCommand({
    summary: 'List the faults of the sandbox',
    details:
      'A fault that has applied as many times as --count says stays in the list until the faults are removed.',
    arguments: [],
    options: {},
    json: prints(list(FAULT)),
    examples: [
      {
        line: 'esign sandbox faults list',
        about: 'See which faults there are, and how often each has applied',
      },
    ],
    async run(context) {
      const { client } = await context.connections.sandbox();
      return faultsOutcome((await client['sandbox.list_faults']()).items);
    },
  }),

  clear: defineCommand({
    summary: 'Remove all faults of the sandbox',
    arguments: [],
    options: {},
    json: prints(object({ removed: number })),
    examples: [{ line: 'esign sandbox faults clear', about: 'Let everything work again' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const json = await client['sandbox.clear_faults']();
      return showRecord(json, { removed: 'Removed' }, { headline: 'The sandbox has no faults any more.' });
    },
  }),
};

type Fault = Awaited<ReturnType<Client['sandbox.add_fault']>>;

const faultOutcome = (fault: Fault): Outcome => ({
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

const faultsOutcome = (items: readonly Fault[]): Outcome =>
  listRecords(
    items,
    'There are no faults. To add one, run `esign sandbox faults add`.',
    {
      Operation: 'operation',
      Kind: 'kind',
      Values: valuesOf,
      Applies: howOften,
      Applied: (fault) => String(fault.hits),
    },
    { json: items },
  );

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
function faultOf({ operation, kind }: { operation: string; kind: string }, options: Typed) {
  checkOperation(operation);
  const body = {
    operation,
    // The parser has checked it.
    kind: FAULT_KIND_NAMES.find((name) => name === kind) as FaultKind,
    ...numberFrom('count', '--count', options.count),
    ...numberFrom('probability', '--probability', options.probability),
    ...numberFrom('seed', '--seed', options.seed),
    ...durationFrom('latency', '--latency', options.latency),
    ...durationFrom('jitter', '--jitter', options.jitter),
    ...secondsFrom(options['retry-after']),
    ...numberFrom('bytes', '--bytes', options.bytes),
  };
  checkValue(faultsOperations['sandbox.add_fault'].body, body, NAMES);
  return body;
}

function checkOperation(operation: string): void {
  const operations = OPERATION_IDS.filter((id) => OPERATIONS[id].access !== 'control');
  if (operation === EVERY_OPERATION || operations.some((id) => id === operation)) return;
  throw invalidValue({
    name: 'OPERATION',
    value: operation,
    problem: 'is not an operation of the API',
    meant: nearest(operation, operations),
    use: '"*" for all, or the ID of an operation such as transaction.create. `esign api routes` lists them',
  });
}

function numberFrom<K extends string>(key: K, name: string, text: string | undefined): { [P in K]?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,15}(\.\d{1,9})?$/.test(text)) throw invalidValue({ name, value: text, use: 'a number' });
  return { [key]: Number(text) } as { [P in K]?: number };
}

const secondsFrom = (text: string | undefined): { retry_after?: number } =>
  text === undefined
    ? {}
    : {
        retry_after: wholeUnits('--retry-after', text, {
          unit: 's',
          min: 0,
          max: LIMITS.faultRetryAfterSeconds,
        }),
      };

function durationFrom<K extends string>(
  key: K,
  name: string,
  text: string | undefined,
): { [P in K]?: number } {
  if (text === undefined) return {};
  const ms = durationOf(text);
  if (ms === undefined) throw invalidValue({ name, value: text, use: 'a duration such as 0.5s, 2s or 10m' });
  return { [key]: ms } as { [P in K]?: number };
}
