// The command line against every fault of a service: for each kind and command, the exit code and what was done, when the fault is met
// once and when it is met each time.
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import {
  FAULT_KIND_NAMES,
  type FaultKind,
  faultKindRow,
} from '../../../../src/api/contract/sandbox/faults.ts';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import { startTransaction } from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { FULL, SLOW, shareOf } from '../../../support/tier.ts';

type Command = {
  words: (id: string) => string[];
  /** The operation with the fault, where the first request of the command is for another; its errors are ignored. */
  operation?: string;
  /** How often it was done. */
  count(harness: Harness): Promise<number>;
};

const CONTRACT = fileURLToPath(new URL('../../../fixtures/contract.pdf', import.meta.url));

const drafts = async ({ client }: Harness) => (await client['sandbox.status']()).transactions.draft;
const webhooks = async ({ client }: Harness) =>
  (await client['webhook.list']({ query: { limit: '50', page: '1' } })).items.length;

const COMMANDS = {
  'tx create': { words: () => ['tx', 'create', '--name', 'Lease'], count: drafts },
  'tx send': {
    words: () => [
      'tx',
      'send',
      CONTRACT,
      '--to',
      'Ada <ada@example.com>',
      '--sender',
      'Sandbox Sender <sender@esign.test>',
    ],
    operation: 'file.upload',
    // One is started before each command.
    count: async ({ client }) => (await client['sandbox.status']()).transactions.started - 1,
  },
  'tx download': { words: (id) => ['tx', 'download', id, '--original', '-o', 'downloads'], count: drafts },
  'tx show': { words: (id) => ['tx', 'show', id], count: drafts },
  'tx cancel': {
    words: (id) => ['tx', 'cancel', id, '--reason', 'Changed', '--yes'],
    count: async ({ client }) => (await client['sandbox.status']()).transactions.cancelled,
  },
  'webhooks create': {
    words: () => [
      'webhooks',
      'create',
      '--name',
      'CI',
      '--endpoint',
      'https://example.com/hook',
      '--event',
      'transaction_completed',
    ],
    count: webhooks,
  },
} as const satisfies Record<string, Command>;

const KINDS = FAULT_KIND_NAMES.filter((kind) => faultKindRow(kind).meets === 'request');

/** Exit code and how often it was done: with a fault that is met once, and with one that is met each time. */
const EXPECTED: Record<string, Record<keyof typeof COMMANDS, readonly [string, string]>> = {
  latency: {
    'tx create': ['0 1', '0 1'],
    'tx send': ['0 1', '0 1'],
    'tx download': ['0 0', '0 0'],
    'tx show': ['0 0', '0 0'],
    'tx cancel': ['0 1', '0 1'],
    'webhooks create': ['0 1', '0 1'],
  },
  'rate-limit': {
    'tx create': ['7 0', '7 0'],
    'tx send': ['7 0', '7 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['7 0', '7 0'],
    'webhooks create': ['7 0', '7 0'],
  },
  'expired-token': {
    'tx create': ['4 0', '4 0'],
    'tx send': ['4 0', '4 0'],
    'tx download': ['4 0', '4 0'],
    'tx show': ['4 0', '4 0'],
    'tx cancel': ['4 0', '4 0'],
    'webhooks create': ['4 0', '4 0'],
  },
  'error-before-commit': {
    'tx create': ['7 0', '7 0'],
    'tx send': ['7 0', '7 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['10 0', '10 0'],
    'webhooks create': ['7 0', '7 0'],
  },
  'error-after-commit': {
    'tx create': ['7 1', '7 1'],
    'tx send': ['7 0', '7 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  EMPTY_RESPONSE: {
    'tx create': ['7 1', '7 1'],
    'tx send': ['10 0', '10 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  CONNECTION_RESET_BY_PEER: {
    'tx create': ['7 1', '7 1'],
    'tx send': ['10 0', '10 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  MALFORMED_RESPONSE_CHUNK: {
    'tx create': ['7 1', '7 1'],
    'tx send': ['10 0', '10 0'],
    'tx download': ['7 0', '7 0'],
    'tx show': ['7 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  RANDOM_DATA_THEN_CLOSE: {
    'tx create': ['7 1', '7 1'],
    'tx send': ['10 0', '10 0'],
    'tx download': ['7 0', '7 0'],
    'tx show': ['7 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  limit_data: {
    'tx create': ['7 1', '7 1'],
    'tx send': ['10 0', '10 0'],
    'tx download': ['0 0', '7 0'],
    'tx show': ['0 0', '7 0'],
    'tx cancel': ['0 1', '10 1'],
    'webhooks create': ['7 1', '7 1'],
  },
  'slow-body': {
    'tx create': ['0 1', '0 1'],
    'tx send': ['0 1', '0 1'],
    'tx download': ['0 0', '0 0'],
    'tx show': ['0 0', '0 0'],
    'tx cancel': ['0 1', '0 1'],
    'webhooks create': ['0 1', '0 1'],
  },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function runCell(
  kind: FaultKind,
  name: keyof typeof COMMANDS,
  count: number | undefined,
): Promise<string> {
  const harness = await openHarness('over HTTP');
  closing.push(() => harness.close());
  const { id } = await startTransaction(harness);
  const { words, operation = '*', count: countDone }: Command = COMMANDS[name];
  const latency = faultKindRow(kind).values.includes('latency') ? { latency: 50 } : {};
  const body = { operation, kind, ...latency, ...(count !== undefined && { count }) };
  await harness.client['sandbox.add_fault']({ body });
  const folder = await temporaryFolder();
  const env = {
    ESIGN_HOME: folder,
    ESIGN_BASE_URL: harness.baseUrl,
    ESIGN_APP_URL: harness.baseUrl,
    ESIGN_ACCESS_TOKEN: harness.service.ownToken,
  };
  const { code, out, err } = await runInProcess({ env, folder }, [...words(id), '--json']);
  // Whatever fails: stdout is empty or JSON, and the last line of stderr is the error.
  expect([out === '', code === 0]).toContainEqual(true);
  if (code !== 0) expect(JSON.parse(err.trim().split('\n').at(-1) ?? '').error.exit).toBe(code);
  await harness.client['sandbox.clear_faults']();
  return `${code} ${await countDone(harness)}`;
}

const SHORT: readonly FaultKind[] = ['error-before-commit'];

test.each(FULL ? KINDS : SLOW ? shareOf(KINDS, 3) : SHORT)(
  '%s ends each command with its exit code, and is done as often as it says',
  async (kind) => {
    const cells: Record<string, readonly [string, string]> = {};
    const commands = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
    for (const name of SLOW ? commands : commands.slice(0, 1))
      cells[name] = [await runCell(kind, name, 1), await runCell(kind, name, undefined)];
    expect(cells).toEqual(SLOW ? EXPECTED[kind] : { 'tx create': EXPECTED[kind]?.['tx create'] });
  },
  120_000,
);
