import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'List the faults of the sandbox',
  details:
    'A fault that has applied as many times as --count says stays in the list until the faults are removed.',
  arguments: [],
  options: {},
  json: '[{id, operation, kind, count, probability, seed, latency, jitter, retry_after, bytes, hits}]',
  examples: [
    {
      line: 'esign sandbox faults list',
      about: 'See which faults there are, and how often each has applied',
    },
  ],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { faultsOutcome } = await import('./fault-outcome.ts');
    return faultsOutcome((await client['sandbox.list_faults']()).items);
  },
});
