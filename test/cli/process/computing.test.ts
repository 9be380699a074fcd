// Work that computes without a pause: while it runs nobody listens to signals, so that the system ends the process at once.
import { afterEach, expect, test } from 'vitest';
import { verifyFile } from '../../../src/cli/commands/verify/verified-file.ts';
import { endedBySystem } from '../../../src/cli/process/edges.ts';
import { NOW } from '../../support/certificates/pki.ts';
import { PKI, signed, trusting } from '../../support/documents/verification.ts';

const listening = () => undefined;
afterEach(() => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, listening);
});

test('nobody listens meanwhile, and everybody does afterwards', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, listening);
  const counts = () => (['SIGINT', 'SIGTERM'] as const).map((signal) => process.listenerCount(signal));
  const before = counts();
  expect(endedBySystem(counts)).toEqual([0, 0]);
  expect(counts()).toEqual(before);
  expect(() =>
    endedBySystem(() => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(counts()).toEqual(before);
});

test('a verification reads and checks a file in this way', async () => {
  const trust = trusting(PKI.root);
  const computed: unknown[] = [];
  const file = await verifyFile('contract.pdf', signed(), {
    trust: { named: trusting(), all: async () => trust },
    now: NOW,
    level: undefined,
    original: undefined,
    password: undefined,
    textOfPage: () => async () => undefined,
    compareVersions: undefined,
    computing: (work) => {
      const result = work();
      computed.push(result);
      return result;
    },
  });
  expect(file.verdict).toBe('valid');
  // It is read, verified with the authorities that the command names and then with all, and searched for content that programs show differently.
  expect(computed).toHaveLength(4);
});
