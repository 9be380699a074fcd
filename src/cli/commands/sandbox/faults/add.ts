import { FAULT_KIND_NAMES } from '../../../../api/contract/sandbox/fault-kinds.ts';
import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
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
    'retry-after': { value: 'SECONDS', summary: 'Retry-After of rate-limit (default: 1)' },
    bytes: { value: 'N', summary: 'How much of the body limit_data sends (default: half)' },
  },
  json: '{id, operation, kind, count, probability, seed, latency, jitter, retry_after, bytes, hits}',
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
    (await import('./fault-values.ts')).faultOf(args, options);
  },
  async run(context, { args, options }) {
    const { faultOf } = await import('./fault-values.ts');
    const body = faultOf(args, options);
    const { client } = await context.connections.sandbox();
    const { faultOutcome } = await import('./fault-outcome.ts');
    return faultOutcome(await client['sandbox.add_fault']({ body }));
  },
});
