import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Show the time by the clock of the sandbox',
  details:
    'Everything that people see and that rules compare follows this clock: expiry, retries, codes, tokens, dates in emails. ' +
    'TLS, certificates and seals use the time of this machine.',
  arguments: [],
  options: {},
  json: '{now, real_time, is_paused}',
  examples: [{ line: 'esign sandbox clock show', about: 'Show what time it is in the sandbox' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { clockOutcome } = await import('./clock-outcome.ts');
    return clockOutcome(await client['sandbox.clock']());
  },
});
